import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import { merge } from '#shared/merge/merge'
import { applyPatch, effectivePatch, fold, ownKey, patchBetween } from '#shared/mutation/fold'
import { idSource } from '#shared/mutation/ids'
import { renameId } from '#shared/mutation/rename'
import type { OutboxEntry } from '#shared/mutation/entry'
import { systemClock } from '#shared/time/clock'
import { someEntry } from '../../helpers/some-entry'

const key = recordKey('tasks', 'list', 't')
const entry = (more: Partial<OutboxEntry>): OutboxEntry =>
  someEntry({
    collection: 'tasks',
    parent: 'list',
    recordId: 't',
    label: 'l',
    ...more,
  })

describe('a field whose name every object inherits', () => {
  it.each(['constructor', 'toString', 'valueOf'])('%s is set, changed, and removed like any other', (name) => {
    const value = { [name]: { a: 1 } }
    expect(patchBetween(value, {})).toEqual({ [name]: null })
    expect(patchBetween({}, value)).toEqual(value)
    expect(effectivePatch({}, value)).toEqual(value)
    expect(applyPatch(value, { [name]: null })).toEqual({})
  })

  it('__proto__ is left out, and reaches no prototype', () => {
    const value = JSON.parse('{"a":1,"__proto__":{"polluted":true}}') as JsonObject
    for (const one of [applyPatch({}, value), patchBetween({}, value), effectivePatch({}, value)]) {
      expect(one).toEqual({ a: 1 })
      expect(one['polluted']).toBeUndefined()
    }
  })
})

describe('a row with pending entries', () => {
  const [a, b, c] = [{ email: 'a@example.com' }, { email: 'b@example.com' }, { email: 'c@example.com' }]

  it("applies every patch to the service's version, and null clears", () => {
    const entries = [entry({ patch: { title: 'B', notes: null } }), entry({ patch: { due: 'x' } })]
    expect(fold(key, { title: 'A', notes: 'n' }, entries)).toEqual({ title: 'B', due: 'x' })
  })

  it('disappears with a deletion and returns with a creation', () => {
    expect(fold(key, { title: 'A' }, [entry({ kind: 'delete' })])).toBeNull()
    expect(fold(key, null, [entry({ kind: 'create', patch: { title: 'N' } })])).toEqual({ title: 'N' })
  })

  it("uses its edit's base when the service no longer has it", () => {
    expect(fold(key, null, [entry({ base: { title: 'A', notes: 'n' }, patch: { title: 'B' } })])).toEqual({
      title: 'B',
      notes: 'n',
    })
  })

  it('includes side effects of other entries', () => {
    const other = entry({ recordId: 'other', shows: [{ key, patch: { hidden: true } }] })
    expect(fold(key, { title: 'A' }, [other])).toEqual({ title: 'A', hidden: true })
    expect(fold(key, { title: 'A' }, [{ ...other, shows: [{ key, patch: null }] }])).toBeNull()
  })

  it.each([1, 8, 9, 200])('includes an entry with %i side effects, in their order', (count) => {
    const keyOf = (at: number): string => recordKey('tasks', 'list', `t${at}`)
    const shows = Array.from({ length: count }, (_, at) => ({ key: keyOf(at), patch: { at, first: true } as object }))
    shows.push({ key: keyOf(0), patch: { first: false } })
    const other = entry({ recordId: 'other', shows: shows as NonNullable<OutboxEntry['shows']> })
    for (let again = 0; again < 2; again++) {
      expect(fold(keyOf(0), { title: 'A' }, [other])).toEqual({ title: 'A', at: 0, first: false })
      expect(fold(keyOf(count), { title: 'A' }, [other])).toEqual({ title: 'A' })
    }
    expect(fold(keyOf(count - 1), {}, [other])).toEqual({ at: count - 1, first: count > 1 })
  })

  it.each([
    ['a discarded edit made', undefined, [b]],
    ['someone else emptied', null, [b]],
    ['someone else filled', [c], [c, b]],
  ])('shows the entries that will be sent of a list that %s', (_what, now, shown) => {
    const guests = entry({ collection: 'events', parent: 'me', base: { attendees: [a] }, patch: { attendees: [a, b] } })
    const { rules } = factsOf().of('events')
    const value = fold(ownKey(guests), now === undefined ? {} : { attendees: now }, [guests], rules)
    expect(value).toEqual({ attendees: shown })
  })

  it('shows the first entry of a list next to one that someone else added meanwhile', () => {
    const guests = entry({ collection: 'events', parent: 'me', base: {}, patch: { attendees: [b] } })
    const { rules } = factsOf().of('events')
    const value = fold(ownKey(guests), { attendees: [c] }, [guests], rules)
    expect(value).toEqual({ attendees: merge(rules, {}, guests.patch, { attendees: [c] }).patch['attendees'] })
    expect(value!['attendees']).toHaveLength(2)
  })

  it('is all there is of a record that a creation or a move to another list adds', () => {
    const shows = [{ key, patch: { title: 'A' } }]
    const made = entry({ kind: 'create', recordId: 'other', shows })
    const moved = entry({ kind: 'action', parent: 'old', action: { name: 'moveTask', destination: 'list' }, shows })
    expect([made, moved].map((one) => fold(key, null, [one]))).toEqual([{ title: 'A' }, { title: 'A' }])
  })

  it('adds nothing where the service no longer has the record, but keeps that of an action', () => {
    const shows = [{ key, patch: { position: '2' } }]
    const cleared = entry({ kind: 'action', recordId: 'list', action: { name: 'clearCompleted' }, shows })
    expect(fold(key, null, [cleared])).toBeNull()
    const moved = entry({ kind: 'action', base: { title: 'A' }, action: { name: 'moveTask' }, shows })
    expect(fold(key, null, [moved])).toEqual({ title: 'A', position: '2' })
  })
})

describe('patches', () => {
  it('transform one value into the other', () => {
    const [a, b] = [
      { x: 1, y: [1], z: 3 },
      { x: 2, y: [1] },
    ]
    expect(patchBetween(a, b)).toEqual({ x: 2, z: null })
    expect(applyPatch(a, patchBetween(a, b))).toEqual(b)
  })

  it('omit what the base already has', () => {
    expect(effectivePatch({ a: 1 }, { a: 1, b: null, c: 2 })).toEqual({ c: 2 })
  })
})

describe('entry IDs', () => {
  it('sort by creation within a millisecond, after a clock jump, and after a restart', () => {
    let now = 1_000
    const ids = idSource(() => now, Math.random)
    const made = [ids.ulid(), ids.ulid(), ids.ulid()]
    now = 10
    made.push(ids.ulid())
    const restarted = idSource(() => now, Math.random, made.at(-1))
    made.push(restarted.ulid())
    expect([...made].sort()).toEqual(made)
    expect(new Set(made).size).toBe(5)
  })

  it("of events meet the service's rules", () => {
    expect(idSource(systemClock.now, Math.random).eventId()).toMatch(/^[a-v0-9]{26}$/)
  })

  it('are replaced as whole words only, in keys and before an instance suffix', () => {
    const data = {
      id: 'local:1',
      key: 'tasks\nlocal:1\nx',
      instance: 'local:1_20260101',
      text: 'about local:1',
      list: ['local:1', 'local:12'],
    }
    expect(renameId(data, 'local:1', 'R')).toEqual({
      id: 'R',
      key: 'tasks\nR\nx',
      instance: 'R_20260101',
      text: 'about local:1',
      list: ['R', 'local:12'],
    })
    const same = { a: ['b'] }
    expect(renameId(same, 'x', 'y')).toBe(same)
  })
})
