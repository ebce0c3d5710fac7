import { readdir } from 'node:fs/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import { FaultError } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { systemClock } from '#shared/time/clock'
import type { Change, Rehearsal } from '../../src-renderer/replica/api'
import { rehearse } from '../../src-renderer/sync/rehearsal'
import { deviceOf, type Device } from '../helpers/device'
import { cases, drawSeed } from '../helpers/ring'
import type { TestService } from '../helpers/service'
import { accountForFile, openAccount } from '../helpers/whole-account'
import { seeded } from './model/clock'

// A rehearsal ends for each draft as the real post does, and nothing changes.

const account = accountForFile()

const dayMs = 86_400_000
const day = (days: number): string => new Date(systemClock.now() + days * dayMs).toISOString().slice(0, 10)

async function discardAll({ replica }: Device): Promise<void> {
  for (const { id } of [...replica.outbox()].reverse()) await replica.withdraw(id).catch(() => undefined)
}
afterEach(() => discardAll(account.device))

const rehearsed = (device: Device, ids = device.replica.outbox().map(({ id }) => id)): Promise<Rehearsal> =>
  rehearse(device.replica, device.bridge, ids)

async function listed(
  collection: 'advertisers' | 'campaigns' | 'placements' | 'ads' | 'creatives' | 'advertiserLandingPages',
): Promise<JsonObject[]> {
  const { service, profile } = account
  const answer = await service.client.call(`trafficking.${collection}.list`, { profileId: profile })
  const body = answer.body as JsonObject
  return (body[collection] ?? body['landingPages']) as JsonObject[]
}

/** Calls to the account’s service, except for lists, which the computer reads now and then. */
const callsOf = async (service: TestService): Promise<string[]> =>
  (await service.requests()).flatMap(({ operation }) => (operation.endsWith('.list') ? [] : operation))

/** How an entry ended, in words that both can be compared by. */
const ending = (entry: OutboxEntry | undefined): unknown => {
  if (!entry) return 'accepted'
  const { state, fault, conflict } = entry
  // A new record has another ID in each, so a rehearsal names it.
  return [state, fault?.message.replace(/“Page [\d.e-]+”|\d{6,}/g, '#'), fault?.location, conflict?.fields]
}

/** Entries that can't be sent, with those that wait for them. */
function stuck(entries: readonly OutboxEntry[]): boolean {
  const ids = new Set(entries.filter(({ state }) => state === 'needsYou').map(({ id }) => id))
  for (let before = -1; before !== ids.size;) {
    before = ids.size
    for (const { id, dependsOn } of entries) if (dependsOn.some((one) => ids.has(one))) ids.add(id)
  }
  return entries.every(({ id }) => ids.has(id))
}

/** Valid and invalid edits of what a demo account has. */
async function draw(seed: number, count: number): Promise<Change[]> {
  const { profile, device } = account
  const { replica } = device
  const random = seeded(seed)
  const [campaigns, placements, ads, creatives] = [
    (await listed('campaigns')).filter(({ archived }) => archived !== true),
    await listed('placements'),
    (await listed('ads')).filter(({ type }) => type === 'AD_SERVING_STANDARD_AD'),
    await listed('creatives'),
  ]
  const some = (list: readonly JsonObject[]): JsonObject => list[Math.floor(random() * list.length)]!
  const change = (collection: CollectionName, { id }: JsonObject, patch: JsonObject): Change[] => [
    { kind: 'change', key: recordKey(collection, profile, String(id)), patch },
  ]
  const create = (collection: CollectionName, value: JsonObject, id = replica.newLocalId()): Change => ({
    ...{ kind: 'create', collection, parent: profile, id, value },
  })
  const newPlacement = (campaignId: string, more: JsonObject): JsonObject => {
    const { siteId, size, tagFormats, paymentSource } = some(placements)
    const pricingSchedule = { startDate: day(20), endDate: day(30), pricingType: 'PRICING_TYPE_CPM' }
    return {
      ...{ campaignId, compatibility: 'DISPLAY', siteId: siteId!, size: size!, tagFormats: tagFormats! },
      ...{ paymentSource: paymentSource!, pricingSchedule, name: `New ${random()}`, ...more },
    }
  }
  const newCampaign = (more: JsonObject): { id: string; make: Change } => {
    const id = replica.newLocalId()
    const { advertiserId } = some(campaigns)
    const value = {
      advertiserId: advertiserId!,
      name: `New ${random()}`,
      startDate: day(10),
      endDate: day(90),
      ...more,
    }
    return { id, make: create('campaigns', value, id) }
  }
  const ways: (() => Change[])[] = [
    () => change('placements', some(placements), { comment: `Comment ${random()}` }),
    () => change('placements', some(placements), { name: random() < 0.5 ? ' ' : `Renamed ${random()}` }),
    () => {
      const one = some(placements)
      const endDate = day(Math.floor(random() * 400))
      return change('placements', one, { pricingSchedule: { ...(one['pricingSchedule'] as JsonObject), endDate } })
    },
    () => change('placements', some(placements), { advertiserId: some(campaigns)['advertiserId']! }),
    () => change('campaigns', some(campaigns), { endDate: day(Math.floor(random() * 500) - 100) }),
    () => change('campaigns', some(campaigns), { name: String(some(campaigns)['name']) }),
    () =>
      change('ads', some(ads), { endTime: new Date(systemClock.now() + (random() * 60 - 20) * dayMs).toISOString() }),
    () => {
      const one = some(ads)
      const placement = { placementId: some(placements)['id']!, active: true }
      return change('ads', one, {
        placementAssignments: [...((one['placementAssignments'] as JsonObject[]) ?? []), placement],
      })
    },
    () => {
      const one = some(ads)
      const rotation = one['creativeRotation'] as JsonObject
      const creative = { creativeId: some(creatives)['id']!, active: true }
      const creativeAssignments = [...((rotation['creativeAssignments'] as JsonObject[]) ?? []), creative]
      return change('ads', one, { creativeRotation: { ...rotation, creativeAssignments } })
    },
    () => change('ads', some(ads), { archived: random() < 0.5 }),
    () => [create('placements', newPlacement(String(some(campaigns)['id']), random() < 0.5 ? {} : { name: '' }))],
    () => {
      // The campaign of a new placement is rejected or not, and its end date decides about the placement.
      const { id, make } = newCampaign(random() < 0.4 ? { endDate: day(5) } : { endDate: day(25 + random() * 20) })
      return [make, create('placements', newPlacement(id, {}))]
    },
    () => {
      const { advertiserId } = some(campaigns)
      const page = replica.newLocalId()
      const value = { advertiserId: advertiserId!, name: `Page ${random()}`, url: 'https://www.example/' }
      return [
        create('advertiserLandingPages', value, page),
        ...change('campaigns', some(campaigns), { defaultLandingPageId: page }),
      ]
    },
    () => change('creatives', some(creatives), { name: random() < 0.3 ? '' : `Creative ${random()}` }),
    () => [
      {
        kind: 'change',
        key: recordKey('ads', profile, String(some(ads)['id'])),
        patch: { campaignId: String(some(campaigns)['id']) },
      },
    ],
  ]
  const drawn = Array.from({ length: count }, () => ways[Math.floor(random() * ways.length)]!()).flat()
  // A placement always waits for a campaign that is rejected, whatever was drawn.
  const { id, make } = newCampaign({ endDate: day(5) })
  return [...drawn, make, create('placements', newPlacement(id, {}))]
}

describe('a rehearsal', () => {
  it('ends for each draft as the real post does', async () => {
    const { device, service } = account
    const { replica } = device
    let [accepted, rejected, waiting] = [0, 0, 0]
    for (let round = 0; round < cases(2, 20); round++) {
      await device.settled()
      // One after the other, because an edit of a record takes in the one before it.
      for (const change of await draw(drawSeed * 1_000 + round, cases(40, 200)))
        await replica.edit([change], { label: `Draw ${round}` })
      const ids = replica.outbox().map(({ id }) => id)
      const before = structuredClone(replica.outbox())
      const calls = await callsOf(service)
      const result = await rehearsed(device, ids)
      expect(structuredClone(replica.outbox())).toEqual(before)
      expect(await callsOf(service)).toEqual(calls)
      expect([...result.untried]).toEqual([])
      await replica.post(ids)
      await device.until('all are sent or stuck', ({ outbox }) => stuck(outbox.call(replica)), 200_000)
      const now = new Map(replica.outbox().map((entry) => [entry.id, entry]))
      const labels = (of: (id: string) => unknown): unknown[] =>
        before.map(({ id, collection, kind, patch }) => [collection, kind, JSON.stringify(patch), of(id)])
      expect(labels((id) => ending(result.left.get(id)))).toEqual(labels((id) => ending(now.get(id))))
      accepted += ids.filter((id) => !now.has(id)).length
      rejected += [...now.values()].filter(({ state }) => state === 'needsYou').length
      waiting += [...now.values()].filter(({ state }) => state === 'waiting').length
      await discardAll(device)
    }
    expect(accepted).toBeGreaterThan(20)
    expect(rejected).toBeGreaterThan(10)
    expect(waiting).toBeGreaterThan(0)
  }, 1_200_000)

  it('works offline, and leaves no files behind', async () => {
    const { device, profile } = account
    const { replica } = device
    const rows = await replica.table('placements', { parent: profile, columns: ['name'] })
    await replica.setOffline(true)
    try {
      const edit = (row: number, patch: JsonObject): Change => ({ kind: 'change', key: rows.key(row), patch })
      await replica.edit([edit(0, { comment: 'Fine' }), edit(1, { name: ' ' })], { label: 'Edit' })
      const { left, untried } = await rehearsed(device)
      expect([...left.values()].map(ending)).toEqual([['needsYou', '11004 : Required field: name', 'name', undefined]])
      expect(untried.size).toBe(0)
      await expect.poll(() => readdir(device.rehearsals)).toEqual([])
    } finally {
      await replica.setOffline(false)
    }
  })

  it('only tries the chosen drafts and those that they need', async () => {
    const { device, profile } = account
    const { replica } = device
    const [advertiser] = await listed('advertisers')
    const id = replica.newLocalId()
    const value = { advertiserId: String(advertiser!['id']), name: 'Page', url: 'https://www.example/' }
    const rows = await replica.table('placements', { parent: profile, columns: ['name'] })
    await replica.edit([{ kind: 'change', key: rows.key(1), patch: { name: ' ' } }], { label: 'Not chosen' })
    await replica.edit([{ kind: 'create', collection: 'advertiserLandingPages', parent: profile, id, value }], {
      label: 'Page',
    })
    const campaigns = await listed('campaigns')
    const campaign = campaigns.find(
      ({ advertiserId, archived }) => advertiserId === advertiser!['id'] && archived !== true,
    )!
    const key = recordKey('campaigns', profile, String(campaign['id']))
    await replica.edit([{ kind: 'change', key, patch: { defaultLandingPageId: id } }], { label: 'Chosen' })
    const drafts = replica.outbox()
    const { left } = await rehearsed(device, [drafts.at(-1)!.id])
    expect([...left.values()]).toEqual([])
  })

  it('takes records that are too long for one message', async () => {
    const { device, profile } = account
    const { replica } = device
    const { value } = replica.peek(recordKey('userProfiles', null, profile))!
    const begun = await device.bridge.ask('rehearsal/begin', { accountId: replica.account.id, profile: value! })
    if (!begun.ok) throw new FaultError(begun.fault)
    const { id } = begun.value
    const records = Array.from({ length: 500 }, (_, at) => ({
      ...{ collection: 'creatives' as const, id: String(at) },
      value: { htmlCode: 'ü'.repeat(20_000) },
    }))
    expect(await device.bridge.ask('rehearsal/load', { id, records })).toEqual({ ok: true, value: null })
    await device.bridge.ask('rehearsal/end', { id })
  })

  it('doesn’t need the profiles of other changes', async () => {
    const { device, profile } = account
    const { replica } = device
    const rows = await replica.table('placements', { parent: profile, columns: ['name'] })
    await replica.setOffline(true)
    try {
      // A profile that the account no longer has.
      const value = { advertiserId: '1', name: 'Page', url: 'https://www.example/' }
      const lost = { collection: 'advertiserLandingPages' as const, parent: '999', id: replica.newLocalId(), value }
      await replica.edit([{ kind: 'create', ...lost }], { label: 'Lost' })
      await replica.post()
      await replica.edit([{ kind: 'change', key: rows.key(0), patch: { comment: 'x' } }], { label: 'Edit' })
      const { left } = await rehearsed(device, [replica.outbox().at(-1)!.id])
      expect([...left.keys()]).toEqual([])
    } finally {
      await discardAll(device)
      await replica.setOffline(false)
    }
  })

  it('stops on request', async () => {
    const { device, profile } = account
    const rows = await device.replica.table('placements', { parent: profile, columns: ['name'] })
    await device.replica.edit([{ kind: 'change', key: rows.key(0), patch: { comment: 'x' } }], { label: 'Edit' })
    const control = new AbortController()
    const ids = device.replica.outbox().map(({ id }) => id)
    const running = rehearse(device.replica, device.bridge, ids, {
      signal: control.signal,
      onprogress: () => control.abort(new Error('Stopped')),
    })
    await expect(running).rejects.toThrow('Stopped')
    await expect.poll(() => readdir(device.rehearsals)).toEqual([])
  })

  it('speaks the version of the account', async () => {
    const device = await deviceOf(account.service, { account: { versions: { trafficking: 'v3.3' } } })
    try {
      const { replica } = device
      await replica.download({ parent: account.profile, what: 'all' })
      await device.until('everything', () => replica.downloads().every(({ state }) => state === 'ready'))
      const rows = await replica.table('placements', { parent: account.profile, columns: ['name'] })
      const edit = (row: number, patch: JsonObject): Change => ({ kind: 'change', key: rows.key(row), patch })
      // v3.3 limits names to 255 characters.
      await replica.edit([edit(0, { name: 'n'.repeat(255) }), edit(1, { name: 'n'.repeat(256) })], { label: 'Edit' })
      const { left } = await rehearsed(device)
      expect([...left.values()].map(({ recordId, fault }) => [recordId, fault?.location])).toEqual([
        [rows.key(1).split('\n').at(-1), 'name'],
      ])
    } finally {
      await device.close()
    }
  })
})

describe('without all records on this computer', () => {
  it('says what couldn’t be tried instead of rejecting it', async () => {
    const { service, device, profile, close } = await openAccount()
    try {
      const { replica } = device
      const answer = await service.client.call('trafficking.campaigns.list', { profileId: profile })
      const [campaign, other] = (answer.body as JsonObject)['campaigns'] as JsonObject[]
      await replica.download({ parent: profile, what: { collection: 'campaigns', id: String(campaign!['id']) } })
      await device.until('one campaign', () => replica.downloads().every(({ state }) => state === 'ready'))
      const rows = await replica.table('ads', { parent: profile, columns: ['name'] })
      const elsewhere = (
        (
          await service.client.call('trafficking.placements.list', {
            profileId: profile,
            campaignIds: [String(other!['id'])],
          })
        ).body as JsonObject
      )['placements'] as JsonObject[]
      const placementAssignments = [{ placementId: elsewhere[0]!['id']!, active: true }]
      await replica.edit([{ kind: 'change', key: rows.key(0), patch: { placementAssignments } }], { label: 'Edit' })
      const ids = replica.outbox().map(({ id }) => id)
      const { untried } = await rehearsed(device)
      expect([...untried]).toEqual(ids)
    } finally {
      await close()
    }
  })
})
