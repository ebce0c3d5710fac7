import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { median, dayAnomalies, totalAnomalies, type DailyMetrics, type Anomaly } from '#shared/pacing/anomalies'
import { dayNumber } from '#shared/pacing/pacing'

const start = dayNumber('2026-03-01')!
const subject = { key: 'p1', name: 'Home page' }
const days = (impressions: readonly number[], clicks?: readonly number[]): DailyMetrics[] =>
  impressions.map((one, at) => ({ day: start + at, impressions: one, clicks: clicks?.[at] ?? Math.round(one / 100) }))
const sentences = (notes: readonly Anomaly[]): string[] => notes.map(({ sentence }) => sentence)
const kinds = (notes: readonly Anomaly[]): string[] => notes.map(({ kind }) => kind)

describe('anomalies by day', () => {
  it('include no delivery after three good days', () => {
    const notes = dayAnomalies(subject, days([10, 10, 10]), { until: start + 5 })
    expect(sentences(notes)).toEqual(['Home page delivered nothing on 4 March, after 3 days with delivery.'])
    expect(
      dayAnomalies(subject, days([10, 10, 10]), { until: start + 5, flight: { from: start, to: start + 2 } }),
    ).toEqual([])
    expect(dayAnomalies(subject, days([10, 10, 0, 10]), { until: start + 3 })).toEqual([])
  })
  it('include large deviations from the same weekdays', () => {
    const steady = Array.from({ length: 28 }, (_, at) => 1_000 + (at % 7) * 100)
    const until = start + 28
    expect(dayAnomalies(subject, days([...steady, 1_090]), { until })).toEqual([])
    expect(sentences(dayAnomalies(subject, days([...steady, 400]), { until }))).toEqual([
      'Home page delivered 400 impressions on 29 March, compared with the usual 1,000 for that weekday.',
    ])
    expect(dayAnomalies(subject, days([...steady.slice(7), 400]), { until: start + 21 })).toEqual([])
  })
  it('include delivery outside the flight', () => {
    const flight = { from: start + 1, to: start + 2 }
    expect(sentences(dayAnomalies(subject, days([5, 10, 10, 7]), { until: start + 3, flight }))).toEqual([
      'Home page delivered 12 impressions outside its flight, on 2 days since 1 March.',
    ])
  })
  it('include impossible clicks', () => {
    expect(kinds(dayAnomalies(subject, days([10, 10, 10], [0, 11, 0]), { until: start + 2 }))).toEqual(['moreClicks'])
    const calm = Array.from({ length: 6 }, () => 2_000)
    const notes = dayAnomalies(subject, days(calm, [20, 20, 20, 20, 20, 101]), { until: start + 5 })
    expect(sentences(notes)).toEqual(['Home page had a click rate of 5.05% on 6 March, compared with the usual 1%.'])
    expect(dayAnomalies(subject, days(calm, [20, 20, 20, 20, 20, 100]), { until: start + 5 })).toEqual([])
  })
  it('exclude days that may still change', () => {
    expect(dayAnomalies(subject, days([10, 10, 10, 0]), { until: start + 2 })).toEqual([])
    expect(dayAnomalies(subject, [], { until: start })).toEqual([])
  })
  it('exclude constant delivery', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 80 }), (each, count) => {
        const same = days(Array.from({ length: count }, () => each))
        expect(dayAnomalies(subject, same, { until: start + count - 1 })).toEqual([])
      }),
    )
  })
  it('have sentences about existing days for any data', () => {
    const any = fc.array(fc.record({ impressions: fc.nat(1e6), clicks: fc.nat(1e4) }), { maxLength: 60 })
    fc.assert(
      fc.property(any, fc.integer({ min: -5, max: 70 }), (all, until) => {
        const notes = dayAnomalies(
          subject,
          all.map((one, at) => ({ ...one, day: start + at })),
          { until: start + until },
        )
        for (const { day, sentence } of notes) {
          expect(day! <= start + until && day! >= start).toBe(true)
          expect(sentence).toMatch(/^Home page .*\.$/)
          expect(sentence).not.toMatch(/NaN|Infinity|undefined/)
        }
      }),
    )
  })
})

describe('anomalies in totals', () => {
  const all = { impressions: 20_000, clicks: 10, viewable: 9_000, measurable: 15_000, invalid: 100, cost: 1 }
  it('exclude plausible and missing values', () => {
    expect(totalAnomalies(subject, all)).toEqual([])
    expect(totalAnomalies(subject, {})).toEqual([])
    expect(totalAnomalies(subject, { cost: 5 })).toEqual([])
  })
  it.each([
    [{ ...all, clicks: 0 }, 'Home page had no clicks in 20,000 impressions.'],
    [{ ...all, viewable: 4_000 }, 'Home page had a viewable rate of only 26.7%.'],
    [{ ...all, measurable: 10_000 }, 'Home page had a measurable rate of only 50%.'],
    [{ ...all, invalid: 2_000 }, 'Home page had 9.09% invalid impressions.'],
    [{ impressions: 0, clicks: 0, cost: 2 }, 'Home page had costs but no delivery.'],
  ])('%o', (totals, sentence) => {
    expect(sentences(totalAnomalies(subject, totals))).toEqual([sentence])
  })
})

it('anomalies use the median', () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, undefined])
})
