/** Days are counted since 1970-01-01. A note is a sentence that a reader would otherwise have to find in the rows. */
export type NoteKind =
  | 'silent'
  | 'unusual'
  | 'outsideFlight'
  | 'moreClicks'
  | 'clickRate'
  | 'noClicks'
  | 'viewable'
  | 'measurable'
  | 'invalid'
  | 'activityStopped'
  | 'rotation'
  | 'costAlone'
  | 'notSet'
  | 'fewerRows'

export interface Note {
  kind: NoteKind
  /** What it is about, as it was handed in. */
  key: string
  /** Where it is about one day. */
  day?: number
  sentence: string
}

/** What a note is about: a key for whoever opens it, and its name. */
export interface Subject {
  key: string
  name: string
}

export interface DayFigures {
  day: number
  impressions?: number
  clicks?: number
  cost?: number
}

const dayMs = 86_400_000
const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
const dateWords = (day: number): string => dates.format(day * dayMs)
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const three = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const count = (value: number): string => whole.format(value)
const percent = (share: number): string => `${three.format(share * 100)}%`

/** The middle of some numbers; undefined where there is none. */
export function median(values: readonly number[]): number | undefined {
  const order = [...values].sort((a, b) => a - b)
  const middle = order.length >> 1
  if (order.length === 0) return undefined
  return order.length % 2 === 1 ? order[middle]! : (order[middle - 1]! + order[middle]!) / 2
}

interface DayOptions {
  /** The last day that does not change any more. */
  until: number
  flight?: { from: number; to: number }
}

/** Notes on the days of one subject. Days that are missing between the first and `until` are days without delivery. */
export function noticedInDays(subject: Subject, days: readonly DayFigures[], { until, flight }: DayOptions): Note[] {
  const byDay = new Map(days.filter(({ day }) => day <= until).map((one) => [one.day, one]))
  if (byDay.size === 0) return []
  const first = Math.min(...byDay.keys())
  const impressions = (day: number): number => byDay.get(day)?.impressions ?? 0
  const live = (day: number): boolean => !flight || (flight.from <= day && day <= flight.to)
  const notes: Note[] = []
  const note = (kind: NoteKind, day: number, sentence: string): void =>
    void notes.push({ kind, key: subject.key, day, sentence })
  const { name } = subject

  for (let day = first; day <= until; day++) {
    const now = impressions(day)
    const goodBefore = [1, 2, 3].every((back) => impressions(day - back) > 0)
    if (now === 0 && live(day) && goodBefore)
      note('silent', day, `${name} delivered nothing on ${dateWords(day)}, after 3 days with delivery.`)
    else if (live(day)) {
      const usual = unusual(
        now,
        [7, 14, 21, 28].map((back) => (day - back < first ? undefined : impressions(day - back))),
      )
      if (usual !== undefined)
        note(
          'unusual',
          day,
          `${name} delivered ${count(now)} on ${dateWords(day)}. ${count(usual)} is usual for that weekday.`,
        )
    }
  }
  if (flight) {
    const outside = [...byDay.values()].filter((one) => !live(one.day) && (one.impressions ?? 0) > 0)
    const total = outside.reduce((sum, one) => sum + (one.impressions ?? 0), 0)
    if (outside.length > 0) {
      const days = outside.map((one) => one.day).sort((a, b) => a - b)
      const from = dateWords(days[0]!)
      const often = outside.length === 1 ? `on ${from}` : `on ${outside.length} days since ${from}`
      // Of its newest day: what began long ago and goes on is no history.
      note('outsideFlight', days.at(-1)!, `${name} delivered ${count(total)} impressions outside its flight, ${often}.`)
    }
  }
  return [...notes, ...rateNotes(subject, [...byDay.values()])]
}

/** The median of the four same weekdays before, where a value is far from it; undefined where it is not, or they are not known. */
function unusual(value: number, before: readonly (number | undefined)[]): number | undefined {
  const known = before.filter((one) => one !== undefined)
  if (known.length < 4) return undefined
  const usual = median(known)!
  const spread = median(known.map((one) => Math.abs(one - usual)))!
  const away = Math.abs(value - usual)
  return away > 4 * 1.48 * spread && away > usual * 0.1 ? usual : undefined
}

/** Days with more clicks than impressions, or with five times as many as usual. */
function rateNotes({ key, name }: Subject, days: readonly DayFigures[]): Note[] {
  const rates = days
    .filter(({ impressions = 0 }) => impressions > 0)
    .map(({ clicks = 0, impressions = 0 }) => clicks / impressions)
  const usual = median(rates) ?? 0
  return days.flatMap(({ day, impressions = 0, clicks = 0 }): Note[] => {
    if (clicks > impressions) {
      const sentence = `${name} had more clicks (${count(clicks)}) than impressions (${count(impressions)}) on ${dateWords(day)}.`
      return [{ kind: 'moreClicks', key, day, sentence }]
    }
    if (impressions <= 1_000 || usual === 0 || clicks / impressions <= 5 * usual) return []
    const sentence = `${name} had a click rate of ${percent(clicks / impressions)} on ${dateWords(day)}, compared with the usual ${percent(usual)}.`
    return [{ kind: 'clickRate', key, day, sentence }]
  })
}

export interface TotalFigures {
  impressions?: number
  clicks?: number
  cost?: number
  viewable?: number
  measurable?: number
  /** Invalid impressions, which are not among `impressions`. */
  invalid?: number
}

/** Notes on what a subject came to in all. Figures that are absent are not judged. */
export function noticedInTotals({ key, name }: Subject, totals: TotalFigures): Note[] {
  const { impressions, clicks, cost, viewable, measurable, invalid } = totals
  const notes: Note[] = []
  const note = (kind: NoteKind, sentence: string): void => void notes.push({ kind, key, sentence })
  if (impressions !== undefined && impressions >= 20_000 && clicks === 0)
    note('noClicks', `${name} has no clicks in ${count(impressions)} impressions.`)
  if (cost !== undefined && cost > 0 && impressions === 0 && (clicks ?? 0) === 0)
    note('costAlone', `${name} has a cost but no delivery.`)
  if (viewable !== undefined && measurable !== undefined && measurable > 0 && viewable / measurable < 0.3)
    note('viewable', `Only ${percent(viewable / measurable)} of ${name} was viewable.`)
  if (measurable !== undefined && impressions !== undefined && impressions > 0 && measurable / impressions < 0.7)
    note('measurable', `Only ${percent(measurable / impressions)} of ${name} was measurable.`)
  if (invalid !== undefined && impressions !== undefined && invalid + impressions > 0) {
    const share = invalid / (invalid + impressions)
    if (share > 0.05) note('invalid', `${percent(share)} of impressions of ${name} are invalid.`)
  }
  return notes
}

/** Notes on an activity: one that counted ten a day or more, and then none until the end. */
export function noticedInActivity(
  { key, name }: Subject,
  days: readonly { day: number; conversions: number }[],
  until: number,
): Note[] {
  const byDay = new Map(days.filter(({ day }) => day <= until).map(({ day, conversions }) => [day, conversions]))
  const lastDay = Math.max(...[...byDay].filter(([, conversions]) => conversions > 0).map(([day]) => day))
  if (!Number.isFinite(lastDay) || lastDay >= until) return []
  const before = Array.from({ length: 7 }, (_, back) => byDay.get(lastDay - back)).filter((one) => one !== undefined)
  const mean = before.reduce((sum, one) => sum + one, 0) / before.length
  if (mean < 10) return []
  const sentence = `${name} averaged ${count(mean)} conversions a day, but has had none since ${dateWords(lastDay + 1)}. Its tag may be missing.`
  return [{ kind: 'activityStopped', key, day: lastDay + 1, sentence }]
}

/** A note on an ad whose creatives should run evenly, while one of them has nearly all impressions. */
export function noticedInRotation(
  { key, name }: Subject,
  creatives: readonly { name: string; impressions: number }[],
): Note[] {
  const total = creatives.reduce((sum, { impressions }) => sum + impressions, 0)
  const most = creatives.reduce((a, b) => (b.impressions > a.impressions ? b : a), { name: '', impressions: 0 })
  if (creatives.length < 2 || total === 0 || most.impressions / total <= 0.9) return []
  const sentence = `${most.name} has ${percent(most.impressions / total)} of the impressions of ${name}, which should rotate evenly.`
  return [{ kind: 'rotation', key, sentence }]
}

/** A note on a column that is too often not set: impressions without a value, of all. */
export function noticedNotSet({ key, name }: Subject, notSet: number, all: number): Note[] {
  if (all <= 0 || notSet / all <= 0.05) return []
  return [{ kind: 'notSet', key, sentence: `${name} isn’t set for ${percent(notSet / all)} of impressions.` }]
}

/** A note on a run that brought half the rows of the one before, or fewer. */
export function noticedInRuns({ key, name }: Subject, rows: number, before: number): Note[] {
  if (before < 2 || rows > before / 2) return []
  const sentence = `${name} has ${count(rows)} rows, down from ${count(before)} in the previous run.`
  return [{ kind: 'fewerRows', key, sentence }]
}
