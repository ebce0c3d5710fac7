import { describe, expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import type { Row } from '../../../../src-renderer/replica/api'
import { copyPlan, leading, spanOfAll, suggestedDays } from '../../../../src-renderer/views/campaigns/copy-dates'

const facts = factsOf()
const row = (collection: CollectionName, id: string, value: JsonObject): Row => ({
  key: recordKey(collection, '1', id),
  ...{
    collection,
    parent: '1',
    id,
    value: { id, ...value },
    base: null,
    complete: true,
    mark: 'synced' as const,
    remoteSeq: 0,
  },
})
const slot = (startDate: string, endDate: string): JsonObject => ({
  campaignId: '7',
  pricingSchedule: { startDate, endDate },
})
const sources = new Map(
  [
    row('campaigns', '7', { startDate: '2026-01-10', endDate: '2026-02-10' }),
    row('placements', '8', slot('2026-01-10', '2026-02-10')),
    row('placements', '9', slot('2026-02-01', '2026-02-20')),
    row('ads', '5', { startTime: '2026-01-10T06:00:00.000Z', endTime: '2026-02-10T20:00:00.000Z', campaignId: '7' }),
  ].map((one) => [one.key, one]),
)
const now = Date.parse('2026-03-01T10:20:00Z')
const plan = (days: number): ReturnType<typeof copyPlan> =>
  copyPlan(facts, sources, now, '2026-03-01', { days, zone: 'UTC' })

describe('the preview of copies', () => {
  it('moves the outermost record to start today', () => {
    const lead = leading(facts, sources.values())
    expect(lead.map(({ collection }) => collection)).toEqual(['campaigns'])
    expect(suggestedDays(spanOfAll(facts, lead)!, '2026-03-01')).toBe(50)
    expect(suggestedDays({ start: '2026-04-01', end: '2026-04-02' }, '2026-03-01')).toBe(0)
  })
  it("shows dates, what else moves, what's cut, and what starts later", () => {
    const made = plan(50)!
    expect(made).toMatchObject({ span: { start: '2026-03-01', end: '2026-04-01' }, over: undefined })
    expect(made.others.map(({ facts: { name }, count }) => [name, count])).toEqual([
      ['placements', 2],
      ['ads', 1],
    ])
    expect(made.cut).toMatchObject([{ count: 1 }])
    expect(made.late).toMatchObject({ count: 1, value: { startTime: '2026-03-01T11:00:00.000Z' } })
  })
  it('shows the end date the service would reject', () => {
    expect(plan(0)!.over).toBe('2026-02-10')
    expect(plan(19)!.over).toBeUndefined()
  })
})
