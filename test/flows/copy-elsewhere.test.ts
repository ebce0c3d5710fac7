import { expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import { referencesIn } from '#shared/facts/references'
import type { JsonObject } from '#shared/json'
import { systemClock } from '#shared/time/clock'
import type { Change, Row } from '../../src-renderer/replica/api'
import { copiesOf, referenceKey, sourcesOf } from '../../src-renderer/views/campaigns/copies'
import { ownersIn, replacedIn, type Replaced } from '../../src-renderer/views/campaigns/copy-elsewhere'
import { accountForEach, downloadAll, openAccount } from '../helpers/whole-account'

const account = accountForEach(openAccount)
const { service, device } = account

type Listed = 'campaigns' | 'placements' | 'ads'
async function list(collection: Listed, params: JsonObject = {}): Promise<JsonObject[]> {
  const { body } = await service.client.call(`trafficking.${collection}.list`, {
    profileId: account.profile,
    ...params,
  } as never)
  return ((body as unknown as JsonObject)[collection] as JsonObject[] | undefined) ?? []
}
const keyOf = (collection: CollectionName, id: unknown): string => recordKey(collection, account.profile, String(id))
const today = (): string => new Date(systemClock.now()).toISOString().slice(0, 10)

interface Asked {
  sources: Map<string, Row>
  owners: Map<string, string>
  replaced: Replaced[]
}
async function ask(keys: readonly string[], whole: boolean, destination: string): Promise<Asked> {
  const { replica } = device
  const sources = await sourcesOf(replica, keys, whole)
  const owners = ownersIn(
    replica,
    keys.flatMap((key) => sources.get(key) ?? []),
    destination,
  )!
  return { sources, owners, replaced: await replacedIn(replica, { keys, sources }, owners) }
}
async function post(changes: readonly Change[]): Promise<void> {
  const { replica } = device
  await replica.edit(changes, { label: 'Duplicate' })
  await replica.post()
  await device.until(
    'all is decided',
    ({ status }) => status.unsent === 0 || (status.needsYou > 0 && status.phase === 'idle'),
    90_000,
  )
  expect(replica.outbox().map(({ collection, fault }) => `${collection} ${fault?.message}`)).toEqual([])
}
/** Two living campaigns in the future, with placements, of one advertiser or of two. */
async function pair(sameAdvertiser: boolean): Promise<[JsonObject, JsonObject]> {
  const all = (await list('campaigns', { archived: false })).filter(({ endDate }) => String(endDate) > today())
  for (const one of all) {
    const placements = await list('placements', { campaignIds: [String(one.id)], archived: false })
    const other = all.find(
      ({ id, advertiserId }) => id !== one.id && (advertiserId === one.advertiserId) === sameAdvertiser,
    )
    if (placements.length > 1 && other) return [one, other]
  }
  throw new Error('The seed has no such campaigns')
}

it('placements are copied to another campaign, in one step', async () => {
  const [from, to] = await pair(true)
  await downloadAll(account)
  const placements = await list('placements', { campaignIds: [String(from.id)], archived: false })
  const keys = placements.map(({ id }) => keyOf('placements', id))
  const { owners, replaced } = await ask(keys, false, keyOf('campaigns', to.id))
  expect([...owners]).toEqual([[referenceKey('campaigns', String(from.id)), to.id]])
  // Packages belong to the campaign.
  expect(new Set(replaced.map(({ facts }) => facts.name))).toEqual(
    new Set(placements.some(({ placementGroupId }) => placementGroupId) ? ['placementGroups'] : []),
  )
  const mapping = new Map<string, string | null>([...owners, ...replaced.map(({ name }) => [name, null] as const)])
  const { changes, left } = await copiesOf(device.replica, keys, false, systemClock.now(), undefined, mapping)
  expect([left, changes.length]).toEqual([[], placements.length])
  for (const change of changes)
    expect(change.kind === 'create' && change.value).toMatchObject({ campaignId: to.id, advertiserId: to.advertiserId })
  expect(changes.map((change) => change.kind === 'create' && change.value['name']).sort()).toEqual(
    placements.map(({ name }) => name).sort(),
  )
  await device.replica.edit(changes, { label: 'Duplicate' })
  await device.replica.undo()
  expect(device.replica.outbox()).toEqual([])
})

it('references of the same name are told apart by their owners', async () => {
  await downloadAll(account)
  const placements = (await list('placements', { archived: false })).filter(({ placementGroupId }) => placementGroupId)
  const titleOf = async (collection: CollectionName, id: unknown): Promise<unknown> =>
    (await device.replica.read(keyOf(collection, id)))?.value?.['name']
  const [one] = placements
  const others = placements.filter(({ campaignId }) => campaignId !== one!.campaignId)
  const name = await titleOf('placementGroups', one!.placementGroupId)
  const key = keyOf('placementGroups', others[0]!.placementGroupId)
  await device.replica.edit([{ kind: 'change', key, patch: { name: name as string } }], { label: 'Rename' })
  const keys = [one!, others[0]!].map(({ id }) => keyOf('placements', id))
  const goal = (await list('campaigns', { archived: false })).find(
    ({ id }) => id !== one!.campaignId && id !== others[0]!.campaignId,
  )!
  const { replaced } = await ask(keys, false, keyOf('campaigns', goal.id))
  const groups = replaced.filter(({ facts }) => facts.name === 'placementGroups')
  expect(groups.map(({ title, owner }) => [title, owner])).toEqual([
    [name, await titleOf('campaigns', one!.campaignId)],
    [name, await titleOf('campaigns', others[0]!.campaignId)],
  ])
  const [alone] = (await ask(keys.slice(0, 1), false, keyOf('campaigns', goal.id))).replaced
  expect(alone?.owner).toBeUndefined()
})

it('a campaign is copied to another advertiser, where its references get replacements of the same name', async () => {
  const [from, to] = await pair(false)
  const pageId = String(from.defaultLandingPageId)
  const { body: page } = await service.client.call('trafficking.advertiserLandingPages.get', {
    profileId: account.profile,
    id: pageId,
  })
  const there = { name: page.name!, url: 'https://example.com/there', advertiserId: String(to.advertiserId) }
  await service.client.call(
    'trafficking.advertiserLandingPages.insert',
    { profileId: account.profile },
    { body: there },
  )
  await downloadAll(account)
  const key = keyOf('campaigns', from.id)
  const destination = keyOf('advertisers', to.advertiserId)
  const { sources, owners, replaced } = await ask([key], true, destination)
  expect([...owners]).toEqual([[referenceKey('advertisers', String(from.advertiserId)), to.advertiserId]])
  const names = replaced.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const main = replaced.find(({ name }) => name === referenceKey('advertiserLandingPages', pageId))!
  expect(main).toMatchObject({ title: page.name, required: false, needing: 0 })
  expect(main.choices.find(({ value }) => value === main.suggested)?.label).toBe(page.name)
  const mapping = new Map<string, string | null>([
    ...owners,
    ...replaced.map(({ name, suggested }) => [name, suggested ?? null] as const),
  ])
  const { changes, left } = await copiesOf(device.replica, [key], true, systemClock.now(), undefined, mapping)
  expect(changes.length + left.length).toBeGreaterThanOrEqual(sources.size)
  for (const change of changes) {
    if (change.kind !== 'create') continue
    const { table, schema } = device.replica.facts.of(change.collection)
    const old = referencesIn(table, schema, change.value).map(({ collection, id }) => referenceKey(collection, id))
    expect(old.filter((name) => mapping.has(name))).toEqual([])
  }
  await post(changes)
  const copies = (await list('campaigns', { advertiserIds: [to.advertiserId!] })).filter(({ name }) =>
    String(name).startsWith(String(from.name)),
  )
  expect(copies.map(({ name }) => name)).toEqual([from.name])
})

it('a reference added after the replacements were chosen doesn’t lead to the old owner', async () => {
  const [from, to] = await pair(false)
  await downloadAll(account)
  const key = keyOf('campaigns', from.id)
  const { owners } = await ask([key], false, keyOf('advertisers', to.advertiserId))
  const page = referenceKey('advertiserLandingPages', String(from.defaultLandingPageId))
  const copied = async (to: ReadonlyMap<string, string | null>): Promise<string[]> => {
    const { changes } = await copiesOf(device.replica, [key], false, systemClock.now(), undefined, to)
    const { table, schema } = device.replica.facts.of('campaigns')
    return changes.flatMap((change) =>
      change.kind === 'create'
        ? referencesIn(table, schema, change.value).map(({ collection, id }) => referenceKey(collection, id))
        : [],
    )
  }
  expect(await copied(new Map())).toContain(page)
  const names = await copied(owners)
  expect(names).toContain(referenceKey('advertisers', String(to.advertiserId)))
  expect(names).not.toContain(page)
})

it('a record that needs another one asks for its replacement', async () => {
  await downloadAll(account)
  const { replica } = device
  const activities = replica.rows('trackingActivities')
  const activity = activities.find(({ value }) => value?.['archived'] !== true)!
  const from = activity.value!['advertiserId']
  const to = replica.rows('advertisers', account.profile).find(({ id }) => id !== from)!
  const { replaced } = await ask([activity.key], false, to.key)
  const group = replaced.find(({ facts }) => facts.name === 'trackingActivityGroups')!
  expect(group).toMatchObject({ required: true, count: 1 })
  const own = replica.rows('trackingActivityGroups').filter(({ value }) => value?.['advertiserId'] === to.id)
  expect(group.choices.map(({ value }) => value).sort()).toEqual(own.map(({ id }) => id).sort())
})
