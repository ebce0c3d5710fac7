import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { merge } from '#shared/merge/merge'
import type { JsonObject } from '#shared/json'

describe('concurrent edits of a report', () => {
  const { rules } = factsOf().of('reports')
  const criteria = (dateRange: JsonObject, metricNames = ['trafficking:clicks']): JsonObject => ({
    criteria: { dateRange, metricNames },
  })
  const base = criteria({ startDate: '2026-01-01', endDate: '2026-01-31' })

  it('conflict between custom dates and a relative range', () => {
    const mine = criteria({ relativeDateRange: 'LAST_7_DAYS' })
    const theirs = criteria({ startDate: '2026-01-01', endDate: '2026-02-28' })
    expect(merge(rules, base, mine, theirs).conflicts).toEqual(['criteria'])
  })

  it('merge for dates and metrics', () => {
    const mine = criteria({ relativeDateRange: 'LAST_7_DAYS' })
    const theirs = criteria({ startDate: '2026-01-01', endDate: '2026-01-31' }, ['trafficking:impressions'])
    expect(merge(rules, base, mine, theirs).patch).toEqual(
      criteria({ relativeDateRange: 'LAST_7_DAYS' }, ['trafficking:impressions']),
    )
  })
})
