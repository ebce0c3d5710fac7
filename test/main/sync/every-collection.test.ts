import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Collection } from '#shared/facts/collection'
import { factsOf } from '#shared/facts/facts'
import { fieldsOfId, idFromContent, placeParams } from '#shared/facts/ids'
import type { Json, JsonObject } from '#shared/json'
import type { OutboxEntry, Outcome, RemoteRecord } from '#shared/mutation/entry'
import { systemClock } from '#shared/time/clock'
import { versionsOf } from '#shared/wire/services'
import { createClient, type Client } from '../../../src-main/services/client'
import { tableCall } from '../../../src-main/sync/pull'
import { actions } from '../../../src-main/actions/actions'
import { push } from '../../../src-main/sync/push'
import { readMany, readRecord } from '../../../src-main/sync/read'
import { TraffickingRecords } from '../../helpers/records'
import { startService, type TestService } from '../../helpers/service'
import { someEntry } from '../../helpers/some-entry'

/** Every writable collection of both trafficking versions. What an entry needs follows from the facts. */
describe.each(versionsOf('trafficking'))('pushing to trafficking %s', (version) => {
  let service: TestService
  let client: Client
  let records: TraffickingRecords

  beforeAll(async () => {
    service = await startService({ seed: 'demo' })
    const { sandbox } = service
    const now = systemClock.now
    client = createClient({
      baseUrl: () => sandbox.baseUrl,
      token: () => sandbox.token,
      versions: { trafficking: version },
      fetch,
      now,
    })
    records = new TraffickingRecords(client, sandbox.ids, now)
    await records.findKnownIds()
  })
  afterAll(() => service.stop())
  beforeEach(() => service.order('DELETE', '/trouble'))

  let number = 0
  const entryOf = (collection: Collection, more: Partial<OutboxEntry>): OutboxEntry =>
    someEntry({
      id: `entry-${++number}`,
      collection: collection.name,
      parent: records.parentOf(collection),
      recordId: `local:${number}`,
      label: 'An edit',
      ...more,
    })
  const send = (entry: OutboxEntry, seen?: RemoteRecord): Promise<Outcome> =>
    push({ actions, client, now: systemClock.now, ...(seen && { seen }) }, entry)
  const current = (collection: Collection, { id }: RemoteRecord): Promise<RemoteRecord> =>
    readRecord(client, collection.name, records.parentOf(collection), id)

  const creation = async (collection: Collection): Promise<OutboxEntry> => {
    const patch = (await records.newBody(collection))!
    const recordId = idFromContent(collection, patch)
    return entryOf(collection, { kind: 'create', patch, complete: false, ...(recordId ? { recordId } : { twins: [] }) })
  }
  async function made(collection: Collection): Promise<RemoteRecord> {
    if (!collection.insert) {
      const [first] = await records.list(collection)
      return current(collection, { id: String(first!['id']) } as RemoteRecord)
    }
    const outcome = await send(await creation(collection))
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ kind: 'confirmed' })
    return (outcome as { records: RemoteRecord[] }).records[0]!
  }
  /** Changes a field as someone else, with a separate call. */
  async function elsewhere(collection: Collection, record: RemoteRecord, change: JsonObject): Promise<void> {
    const id = collection.patch ?? collection.update!
    const params = placeParams(collection, id, records.parentOf(collection), record.id, client.versions)
    const body = collection.patch ? change : { ...record.value, ...change }
    await tableCall(client)(id, params, { body: body as never })
  }
  const change = (collection: Collection, record: RemoteRecord, patch: JsonObject): OutboxEntry =>
    entryOf(collection, { recordId: record.id, base: record.value, patch })
  async function equals(collection: Collection, patch: JsonObject): Promise<number> {
    const title = collection.title ?? collection.seen[0]!
    const all: JsonObject[] = await records.list(collection)
    return all.filter(
      (one) => collection.seen.every((field) => one[field] === patch[field]) && one[title] === patch[title],
    ).length
  }

  const writable = factsOf({ trafficking: version }).all.filter((one) => one.service === 'trafficking' && one.writable)
  const changeable = writable.filter((one) => (one.patch ?? one.update) && one.name !== 'remarketingListShares')

  it.each(writable.filter(({ insert }) => insert).map((one) => [one.name, one] as const))(
    '%s: a creation with a lost response makes no second copy',
    async (_name, collection) => {
      const entry = await creation(collection)
      await service.order('POST', '/trouble', { operation: collection.insert!, drop: 'after', count: 1 })
      expect(await send(entry)).toMatchObject({ kind: 'retry', unknown: true })
      const second = await send({ ...entry, unknownOutcome: true })
      expect(second.kind, JSON.stringify(second)).toMatch(/confirmed|merged/)
      const [record] = (second as { records: RemoteRecord[] }).records
      if (collection.ids === 'service') expect(await equals(collection, record!.value!)).toBe(1)
      else expect(record!.value).toMatchObject(fieldsOfId(collection, entry.recordId))
    },
  )

  it.each(changeable.map((one) => [one.name, one] as const))(
    "%s: a change arrives, merges with another's, and asks about the same field",
    async (_name, collection) => {
      const record = await made(collection)
      const [first, second] = records.editsOf(collection, record.value!)
      expect(first, 'something of it can be edited').toBeDefined()
      const { field, values } = first!
      const [mine, theirs] = distinct(values, record.value![field])
      const sent = await send(change(collection, record, { [field]: mine }))
      expect(sent, JSON.stringify(sent)).toMatchObject({ kind: 'confirmed' })
      const after = await current(collection, record)
      expect(after.value![field]).toEqual(mine)

      // One user can only set the other of two values, so there's nothing to conflict.
      if (typeof theirs !== 'string' || collection.table.schemas[collection.schema]!.fields[field]!.enum) return
      await elsewhere(collection, after, { [field]: theirs })
      const third = `${theirs}.x`
      const asked = await send(change(collection, after, { [field]: third }))
      expect(asked, JSON.stringify(asked)).toMatchObject({ kind: 'conflict', fields: [field] })
      expect((await current(collection, record)).value![field], 'nothing was overwritten').toEqual(theirs)

      if (!second) return expect(onlyOneField).toContain(collection.name)
      const before = await current(collection, record)
      const [yours] = distinct(second.values, before.value![second.field])
      await elsewhere(collection, before, { [second.field]: yours })
      const merged = await send(change(collection, before, { [field]: mine }))
      expect(merged, JSON.stringify(merged)).toMatchObject({ kind: 'merged' })
      expect((await current(collection, record)).value).toMatchObject({ [field]: mine, [second.field]: yours })
    },
  )

  it.each(writable.filter(({ ends }) => ends === 'delete').map((one) => [one.name, one] as const))(
    '%s: a deletion arrives, or counts as done if already deleted or its response was lost',
    async (_name, collection) => {
      const record = await made(collection)
      const entry = entryOf(collection, { kind: 'delete', recordId: record.id, base: record.value })
      await service.order('POST', '/trouble', { operation: collection.delete!, drop: 'after', count: 1 })
      expect((await send(entry)).kind).toBe('retry')
      expect((await send({ ...entry, unknownOutcome: true })).kind).toBe('confirmed')
      expect((await current(collection, record)).value).toBeNull()
      expect((await send(entry)).kind).toBe('confirmed')
    },
  )

  it.each(writable.filter(({ ends }) => ends === 'archive').map((one) => [one.name, one] as const))(
    '%s: can be archived and unarchived',
    async (_name, collection) => {
      const record = await made(collection)
      for (const archived of [true, false]) {
        const before = await current(collection, record)
        expect((await send(change(collection, before, { archived }))).kind).toBe('confirmed')
        expect((await current(collection, record)).value!['archived']).toBe(archived)
      }
    },
  )

  it('many changes cost one combined read and one write each', async () => {
    const placements = records.facts.of('placements')
    const some = (await records.list(placements)).slice(0, 60).map(({ id }) => String(id))
    const since = (await service.requests()).length
    const { records: seen, units } = await readMany(client, 'placements', records.parentOf(placements), some)
    expect(units).toBe(1)
    for (const record of seen) {
      const sent = await send(change(placements, record, { comment: 'Checked' }), record)
      expect(sent.kind).toBe('confirmed')
    }
    const calls = (await service.requests()).slice(since).map(({ operation }) => operation)
    expect(calls).toHaveLength(61)
  })
})

/** Collections with a single writable field: no one can change another one in the meantime. */
const onlyOneField: readonly string[] = [
  'advertiserGroups',
  'contentCategories',
  'creativeFields',
  'creativeFieldValues',
  'creativeGroups',
  'placementStrategies',
  'sites',
  'subaccounts',
  'targetingTemplates',
  'trackingActivityGroups',
  'trackingConfigurations',
  'userRoles',
]

/** Two values the field doesn't have, the first for us. */
function distinct([one, other]: [Json, Json], now: Json | undefined): [Json, Json] {
  return one === now ? [other, one] : [one, other]
}
