import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { toRun } from '../../../src-main/reports/run-view'
import type { RunRecord } from '../../../src-main/reports/run-record'
import { deliveryRuns, lastFullDay } from '../../../src-renderer/context/delivery-files'
import type { Replica } from '../../../src-renderer/replica/api'

const filters = [{ dimensionName: 'trafficking:campaignId', id: '7' }]
const daily = (criteria: JsonObject = {}): JsonObject => ({
  id: '1',
  type: 'STANDARD',
  criteria: {
    dimensions: [{ name: 'trafficking:date' }, { name: 'trafficking:placementId' }],
    metricNames: ['trafficking:impressions'],
    ...criteria,
  },
})
const record = (definition: JsonObject, more: Partial<RunRecord> = {}): RunRecord => ({
  version: 1,
  id: '1-a',
  accountId: 'a',
  service: 'trafficking',
  reportId: '1',
  profileId: '2',
  name: '',
  type: 'STANDARD',
  definition,
  format: 'csv',
  state: 'kept',
  words: '',
  asked: 0,
  fragments: [],
  ...more,
})

describe('runs with deliveries', () => {
  /** The first runs of records, while the report itself is `present`. */
  const found = (present: JsonObject, records: readonly RunRecord[], activityId?: string) =>
    deliveryRuns(
      { peek: (key: string) => ({ key, value: present }) } as unknown as Replica,
      records.map((one) => toRun(one, true)),
      '2',
      activityId,
    ).map(({ run, narrowed }) => [run.id, narrowed])

  it('are judged by the report as it ran, not by its present filters and columns', () => {
    const filtered = daily({ dimensionFilters: filters })
    expect(found(daily(), [record(filtered)])).toEqual([['1-a', true]])
    expect(found(filtered, [record(daily())])).toEqual([['1-a', false]])
    expect(found(daily({ dimensions: [] }), [record(daily())])).toEqual([['1-a', false]])
    expect(found(daily(), [record(daily({ dimensions: [] }))])).toEqual([])
    const both = [record(filtered, { id: '2-b' }), record(daily())]
    expect(found(daily(), both)).toEqual([
      ['1-a', false],
      ['2-b', true],
    ])
  })

  it('count an activity if it ran with it', () => {
    const activities = {
      filters: [{ dimensionName: 'trafficking:activityId', id: '5' }],
      metricNames: ['trafficking:totalConversions'],
    }
    const runs = [record(daily({ activities }))]
    expect(found(daily(), runs, '5')).toEqual([['1-a', false]])
    expect(found(daily(), runs, '6')).toEqual([])
  })
})

describe('the last full day', () => {
  const range = { from: '2026-06-01', to: '2026-06-30' }
  const dayOf = (more: Partial<RunRecord>, zone = 'UTC'): string =>
    new Date(lastFullDay(toRun(record(daily(), { range, ...more }), true), zone)! * 86_400_000)
      .toISOString()
      .slice(0, 10)
  const [monday, tuesday] = [Date.parse('2026-06-15T02:00Z'), Date.parse('2026-06-16T08:00Z')]

  it('is before the request, however late the results are downloaded', () => {
    const more = { asked: monday - 86_400_000, attempt: { at: monday, known: [] }, finished: tuesday }
    expect(dayOf(more)).toBe('2026-06-14')
    expect(dayOf(more, 'America/New_York')).toBe('2026-06-13')
  })

  it('is before the download if the time of the request is unknown', () => {
    expect(dayOf({ asked: monday, finished: tuesday })).toBe('2026-06-15')
    expect(dayOf({ asked: monday, attempt: { at: 0, known: [] } })).toBe('2026-06-14')
  })

  it('ends with the results', () => {
    expect(dayOf({ attempt: { at: Date.parse('2026-07-09'), known: [] } })).toBe('2026-06-30')
  })
})
