import { describe, expect, it } from 'vitest'
import type { Checked } from '#shared/checks/rule'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import type { Bar } from '../../../../../src-renderer/views/campaigns/timeline/bars'
import { daysIn, joined, servedDays, within } from '../../../../../src-renderer/views/campaigns/timeline/served-days'

const facts = factsOf()
const day = (text: string): number => Date.parse(text)
const days = (start: string, end: string): Bar => ({ start: day(start), end: day(end) })
const ad = (id: string, start: string, end: string, more: JsonObject = {}): Checked => ({
  ...{ key: `ads ${id}`, collection: 'ads', id, base: null },
  value: {
    ...{ active: true, type: 'AD_SERVING_STANDARD_AD', startTime: `${start}:00Z`, endTime: `${end}:00Z` },
    placementAssignments: [{ active: true, placementId: '7' }],
    ...more,
  },
})
const served = (ads: readonly Checked[], zone = 'UTC'): readonly Bar[] => servedDays(facts, ads, zone)('7')

describe('days that ads serve', () => {
  it('are those that active ads touch in the zone, with gaps', () => {
    const ads = [
      ad('1', '2026-06-20T10:00', '2026-06-21T09:00'),
      ad('2', '2026-06-10T00:00', '2026-06-12T23:59'),
      ad('3', '2026-06-13T00:00', '2026-06-14T23:59'),
    ]
    expect(served(ads)).toEqual([days('2026-06-10', '2026-06-15'), days('2026-06-20', '2026-06-22')])
    expect(served([ad('1', '2026-06-09T22:00', '2026-06-10T21:59')], 'Europe/Berlin')).toEqual([
      days('2026-06-10', '2026-06-11'),
    ])
  })

  it("leave out ads that don't run, other placements, and default ads", () => {
    const [start, end] = ['2026-06-10T00:00', '2026-06-12T23:59'] as const
    const none: readonly JsonObject[] = [
      { active: false },
      { archived: true },
      { type: 'AD_SERVING_DEFAULT_AD' },
      { placementAssignments: [{ active: false, placementId: '7' }] },
      { placementAssignments: [{ active: true, placementId: '8' }] },
      { endTime: null },
      { endTime: '2026-06-09T00:00:00Z' },
    ]
    for (const more of none) expect(served([ad('1', start, end, more)])).toEqual([])
    expect(served([ad('1', start, end)])).toHaveLength(1)
  })

  it('are cut to a flight and counted', () => {
    const all = [days('2026-06-01', '2026-06-05'), days('2026-06-10', '2026-06-20')]
    const flight = days('2026-06-03', '2026-06-12')
    expect(within(flight, all)).toEqual([days('2026-06-03', '2026-06-05'), days('2026-06-10', '2026-06-12')])
    expect(daysIn(within(flight, all))).toBe(4)
    expect(within(days('2026-07-01', '2026-07-02'), all)).toEqual([])
  })

  it('are joined where they touch or overlap', () => {
    expect(
      joined([
        days('2026-06-10', '2026-06-20'),
        days('2026-06-01', '2026-06-10'),
        days('2026-06-12', '2026-06-13'),
        days('2026-06-22', '2026-06-23'),
      ]),
    ).toEqual([days('2026-06-01', '2026-06-20'), days('2026-06-22', '2026-06-23')])
  })
})
