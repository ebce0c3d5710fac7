import { expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import type { DownloadStatus, Replica, Row } from '../../../../src-renderer/replica/api'
import { checkRecords } from '../../../../src-renderer/views/campaigns/checking'

const value: JsonObject = {
  ...{ name: 'Banner', campaignId: '1', advertiserId: '2' },
  pricingSchedule: { startDate: '2026-06-01', endDate: '2026-06-30' },
}
const row = { key: recordKey('placements', '7', '3'), collection: 'placements', id: '3', value, base: value }

/** Words of what a check finds in one live placement, whose ads aren't on this computer, with these downloads. */
async function wordsWith(...downloads: Partial<DownloadStatus>[]): Promise<string[]> {
  const replica = {
    facts: factsOf(),
    table: (name: CollectionName) =>
      Promise.resolve({ length: name === row.collection ? 1 : 0, key: () => row.key } as unknown),
    readAll: (keys: readonly string[]) => Promise.resolve(new Map(keys.map((key) => [key, row as unknown as Row]))),
    downloads: () => downloads.map((one) => ({ parent: '7', what: 'index', ...one })),
  } as unknown as Replica
  const { findings } = await checkRecords(replica, { profile: '7', today: '2026-06-10' })
  return findings.map(({ words }) => words)
}

it('a placement lacks ads only if all ads were read', async () => {
  expect(await wordsWith({ state: 'ready', readAt: 5 })).toEqual(['No active ad serves this placement'])
  expect(await wordsWith({ state: 'paused', readAt: 5 })).toEqual(['No active ad serves this placement'])
  expect(await wordsWith({ state: 'reading', readAt: null })).toEqual([])
  // Paused in the middle, and removed.
  expect(await wordsWith({ state: 'ready', readAt: 5 }, { state: 'paused', readAt: null })).toEqual([])
  expect(await wordsWith()).toEqual([])
})
