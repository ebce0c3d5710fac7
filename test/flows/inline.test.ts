import { expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import { patchAt, valueAt } from '#shared/fields/path'
import type { JsonObject } from '#shared/json'
import { systemClock } from '#shared/time/clock'
import type { CampaignsModel } from '../../src-renderer/views/campaigns/model.svelte'
import { fitsTogether, madeFrom, type Made } from '../../src-renderer/views/campaigns/inline'
import { accountForFile } from '../helpers/whole-account'

const account = accountForFile()
const { service, device } = account

const dayMs = 86_400_000
const model = (): CampaignsModel => {
  const now = systemClock.now()
  const context = { today: Math.floor(now / dayMs) * dayMs, zone: 'Europe/Berlin', hour12: false }
  return { app: { replica: device.replica, clock: { now } }, context } as unknown as CampaignsModel
}
/** An active record of a type, with a value in the given field. */
async function some(collection: CollectionName, having?: string): Promise<{ key: string; record: JsonObject }> {
  const rows = await device.replica.table(collection, { parent: account.profile })
  for (let row = 0; row < rows.length; row++) {
    const found = await device.replica.read(rows.key(row))
    const record = found?.value
    if (record && record['archived'] !== true && (having === undefined || valueAt(record, having) !== undefined))
      return { key: rows.key(row), record }
  }
  throw new Error(`No ${collection} with ${having}`)
}
const made = (collection: CollectionName, path: string, record: JsonObject, words: string): Made | undefined =>
  madeFrom(model(), { facts: device.replica.facts.of(collection), path, record, parent: account.profile }, words)

const places: readonly [CollectionName, string, string, string?][] = [
  ['campaigns', 'defaultLandingPageId', 'https://www.example/spring?a=1'],
  ['campaigns', 'creativeGroupIds', 'Warm colours'],
  ['placements', 'contentCategoryId', 'Gardening'],
  ['placements', 'placementStrategyId', 'Always on'],
  ['placements', 'placementGroupId', 'Spring package'],
  ['advertisers', 'advertiserGroupId', 'Outdoor'],
  ['trackingActivities', 'trackingActivityGroupId', 'Sign-ups'],
  ['creatives', 'creativeFieldAssignments.0.creativeFieldValueId', 'Dark blue', 'creativeFieldAssignments'],
]

it.each(places)('creating %s in %s adds the reference, and both arrive', async (collection, path, words, having) => {
  const { replica } = device
  const { key, record } = await some(collection, having)
  const found = made(collection, path, record, words)!
  expect(found.missing).toEqual([])
  expect(fitsTogether(replica.facts.of(found.creation.collection), record, found.creation.value)).toBe(true)
  const to = path.endsWith('Ids') ? [found.creation.id] : found.creation.id
  const patch = patchAt(record, path, to, replica.facts.of(collection))
  await replica.edit([found.creation, { kind: 'change', key, patch }], { label: 'Refer to something new' })
  expect(replica.status.drafts).toBe(2)
  await replica.undo()
  expect(replica.status.drafts).toBe(0)
  await replica.redo()
  await replica.post()
  await device.until(
    'all is decided',
    ({ status }) => status.unsent === 0 || (status.needsYou > 0 && status.phase === 'idle'),
  )
  expect(replica.outbox().map(({ label, fault }) => `${label} ${fault?.message}`)).toEqual([])
  const { body } = await service.client.call(`trafficking.${collection}.get` as 'trafficking.campaigns.get', {
    profileId: account.profile,
    id: String(record['id']),
  })
  const id = [valueAt(body as JsonObject, path)].flat()[0]
  const { collection: target, parent } = found.creation
  expect(replica.facts.find(target)?.insert).toBeDefined()
  const there = await replica.read(recordKey(target, parent, String(id)))
  expect(there?.base).toMatchObject(
    words.startsWith('https')
      ? { url: words, name: 'www.example/spring' }
      : { [replica.facts.of(target).title!]: words },
  )
})

it("a landing page without a URL is incomplete, and impossible records aren't offered", async () => {
  const { record } = await some('campaigns')
  expect(made('campaigns', 'defaultLandingPageId', record, 'Spring')?.missing).toEqual(['URL'])
  expect(made('campaigns', 'defaultLandingPageId', record, '12345')).toBeUndefined()
  expect(made('campaigns', 'defaultLandingPageId', record, '  ')).toBeUndefined()
  const ad = (await some('ads')).record
  expect(made('ads', 'placementAssignments.0.placementId', ad, 'A placement')).toBeUndefined()
  expect(made('creatives', 'creativeFieldAssignments.0.creativeFieldValueId', {}, 'Blue')).toBeUndefined()
  const { directorySiteId: _directory, ...placement } = (await some('placements')).record
  expect(made('placements', 'siteId', placement, 'A site')).toBeUndefined()
  expect(made('placements', 'siteId', { ...placement, directorySiteId: '5' }, 'A site')?.creation.value).toMatchObject({
    name: 'A site',
    directorySiteId: '5',
  })
  expect(made('accounts', 'defaultCreativeSizeId', {}, '123 x 45')?.creation.value).toMatchObject({
    width: 123,
    height: 45,
  })
  expect(made('accounts', 'defaultCreativeSizeId', {}, 'wide')).toBeUndefined()
})
