import { expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import type { DownloadStatus, Replica, Row } from '../../../../src-renderer/replica/api'
import { checkAlone, checkDrafts, checkRecords } from '../../../../src-renderer/views/campaigns/checking'
import { runnable } from '../../../../src-renderer/views/campaigns/own-rules'

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
  expect(await wordsWith({ state: 'ready', readAt: 5 })).toEqual(['No active ad is assigned to this placement'])
  expect(await wordsWith({ state: 'paused', readAt: 5 })).toEqual(['No active ad is assigned to this placement'])
  expect(await wordsWith({ state: 'reading', readAt: null })).toEqual([])
  // Paused in the middle, and removed.
  expect(await wordsWith({ state: 'ready', readAt: 5 }, { state: 'paused', readAt: null })).toEqual([])
  expect(await wordsWith()).toEqual([])
})

it('a draft isn’t blamed for what was wrong before', async () => {
  const schedule = (...starts: string[]): JsonObject => ({
    pricingSchedule: {
      ...{ startDate: '2026-06-01', endDate: '2026-06-30' },
      pricingPeriods: starts.map((startDate) => ({ startDate, endDate: '2026-06-10' })),
    },
  })
  const replica = {
    facts: factsOf(),
    table: () => Promise.resolve({ length: 0 }),
    readAll: () => Promise.resolve(new Map()),
    downloads: () => [],
  } as unknown as Replica
  const wordsOf = async (before: JsonObject, after: JsonObject): Promise<string[]> => {
    const draft = { key: row.key, collection: 'placements', id: '3', value: after, base: before } as const
    const found = await checkDrafts(replica, [draft], { profile: '7', today: '2026-06-10' })
    return found.map(({ words }) => words)
  }
  const gap = schedule('2026-06-01', '2026-06-12')
  expect(await wordsOf({ ...value, ...schedule('2026-06-01') }, { ...value, ...gap })).toEqual([
    'Some days have no price',
  ])
  expect(await wordsOf({ ...value, ...gap }, { ...value, ...gap, comment: 'New' })).toEqual([])
})

it('own rules run on their kinds, also on records in something in the profile', async () => {
  const keyOf = (profile: string): string => recordKey('creativeFieldValues', `${profile}/4`, '5')
  const asked: unknown[] = []
  const replica = {
    facts: factsOf(),
    table: (name: CollectionName, query: { parent?: string }) => {
      if (name === 'creativeFieldValues') asked.push(query.parent)
      const keys = name === 'creativeFieldValues' ? [keyOf('7'), keyOf('8')] : []
      return Promise.resolve({ length: keys.length, key: (at: number) => keys[at] })
    },
    readAll: (keys: readonly string[]) =>
      Promise.resolve(
        new Map(
          keys.map((key) => [
            key,
            { key, collection: 'creativeFieldValues', id: '5', value: { value: 'Red' }, base: {} },
          ]),
        ),
      ),
    downloads: () => [],
  } as unknown as Replica
  const kind = replica.facts.of('creativeFieldValues')
  const [when, words] = [[{ column: 'value', has: 'red' }], 'Use blue']
  const rule = { name: 'Blue', kind: kind.name, severity: 'hint', when, words, on: true } as const
  const own = [await runnable(rule, kind, 'Europe/Berlin')]
  const { findings, count } = await checkRecords(replica, { profile: '7', today: '2026-06-10', own })
  expect(count).toBe(1)
  expect(asked).toEqual([undefined])
  expect(findings.map(({ record, path, words: said }) => [record.key, path, said])).toEqual([
    [keyOf('7'), 'value', 'Use blue'],
  ])
})

it('own rules know the names of records that unchanged ones refer to', async () => {
  const site = { key: recordKey('sites', '7', '12'), collection: 'sites', id: '12', value: { name: 'Evening News' } }
  const content = { ...value, siteId: '12' }
  const placement = { ...row, value: content, base: content }
  const rows = new Map([site, placement].map((one) => [one.key, one as unknown as Row]))
  const replica = {
    facts: factsOf(),
    table: (name: CollectionName) =>
      Promise.resolve({ length: name === 'placements' ? 1 : 0, key: () => placement.key } as unknown),
    readAll: (keys: readonly string[]) =>
      Promise.resolve(new Map(keys.flatMap((key) => (rows.has(key) ? [[key, rows.get(key)!] as const] : [])))),
    downloads: () => [],
  } as unknown as Replica
  const kind = replica.facts.of('placements')
  const [when, words] = [[{ column: 'siteId', has: 'news' }], 'No news sites']
  const rule = { name: 'Sites', kind: kind.name, severity: 'hint', when, words, on: true } as const
  const [own, today] = [[await runnable(rule, kind, 'Europe/Berlin')], '2026-06-10']
  const { findings } = await checkRecords(replica, { profile: '7', today, own })
  expect(findings.map((one) => one.words)).toContain(words)
  const alone = await checkAlone(replica, [{ ...placement, collection: 'placements' }], { today, own })
  expect(alone.map(({ path }) => path)).toEqual(['siteId'])
})
