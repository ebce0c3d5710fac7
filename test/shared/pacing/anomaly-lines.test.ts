import { describe, expect, it } from 'vitest'
import { anomalyCount, anomalyLines } from '#shared/pacing/anomaly-lines'
import { dayAnomalies, type Anomaly, type AnomalyKind } from '#shared/pacing/anomalies'

const start = Date.UTC(2026, 2, 1) / 86_400_000
const note = (kind: AnomalyKind, key: string, day?: number): Anomaly => ({
  kind,
  key,
  sentence: `${key} ${kind} ${day ?? ''}.`,
  ...(day !== undefined && { day }),
})
const money = { a: 10, b: 30, c: 20, d: 5 } as Record<string, number>
const lines = (...notes: Anomaly[]): string[] =>
  anomalyLines(notes, (key) => money[key] ?? 0).map(({ sentence }) => sentence)

describe('anomaly lines', () => {
  it('are sorted by cost, then by date', () => {
    expect(
      lines(note('silent', 'a', 9), note('unusual', 'b', 2), note('noClicks', 'c'), note('unusual', 'a', 7)),
    ).toEqual(['b unusual 2.', 'c noClicks .', 'a silent 9.', 'a unusual 7.'])
  })

  it('combine several days of one placement, with the latest', () => {
    expect(
      lines(note('unusual', 'a', 3), note('unusual', 'a', 5), note('unusual', 'a', 4), note('silent', 'a', 1)),
    ).toEqual(['a unusual 5. The same happened on 2 other days.', 'a silent 1.'])
  })

  it('combine similar ones in one line, ranked by total cost', () => {
    const all = ['a', 'b', 'c', 'd'].map((key) => note('noClicks', key))
    const [first, second, third] = anomalyLines(
      [...all, note('silent', 'e', 3), note('silent', 'b', 2)],
      (key) => money[key] ?? 0,
    )
    expect(first!.sentence).toBe('4 placements had no clicks in at least 20,000 impressions.')
    expect(first!.lines.map(({ key }) => key)).toEqual(['b', 'c', 'a', 'd'])
    expect([second!.sentence, third!.sentence]).toEqual(['b silent 2.', 'e silent 3.'])
    expect(anomalyLines(all.slice(1), () => 0)).toHaveLength(3)
    expect(anomalyCount([first!, second!, third!])).toBe(6)
  })

  it('are complete, expanded or not', () => {
    const kinds: AnomalyKind[] = ['silent', 'unusual', 'noClicks', 'viewable']
    const all = kinds.flatMap((kind) => Array.from({ length: 6 }, (_, at) => note(kind, `p${at}`, start)))
    const listed = anomalyLines(all, () => 1).flatMap(({ kind, key, lines }) =>
      lines.length > 0 ? lines.map((one) => `${one.kind} ${one.key}`) : [`${kind} ${key}`],
    )
    expect(listed.sort()).toEqual(all.map(({ kind, key }) => `${kind} ${key}`).sort())
    expect(anomalyCount(anomalyLines(all, () => 1))).toBe(listed.length)
  })
})

it('delivery outside a running flight is reported by its latest day', () => {
  const days = Array.from({ length: 30 }, (_, at) => ({ day: start + at, impressions: 5 }))
  const flight = { from: start, to: start + 3 }
  const [said] = dayAnomalies({ key: 'a', name: 'Home page' }, days, { until: start + 29, flight })
  expect([said!.kind, said!.day]).toEqual(['outsideFlight', start + 29])
  expect(said!.sentence).toContain('on 26 days since 5 March')
})
