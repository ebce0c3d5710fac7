import type { Anomaly, AnomalyKind } from './anomalies'

/** Line of the list: a note, several notes on one subject, or the same note on several subjects. */
export interface AnomalyLine extends Anomaly {
  /** Lines of each subject if there are several, highest spend first. */
  lines: readonly AnomalyLine[]
}

/** Minimum number of subjects with the same note that share a line. */
const alike = 4

const whole = new Intl.NumberFormat('en')

/** Predicates for lines about several placements. */
const together: Partial<Record<AnomalyKind, string>> = {
  silent: 'had a day without delivery after 3 days with delivery',
  unusual: 'had a day with far more or far less delivery than usual for that weekday',
  outsideFlight: 'delivered outside their flights',
  moreClicks: 'had a day with more clicks than impressions',
  clickRate: 'had a day with an unusually high click rate',
  noClicks: 'had no clicks in at least 20,000 impressions',
  viewable: 'had a viewable rate below 30%',
  measurable: 'had a measurable rate below 70%',
  invalid: 'had more than 5% invalid impressions',
  costAlone: 'had costs but no delivery',
}

/**
 * Groups notes on placements into lines, highest spend first. Several days of a placement become one line, and so does
 * a note that many placements share. `moneyOf`: spend of a placement, in one currency.
 */
export function anomalyLines(notes: readonly Anomaly[], moneyOf: (key: string) => number): AnomalyLine[] {
  const bySubject = grouped(notes, ({ kind, key }) => `${kind} ${key}`).map(lineOf)
  const byKind = grouped(bySubject, ({ kind }) => kind)
  const lines = byKind.flatMap((lines): { line: AnomalyLine; money: number }[] => {
    const weighed = lines
      .map((line) => ({ line, money: moneyOf(line.key) }))
      .sort((a, b) => b.money - a.money || newer(a.line, b.line))
    const [first] = weighed
    const words = together[first!.line.kind]
    if (lines.length < alike || words === undefined) return weighed
    const line: AnomalyLine = {
      kind: first!.line.kind,
      key: first!.line.key,
      sentence: `${whole.format(lines.length)} placements ${words}.`,
      lines: weighed.map(({ line }) => line),
    }
    return [{ line, money: weighed.reduce((sum, { money }) => sum + money, 0) }]
  })
  return lines.sort((a, b) => b.money - a.money || newer(a.line, b.line)).map(({ line }) => line)
}

/** Number of anomalies. A line about several subjects counts each. */
export const anomalyCount = (notes: readonly AnomalyLine[]): number =>
  notes.reduce((sum, { lines }) => sum + Math.max(1, lines.length), 0)

function lineOf(notes: readonly Anomaly[]): AnomalyLine {
  const [newest, ...others] = [...notes].sort(newer)
  const also =
    others.length === 1 ? 'The same happened on 1 other day.' : `The same happened on ${others.length} other days.`
  return { ...newest!, lines: [], ...(others.length > 0 && { sentence: `${newest!.sentence} ${also}` }) }
}

const newer = (a: Anomaly, b: Anomaly): number => (b.day ?? 0) - (a.day ?? 0)

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const group = groups.get(keyOf(one))
    if (group) group.push(one)
    else groups.set(keyOf(one), [one])
  }
  return [...groups.values()]
}
