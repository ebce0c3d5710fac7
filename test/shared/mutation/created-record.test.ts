import { describe, expect, it } from 'vitest'
import type { CollectionName } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import { adopted, isCreatedBy } from '#shared/mutation/created-record'

const factsFor = (collection: CollectionName) => factsOf().of(collection)

const creation = (collection: CollectionName, recordId: string, patch: JsonObject, more: Partial<OutboxEntry> = {}) =>
  ({ kind: 'create', collection, parent: 'p', recordId, patch, ...more }) as OutboxEntry
const record = (collection: CollectionName, id: string, value: JsonObject | null): RemoteRecord => ({
  collection,
  parent: 'p',
  id,
  value,
})

describe('a record from a creation with an unknown outcome', () => {
  const task = creation('tasks', 'local:1', { title: 'Call', notes: '', due: '2026-06-10T00:00:00.000Z' })
  const sent = { title: 'Call', due: '2026-06-10T08:00:00.000Z' }
  const isTask = (value: JsonObject | null, entry: OutboxEntry = task): boolean =>
    isCreatedBy(factsFor('tasks'), entry, record('tasks', 'x', value))

  it('has the same visible values, with empty as absent and due dates by day', () => {
    expect(isTask(sent)).toBe(true)
    expect(isTask({ ...sent, notes: null as never })).toBe(true)
    expect(isTask({ ...sent, title: 'Write' })).toBe(false)
    expect(isTask({ ...sent, notes: 'now' })).toBe(false)
    expect(isTask({ ...sent, due: '2026-06-11T00:00:00.000Z' })).toBe(false)
  })

  it("isn't deleted, in another list or collection, or from another change", () => {
    expect(isTask(null)).toBe(false)
    expect(isTask(sent, { ...task, kind: 'change' })).toBe(false)
    expect(isTask(sent, { ...task, parent: 'other' })).toBe(false)
    expect(isTask(sent, { ...task, collection: 'tasklists' })).toBe(false)
  })

  it('has the ID that was chosen, and the same values if another computer may choose it, too', () => {
    const isEvent = (more: Partial<OutboxEntry>): boolean =>
      isCreatedBy(
        factsFor('events'),
        creation('events', 'e1', { summary: 'Lunch' }, more),
        record('events', 'e1', { id: 'e1', summary: 'Dinner' }),
      )
    expect(isEvent({})).toBe(true)
    expect(isEvent({ blind: true })).toBe(false)
  })

  it('is new, and in the requested place', () => {
    expect(isTask(sent, { ...task, twins: ['x'] })).toBe(false)
    expect(isTask(sent, { ...task, twins: ['y'] })).toBe(true)
    expect(isTask({ ...sent, parent: 'above' })).toBe(false)
    expect(isTask({ ...sent, parent: 'above' }, { ...task, place: { parent: 'above' } })).toBe(true)
  })

  it('has no other values if the old state is unknown', () => {
    const blind = creation('tasks', 'local:1', { title: 'Call', status: 'completed' }, { blind: true })
    expect(isTask({ title: 'Call', status: 'completed' }, blind)).toBe(true)
    expect(isTask({ title: 'Call', status: 'needsAction' }, blind)).toBe(false)
  })

  it('has the client-generated ID if there is one', () => {
    const event = creation('events', 'ours', { summary: 'Lunch' })
    const isEvent = (id: string): boolean =>
      isCreatedBy(factsFor('events'), event, record('events', id, { summary: '' }))
    expect([isEvent('ours'), isEvent('theirs')]).toEqual([true, false])
  })

  it('has the ID and values of its content, if IDs come from content', () => {
    const scope = { type: 'user', value: 'mina@example.com' }
    const rule = creation('acl', 'user:mina@example.com', { role: 'reader', scope })
    const isRule = (id: string, role: string): boolean =>
      isCreatedBy(factsFor('acl'), rule, record('acl', id, { role, scope }))
    expect(isRule('user:mina@example.com', 'reader')).toBe(true)
    expect(isRule('user:mina@example.com', 'writer')).toBe(false)
    expect(isRule('user:jonas@example.com', 'reader')).toBe(false)
  })
})

describe('a creation whose record was found', () => {
  it('is confirmed if equal, and lists the differences otherwise', () => {
    const entry = creation('events', 'e', { summary: 'Lunch', location: 'Nord' })
    const same = record('events', 'e', { summary: 'Lunch', location: 'Nord', created: 'now' })
    expect(adopted(factsFor('events'), entry, same)).toEqual({ kind: 'confirmed', records: [same] })
    const other = record('events', 'e', { summary: 'Lunch', location: 'Süd' })
    expect(adopted(factsFor('events'), entry, other)).toEqual({
      kind: 'merged',
      records: [other],
      receipt: { mine: [], theirs: ['location'], combined: [] },
    })
  })
})
