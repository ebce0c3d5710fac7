import { expect, it } from 'vitest'
import type { Bridge } from '#shared/ipc/contract'
import type { Run } from '#shared/reports/runs'
import { factsOf } from '#shared/facts/facts'
import { compareRuns } from '../../../../src-renderer/views/reports/comparing'
import { recordOf } from '../../../../src-renderer/views/reports/joins'

it('search columns link to campaign records where IDs match', () => {
  const columns = ['campaign', 'campaignId', 'adId', 'advertiserId', 'trackingActivityId', 'impr'].map((field) => ({
    ...{ head: field, field, kind: 'text' as const, adds: null },
  }))
  const cells = ['Spring', '11', '12', '13', '14', '15']
  const found = (service: 'search' | 'trafficking', column: number) =>
    recordOf(factsOf({}), service, columns, cells, column)
  const spring = { collection: 'campaigns', id: '11', advertiserId: '13' }
  expect([found('search', 0), found('search', 1)]).toEqual([spring, spring])
  expect(found('search', 4)).toMatchObject({ collection: 'trackingActivities', id: '14' })
  // An engine's ad isn't a campaign record; in trafficking, it is.
  expect(found('search', 2)).toBeUndefined()
  expect(found('trafficking', 2)).toMatchObject({ collection: 'ads', id: '12' })
  expect(found('search', 5)).toBeUndefined()
})

it.each([
  [
    'names and attributes of a record join by its ID',
    ['placementId', 'placement', 'placementRate', 'campaignId', 'campaign', 'site', 'adType', 'impressions'],
    ['placement', 'placementRate', 'campaign'],
  ],
  ['a field that begins like a record is its own', ['adId', 'advertiser', 'advertiserGroup'], []],
  ['an ID of only one run joins nothing', ['earlierId', 'earlier', 'site'], []],
])('%s', async (_words, fields, names) => {
  let asked: unknown
  const columns = (isLater: boolean) =>
    fields
      .filter((field) => !isLater || field !== 'earlierId')
      .map((field) => ({ head: field, field, kind: 'text', adds: field === 'impressions' ? 'sum' : null }))
  const bridge = {
    ask: (name: string, args: { runId?: string; names?: string[] }) => {
      if (name === 'results/compare') asked = args.names
      return Promise.resolve({ ok: true, value: { table: 1, columns: columns(args.runId === '2'), about: [] } })
    },
  } as unknown as Bridge
  await compareRuns(bridge, { id: '1' } as Run, { id: '2' } as Run, () => undefined)
  expect(asked).toEqual(names)
})

it('names the columns that a comparison of two runs leaves out', async () => {
  const column = (head: string, adds: string | null = null) => ({ head, adds, kind: head === 'Week' ? 'week' : 'text' })
  const shared = [column('Site'), column('Week'), column('Clicks', 'sum')]
  const tables: Record<string, unknown[]> = {
    1: [...shared, column('Media Cost', 'sum')],
    2: [...shared, column('Ad')],
    compared: ['Site', 'Clicks · before', 'Clicks · after'].map((head) => column(head)),
  }
  const bridge = {
    ask: (_name: string, args: { runId?: string }) =>
      Promise.resolve({ ok: true, value: { table: 1, columns: tables[args.runId ?? 'compared'], about: [] } }),
  } as unknown as Bridge
  let left: readonly string[] = []
  await compareRuns(bridge, { id: '1' } as Run, { id: '2' } as Run, (heads) => (left = heads))
  expect(left).toEqual(['Week', 'Media Cost', 'Ad'])
})
