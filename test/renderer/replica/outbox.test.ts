import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collections, recordKey } from '#shared/domain/collections'
import { keysOf, ownKey } from '#shared/mutation/fold'
import { renameId } from '#shared/mutation/rename'
import type { OutboxEntry } from '#shared/mutation/entry'
import { Outbox } from '../../../src-renderer/replica/outbox'
import { entryOf } from './store.conformance'

const ids = Array.from({ length: 12 }, (_unused, n) => String(10 + n))
const records = ['e1', 'e2', 'local:A', 'local:B', 'local:A_20260310T090000Z', 'e1_20260311']

const anEntry = fc
  .record({
    id: fc.constantFrom(...ids),
    collection: fc.constantFrom('events' as const, 'tasks' as const),
    parent: fc.constantFrom('cal', 'local:A', null),
    recordId: fc.constantFrom(...records),
    kind: fc.constantFrom('create' as const, 'change' as const, 'delete' as const),
    state: fc.constantFrom('waiting' as const, 'waiting' as const, 'sending' as const, 'needsYou' as const),
    dependsOn: fc.subarray([...ids, 'gone'], { maxLength: 3 }),
    shows: fc.option(
      fc
        .subarray(records, { maxLength: 2 })
        .map((shown) => shown.map((id) => ({ key: recordKey('tasks', 'list', id), patch: { note: id } }))),
      { nil: undefined },
    ),
    group: fc.constantFrom('g1', 'g2'),
    mails: fc.constantFrom(0, 2),
    unknownOutcome: fc.boolean(),
  })
  .map(({ id, shows, ...more }) => entryOf(id, { ...more, ...(shows && { shows }) }))
const aStep = fc.oneof(
  { weight: 3, arbitrary: anEntry.map((entry) => ({ entry, id: entry.id })) },
  { weight: 1, arbitrary: fc.constantFrom(...ids).map((id) => ({ id, entry: undefined })) },
)

/** Entries that may be sent, by a full scan. */
function sendable(entries: readonly OutboxEntry[], unknown: readonly { id: string; key: string }[]): string[] {
  const waiting = new Set([...entries, ...unknown].map((entry) => entry.id))
  return entries
    .filter((entry) => entry.state === 'waiting' && !entry.dependsOn.some((id) => id !== entry.id && waiting.has(id)))
    .filter((entry) => {
      const before = [...entries.map((other) => ({ id: other.id, key: ownKey(other) })), ...unknown]
      return !before.some((other) => other.key === ownKey(entry) && other.id < entry.id)
    })
    .map(({ id }) => id)
}

describe('the outbox index', () => {
  it('finds the same entries as a full scan after any steps', () => {
    const unknown = [{ id: '13', key: recordKey('events', 'cal', 'e2') }]
    fc.assert(
      fc.property(fc.array(aStep, { maxLength: 60 }), fc.boolean(), (steps, withUnknown) => {
        const outbox = new Outbox()
        const known = new Map<string, OutboxEntry>()
        for (const [number, { id, entry }] of steps.entries()) {
          if (withUnknown && number === 20) outbox.setUnknown(unknown)
          if (entry) known.set(id, entry)
          else known.delete(id)
          if (entry) outbox.put(entry)
          else outbox.delete(id)
        }
        const strange = withUnknown && steps.length > 20 ? unknown : []
        const all = [...known.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
        const where = (test: (entry: OutboxEntry) => boolean): OutboxEntry[] => all.filter(test)
        expect(outbox.list()).toEqual(all)
        expect([outbox.size, outbox.unknown, outbox.needsYou]).toEqual([
          all.length,
          strange.length,
          where(({ state }) => state === 'needsYou').length,
        ])
        for (const service of ['calendar', 'tasks'] as const) {
          const own = where((entry) => collections[entry.collection].service === service)
          expect(outbox.sending(service)).toBe(own.filter(({ state }) => state === 'sending').length)
          const ready = sendable(all, strange).filter((id) => own.some((entry) => entry.id === id))
          expect([...outbox.sendable(service)].map(({ id }) => id)).toEqual(ready)
        }
        for (const id of ids) {
          expect(outbox.find('waitsFor', id)).toEqual(where(({ dependsOn }) => dependsOn.includes(id)))
          expect(outbox.isSendable(id)).toBe(sendable(all, strange).includes(id))
          const entry = known.get(id)
          const ended = entry?.dependsOn.filter(
            (other) => other === id || ![...all, ...strange].some((one) => one.id === other),
          )
          if (entry) expect(outbox.halfEnded(id)).toBe(ended!.length * 2 >= entry.dependsOn.length)
        }
        for (const record of records) {
          expect(outbox.find('record', record)).toEqual(where(({ recordId }) => recordId === record))
          const key = recordKey('tasks', 'list', record)
          expect(outbox.find('shows', key)).toEqual(where((entry) => keysOf(entry).includes(key)))
          if (record.startsWith('local:') && !record.includes('_'))
            expect(outbox.find('local', record)).toEqual(where((entry) => renameId(entry, record, 'x') !== entry))
        }
        expect(outbox.findAny(['parent', 'local:A'], ['record', 'local:A'])).toEqual(
          where(({ parent, recordId }) => parent === 'local:A' || recordId === 'local:A'),
        )
        expect(outbox.last('group', 'g1')).toEqual(where(({ group }) => group === 'g1').at(-1))
        expect(outbox.any('mails', 'g2')).toBe(where(({ group, mails }) => group === 'g2' && mails > 0).length > 0)
        expect(outbox.find('mayBeMade', '')).toEqual(
          where(({ kind, unknownOutcome, state }) => kind === 'create' && (unknownOutcome || state === 'sending')),
        )
      }),
      { numRuns: 300 },
    )
  })

  it('returns the same list until something changes', () => {
    const outbox = new Outbox()
    outbox.put(entryOf('1'))
    const list = outbox.list()
    expect(outbox.list()).toBe(list)
    outbox.put(entryOf('1', { label: 'Other' }))
    expect(outbox.list()).not.toBe(list)
  })
})
