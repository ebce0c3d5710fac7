import type { Note, NoteKind } from './noticed'

/** What is told in one line: a note, several of one subject, or those of several subjects that say the same. */
export interface NoteLine extends Note {
  /** Lines of each subject, where there are several; most money first. */
  lines: readonly NoteLine[]
}

/** From so many subjects on, notes that say the same are one line. */
const alike = 4

const whole = new Intl.NumberFormat('en')

/** What several placements have in common. */
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
 * Notes on placements as lines, most money first: days of one placement are told with the newest of them, and what many
 * placements have in common is told once. `moneyOf`: what is at stake with a placement, in one currency.
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

/** Of how many things lines tell, each a subject with what is odd about it: a line of several counts them all. */
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
