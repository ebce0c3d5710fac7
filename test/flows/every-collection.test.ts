import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { idFromContent, placeParams } from '#shared/facts/ids'
import { faultOf } from '#shared/fault'
import type { Json, JsonObject } from '#shared/json'
import { ownKey } from '#shared/mutation/fold'
import type { OutboxEntry } from '#shared/mutation/entry'
import { systemClock } from '#shared/time/clock'
import { versionsOf } from '#shared/wire/services'
import { createClient, type Client } from '../../src-main/services/client'
import { tableCall } from '../../src-main/sync/pull'
import { readRecord } from '../../src-main/sync/read'
import type { Change, Replica } from '../../src-renderer/replica/api'
import { openDevice, type Device } from '../helpers/device'
import { TraffickingRecords } from '../helpers/records'
import { drawn } from '../helpers/ring'
import { startService, type TestService } from '../helpers/service'

/** A record under test, and two of its fields with new values. */
interface Case {
  collection: Collection
  key: string
  field?: string
  values: [Json, Json]
  other?: { field: string; value: Json }
}

/**
 * What you can do with any campaign record, through the replica and back, in both versions and for every writable collection.
 * The steps build on each other. Each edits all collections at once, so that one posting sends them together.
 */
describe.each(drawn(versionsOf('trafficking'), 1))('every collection of trafficking %s', (version) => {
  let service: TestService
  let client: Client
  let records: TraffickingRecords
  let device: Device
  let cases: Case[] = []

  const replica = (): Replica => device.replica
  const made = (): Case[] => cases.filter(({ collection }) => collection.insert)
  const nameOf = ({ collection }: Case): string => collection.name
  const editable = (): Case[] => cases.filter(({ field }) => field !== undefined)
  const remote = async ({ collection, key }: Case): Promise<JsonObject | null> => {
    const { parent, id } = parseRecordKey(key)
    return (await readRecord(client, collection.name, parent, id)).value
  }
  const shown = async ({ key }: Case): Promise<JsonObject | null | undefined> => (await replica().read(key))?.value
  const edit = (changes: readonly Change[], label: string): Promise<{ keys: string[] }> =>
    replica().edit(changes, { label })
  const change = (all: readonly Case[], patch: (one: Case) => JsonObject): Promise<unknown> =>
    edit(
      all.map((one) => ({ kind: 'change', key: one.key, patch: patch(one) })),
      'A change',
    )
  /** Sends all pending changes. @returns what needs attention, by collection */
  async function posted(): Promise<OutboxEntry[]> {
    expect(
      replica()
        .outbox()
        .every(({ held }) => held),
      'every edit is a draft',
    ).toBe(true)
    await replica().post()
    return sent()
  }
  async function sent(): Promise<OutboxEntry[]> {
    await device.until(
      'all sent',
      ({ outbox }) => outbox.call(replica()).every(({ state }) => state === 'needsYou'),
      60_000,
    )
    return [...replica().outbox()]
  }
  const stuck = (entries: readonly OutboxEntry[]): string[] =>
    entries.map(({ collection, kind, fault, conflict }) => `${collection} ${kind} ${JSON.stringify(fault ?? conflict)}`)
  /** Changes a record as someone else, with a separate call. */
  async function elsewhere({ collection, key }: Case, patch: JsonObject): Promise<void> {
    const id = collection.patch ?? collection.update!
    const { parent, id: record } = parseRecordKey(key)
    const params = placeParams(collection, id, parent, record, client.versions)
    const body = collection.patch ? patch : { ...(await remote({ collection, key, values: [0, 0] })), ...patch }
    await tableCall(client)(id, params, { body: body as never })
  }
  /** Collections for which a check fails, with the reason. */
  async function failing(all: readonly Case[], test: (one: Case) => Promise<void>): Promise<string[]> {
    const failed: string[] = []
    for (const one of all) await test(one).catch((error: unknown) => failed.push(`${nameOf(one)}: ${String(error)}`))
    return failed
  }

  beforeAll(async () => {
    service = await startService({ seed: 'demo' })
    const { sandbox } = service
    const versions = { trafficking: version }
    const [baseUrl, token] = [() => sandbox.baseUrl, () => sandbox.token]
    client = createClient({ baseUrl, token, versions, fetch, now: systemClock.now })
    records = new TraffickingRecords(client, sandbox.ids, systemClock.now)
    await records.findKnownIds()
    device = await openDevice({ baseUrl, token, account: { versions } })
    await device.until('the profiles', () => replica().rows('userProfiles').length > 0)
    const key = await replica().download({ parent: sandbox.ids['profileId']!, what: 'all' })
    await device.until(
      'everything',
      () =>
        replica()
          .downloads()
          .find((one) => one.key === key)?.state === 'ready',
      60_000,
    )
  })
  afterAll(async () => {
    await device.close()
    await service.stop()
  })

  it("uses the account's version", () => {
    expect(replica().facts.of('placements').table.version).toBe(version)
    expect(records.writable().length).toBeGreaterThan(25)
  })

  const creations = async (wanted: (collection: Collection) => boolean): Promise<Change[]> => {
    const changes: Change[] = []
    for (const collection of records.writable().filter(wanted)) {
      const value = await records.newBody(collection)
      if (!value) continue
      const id = idFromContent(collection, value)
      const parent = records.parentOf(collection)
      changes.push({ kind: 'create', collection: collection.name, parent, value, ...(id && { id }) })
    }
    return changes
  }

  it("creates records: as drafts, undone and redone, sent with the service's IDs", async () => {
    const changes = await creations(() => true)
    await edit(changes, 'New')
    expect(replica().outbox()).toHaveLength(changes.length)
    await replica().undo()
    expect(replica().outbox()).toEqual([])
    await replica().redo()
    const keys = replica().outbox().map(ownKey)
    expect(keys).toHaveLength(changes.length)
    expect(stuck(await posted())).toEqual([])
    const finished = await replica().history(keys.length)
    expect(finished.map(({ how }) => how)).not.toContain('withdrawn')
    for (const key of keys) {
      const row = (await replica().read(key))!
      expect(row, key).toMatchObject({ mark: 'synced' })
      const collection = replica().facts.of(row.collection)
      cases.push({ collection, key: recordKey(row.collection, row.parent, row.id), values: [0, 0] })
    }
    expect(await failing(cases, async (one) => expect(await remote(one)).toMatchObject({}))).toEqual([])
  })

  it('changes a field, undoes it before and after sending, and sends it', async () => {
    for (const collection of records.writable()) {
      if (collection.insert || !(collection.patch ?? collection.update)) continue
      const [first] = await records.list(collection).catch(() => [])
      const id = first && String(first['id'])
      if (id)
        cases.push({ collection, key: recordKey(collection.name, records.parentOf(collection), id), values: [0, 0] })
    }
    for (const one of cases) {
      const now = (await shown(one))!
      expect(now, nameOf(one)).toBeTruthy()
      if (!(one.collection.patch ?? one.collection.update)) continue
      const [first, second] = records.editsOf(one.collection, now)
      if (!first) continue
      one.field = first.field
      one.values = distinct(first.values, now[first.field])
      if (second) one.other = { field: second.field, value: distinct(second.values, now[second.field])[0] }
    }
    const before = new Map<Case, Json | undefined>()
    for (const one of editable()) before.set(one, (await shown(one))![one.field!])
    const missing = records.writable().filter(({ name }) => !cases.some((one) => nameOf(one) === name))
    expect(
      missing.map(({ recordsOf }) => recordsOf),
      'each list has its own test of related records',
    ).toEqual(['remarketingLists'])
    const fixed = cases.filter(({ collection }) => !(collection.patch ?? collection.update)).map(nameOf)
    expect(cases.filter(({ field }) => !field).map(nameOf), 'only what nobody can change').toEqual(fixed)
    const mine = (one: Case): JsonObject => ({ [one.field!]: one.values[0] })
    await change(editable(), mine)
    expect(await failing(editable(), async (one) => expect(await shown(one)).toMatchObject(mine(one)))).toEqual([])
    await replica().undo()
    expect(replica().outbox()).toEqual([])
    await replica().redo()
    expect(stuck(await posted())).toEqual([])
    expect(await failing(editable(), async (one) => expect(await remote(one)).toMatchObject(mine(one)))).toEqual([])

    await replica().undo()
    expect(stuck(await posted())).toEqual([])
    const same = (a: Json | undefined, b: Json | undefined): void => expect(a || null).toEqual(b || null)
    expect(await failing(editable(), async (one) => same((await remote(one))![one.field!], before.get(one)))).toEqual(
      [],
    )
  })

  it("merges another's change to another field", async () => {
    const both = editable().filter(({ other }) => other)
    expect(both.length).toBeGreaterThan(5)
    await change(both, (one) => ({ [one.field!]: one.values[0] }))
    for (const one of both) await elsewhere(one, { [one.other!.field]: one.other!.value })
    expect(stuck(await posted())).toEqual([])
    const result = (one: Case): JsonObject => ({ [one.field!]: one.values[0], [one.other!.field]: one.other!.value })
    expect(await failing(both, async (one) => expect(await remote(one)).toMatchObject(result(one)))).toEqual([])
    expect(await failing(both, async (one) => expect(await shown(one)).toMatchObject(result(one)))).toEqual([])
  })

  it.each(['mine', 'theirs'] as const)('asks if both changed the same field, and ends with %s', async (keep) => {
    // One user can only set the other of two values, so there's nothing to conflict.
    const words = editable().filter(
      ({ collection: { table, schema }, values, field }) =>
        typeof values[0] === 'string' && !table.schemas[schema]!.fields[field!]!.enum,
    )
    expect(words.length).toBeGreaterThan(15)
    // One word each, since longer text would merge by word. An address must stay valid.
    const said = (value: Json, who: string): string =>
      String(value).startsWith('Edited') ? `${who}${keep}` : `${String(value)}.${keep}`
    const mine = (one: Case): string => said(one.values[0], 'Alex')
    const theirs = (one: Case): string => said(one.values[1], 'Mina')
    await change(words, (one) => ({ [one.field!]: mine(one) }))
    for (const one of words) await elsewhere(one, { [one.field!]: theirs(one) })
    const asked = await posted()
    expect(asked.map(ownKey).sort()).toEqual(words.map(({ key }) => key).sort())
    for (const entry of asked) expect(entry.conflict, entry.collection).toMatchObject({ fields: [expect.any(String)] })
    expect(await failing(words, async (one) => expect((await remote(one))![one.field!]).toBe(theirs(one)))).toEqual([])
    expect(await failing(words, async (one) => expect((await shown(one))![one.field!]).toBe(mine(one)))).toEqual([])
    for (const { id } of asked) await replica().resolve(id, { keep })
    expect(stuck(await sent())).toEqual([])
    const kept = keep === 'mine' ? mine : theirs
    expect(await failing(words, async (one) => expect((await remote(one))![one.field!]).toBe(kept(one)))).toEqual([])
    expect(await failing(words, async (one) => expect((await shown(one))![one.field!]).toBe(kept(one)))).toEqual([])
  })

  it('archives or deletes, and restores if possible', async () => {
    const ending = made().filter(({ collection }) => collection.ends !== 'never')
    const archived = ending.filter(({ collection }) => collection.ends === 'archive')
    const deleted = ending.filter(({ collection }) => collection.ends === 'delete')
    expect([archived.length, deleted.length].map((count) => count > 4)).toEqual([true, true])
    await edit(
      ending.map(({ key }) => ({ kind: 'delete', key })),
      'Archive or delete',
    )
    await replica().undo()
    expect(replica().outbox()).toEqual([])
    await replica().redo()
    expect(stuck(await posted())).toEqual([])
    expect(await failing(archived, async (one) => expect(await remote(one)).toMatchObject({ archived: true }))).toEqual(
      [],
    )
    expect(await failing(deleted, async (one) => expect(await remote(one)).toBeNull())).toEqual([])
    expect(await failing(deleted, async (one) => expect((await shown(one)) ?? null).toBeNull())).toEqual([])

    await replica().undo()
    const again = replica()
      .outbox()
      .filter(({ kind }) => kind === 'create')
      .map(ownKey)
    expect(again).toHaveLength(deleted.length)
    expect(stuck(await posted())).toEqual([])
    expect(
      await failing(archived, async (one) => expect(await remote(one)).toMatchObject({ archived: false })),
    ).toEqual([])
    for (const key of again) expect(await replica().read(key), key).toMatchObject({ mark: 'synced' })
  })

  it('changes sharing of a list, which has no list call', async () => {
    const [row] = replica().rows('remarketingListShares')
    const { collection, parent, id, key, value } = row!
    const advertisers = replica()
      .rows('advertisers')
      .map((one) => one.id)
    const sharedAdvertiserIds = advertisers
      .filter((one) => !value!['sharedAdvertiserIds']?.toString().includes(one))
      .slice(0, 1)
    await edit([{ kind: 'change', key, patch: { sharedAdvertiserIds } }], 'Share')
    expect(stuck(await posted())).toEqual([])
    expect((await readRecord(client, collection, parent, id)).value).toMatchObject({ sharedAdvertiserIds })
    await replica().undo()
    expect(stuck(await posted())).toEqual([])
    expect((await readRecord(client, collection, parent, id)).value!['sharedAdvertiserIds'] ?? []).toEqual(
      value!['sharedAdvertiserIds'] ?? [],
    )
  })

  it('reverts a sent creation by archiving or deleting', async () => {
    await edit(await creations(({ ends }) => ends !== 'never'), 'New')
    const keys = replica().outbox().map(ownKey)
    expect(stuck(await posted())).toEqual([])
    const there = await Promise.all(keys.map((key) => replica().read(key)))
    await replica().undo()
    expect(replica().outbox()).toHaveLength(keys.length)
    expect(stuck(await posted())).toEqual([])
    for (const row of there) {
      const { collection, parent, id } = row!
      const { value } = await readRecord(client, collection, parent, id)
      if (replica().facts.of(collection).ends === 'delete') expect(value, collection).toBeNull()
      else expect(value, collection).toMatchObject({ archived: true })
    }
  })

  it('rejects deleting permanent records without a change', async () => {
    const kept = made().filter(({ collection }) => collection.ends === 'never')
    for (const { key, collection } of kept) {
      const fault = await edit([{ kind: 'delete', key }], 'Delete').catch(faultOf)
      expect(fault, collection.name).toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('can’t delete'),
      })
    }
    expect(replica().outbox()).toEqual([])
  })
})

/** Two values the field doesn't have, the first for us. */
function distinct([one, other]: [Json, Json], now: Json | undefined): [Json, Json] {
  return one === now ? [other, one] : [one, other]
}
