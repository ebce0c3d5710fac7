import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { Account } from '#shared/ipc/account-questions'
import type { Bridge } from '#shared/ipc/contract'
import { searchHandlers } from '../../../../../src-main/app/search-handlers'
import { ConversionBatches } from '../../../../../src-main/reports/conversion-batches'
import { Library } from '../../../../../src-main/reports/library'
import { SearchFiles } from '../../../../../src-main/reports/search-files'
import { SearchPlaces } from '../../../../../src-main/reports/search-places'
import { ConversionUploads } from '../../../../../src-main/reports/conversion-uploads'
import { tablesHere } from '../../../../helpers/table-orders'
import { mappedRecord, mappingRow } from '../../../../../src-renderer/views/reports/search-ads/mapped-record'
import { clockFromMoment } from '../../../../helpers/moment'
import { startService, type TestService } from '../../../../helpers/service'

const heads = ['Name', 'New id', 'Previous id', 'Entity type']
const row = (id: string, name: string): never =>
  ({ key: recordKey('campaigns', '9', id), id, parent: '9', value: { name } }) as never
const campaigns: { key: string; value: { name: string } }[] = [
  row('11', 'Spring'),
  row('12', 'Twice'),
  row('13', 'Twice'),
]
const replica = {
  rows: (collection: string) => (collection === 'userProfiles' ? [{ id: '9' }] : campaigns) as never,
  peek: (key: string) => campaigns.find((one) => one.key === key) as never,
}
const of = (name: string, newId: string, previousId: string, type = 'Campaign') =>
  mappedRecord(replica, heads, [name, newId, previousId, type])

it('a mapping row finds its campaign by previous ID, new ID, or a unique name', () => {
  const spring = { key: recordKey('campaigns', '9', '11'), collection: 'campaigns', profile: '9' }
  expect(of('Other', '', '11')).toEqual(spring)
  expect(of('Other', '11', '700')).toEqual(spring)
  expect(of('Spring', '800', '700')).toEqual(spring)
  expect(of('Twice', '800', '700')).toBeNull()
  expect(of('Nowhere', '800', '700')).toBeNull()
  expect(of('Brand', '11', '11', 'Ad group')).toBeUndefined()
})

describe('an ID in a search report', () => {
  let service: TestService
  let folder: string
  let bridge: Bridge
  let campaign: { id: string; name: string }
  const account = { id: 'sandbox' } as Account
  beforeAll(async () => {
    const clock = clockFromMoment()
    service = await startService({ seed: 'demo', now: clock.now })
    folder = await mkdtemp(join(tmpdir(), 'mapped-'))
    const library = new Library(folder)
    const searchFiles = new SearchFiles(library, clock.now)
    const clientOf = () => service.client
    const results = tablesHere()
    const handlers = {
      ...searchHandlers({
        searchFiles,
        searchPlaces: new SearchPlaces(library, clock.now),
        sendings: new ConversionUploads({
          library,
          batches: new ConversionBatches(library, clock.now),
          clientOf,
          now: clock.now,
          changed: () => undefined,
        }),
        clientOf,
        results,
      }),
      'results/shape': (args: never) => results.ask('results/shape', args),
      'results/page': (args: never) => results.ask('results/page', args),
      'results/close': (args: never) => results.ask('results/close', args),
    }
    bridge = {
      ask: async (name: keyof typeof handlers, args: never) => ({ ok: true, value: await handlers[name](args) }),
      on: () => () => undefined,
    } as unknown as Bridge
    const { agencyId = '', advertiserId = '', profileId = '', campaignId = '' } = service.sandbox.ids
    const { signal } = new AbortController()
    await searchFiles.mapping('sandbox', { agencyId, advertiserId }, { client: service.client, signal })
    const { body } = await service.client.call('trafficking.campaigns.get', { profileId, id: campaignId })
    campaign = { id: body.id!, name: body.name! }
  })
  afterAll(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })
  const mapped = (id: string, advertiserId?: string): ReturnType<typeof mappingRow> =>
    mappingRow(
      { bridge, account },
      { collection: 'campaigns', id, ...(advertiserId !== undefined && { advertiserId }) },
    )

  it('is found in the downloaded mapping by either ID', async () => {
    const row = (await mapped(campaign.id, service.sandbox.ids['advertiserId']))!
    const cell = (head: string): string => row.cells[row.heads.indexOf(head)]!
    expect([cell('Entity type'), cell('Name'), cell('Previous id')]).toEqual(['Campaign', campaign.name, campaign.id])
    expect(cell('New id')).not.toBe(campaign.id)
    expect(await mapped(cell('New id'))).toEqual(row)
    const key = recordKey('campaigns', '9', campaign.id)
    const here = {
      rows: () => [{ id: '9' }] as never,
      peek: (wanted: string) => (wanted === key ? { key } : undefined) as never,
    }
    expect(mappedRecord(here, row.heads, row.cells)).toMatchObject({ key })
  })
  it("isn't found for another advertiser, another type, or without a mapping", async () => {
    expect(await mapped(campaign.id, '1')).toBeUndefined()
    expect(await mapped('123456789')).toBeUndefined()
    expect(await mappingRow({ bridge, account }, { collection: 'advertisers', id: campaign.id })).toBeUndefined()
    expect(await mappingRow({ bridge, account }, { collection: 'ads', id: campaign.id })).toBeUndefined()
    const other = { id: 'other' } as Account
    expect(await mappingRow({ bridge, account: other }, { collection: 'campaigns', id: campaign.id })).toBeUndefined()
  })
})
