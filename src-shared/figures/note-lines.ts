import type { Note, NoteKind } from './noticed'

/** Line of the list: a note, several notes on one subject, or the same note on several subjects. */
export interface NoteLine extends Note {
  /** Lines of each subject if there are several, highest spend first. */
  lines: readonly NoteLine[]
}

/** Minimum number of subjects with the same note that share a line. */
const alike = 4

const whole = new Intl.NumberFormat('en')

/** Predicates for lines about several placements. */
const together: Partial<Record<NoteKind, string>> = {
  silent: 'delivered nothing on a day, after 3 days with delivery',
  unusual: 'delivered far more or less than usual for the weekday',
  outsideFlight: 'delivered outside their flights',
  moreClicks: 'had more clicks than impressions on a day',
  clickRate: 'had a click rate far above usual on a day',
  noClicks: 'have no clicks in 20,000 or more impressions',
  viewable: 'were viewable less than 30% of the time',
  measurable: 'were measurable less than 70% of the time',
  invalid: 'have more than 5% invalid impressions',
  costAlone: 'have a cost but no delivery',
}

/**
 * Groups notes on placements into lines, highest spend first. Several days of a placement become one line, and so does
 * a note that many placements share. `moneyOf`: spend of a placement, in one currency.
 */
export function noteLines(notes: readonly Note[], moneyOf: (key: string) => number): NoteLine[] {
  const bySubject = grouped(notes, ({ kind, key }) => `${kind} ${key}`).map(lineOf)
  const byKind = grouped(bySubject, ({ kind }) => kind)
  const lines = byKind.flatMap((lines): { line: NoteLine; money: number }[] => {
    const weighed = lines
      .map((line) => ({ line, money: moneyOf(line.key) }))
      .sort((a, b) => b.money - a.money || newer(a.line, b.line))
    const [first] = weighed
    const words = together[first!.line.kind]
    if (lines.length < alike || words === undefined) return weighed
    const line: NoteLine = {
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
export const noticedIn = (notes: readonly NoteLine[]): number =>
  notes.reduce((sum, { lines }) => sum + Math.max(1, lines.length), 0)

function lineOf(notes: readonly Note[]): NoteLine {
  const [newest, ...others] = [...notes].sort(newer)
  const also =
    others.length === 1 ? 'The same happened on 1 other day.' : `The same happened on ${others.length} other days.`
  return { ...newest!, lines: [], ...(others.length > 0 && { sentence: `${newest!.sentence} ${also}` }) }
}

const newer = (a: Note, b: Note): number => (b.day ?? 0) - (a.day ?? 0)

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const group = groups.get(keyOf(one))
    if (group) group.push(one)
    else groups.set(keyOf(one), [one])
  }
  return [...groups.values()]
}
