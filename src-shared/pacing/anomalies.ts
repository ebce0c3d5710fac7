/** Kinds of anomalies. Days count from 1970-01-01. */
export type AnomalyKind =
  | 'silent'
  | 'unusual'
  | 'outsideFlight'
  | 'moreClicks'
  | 'clickRate'
  | 'noClicks'
  | 'viewable'
  | 'measurable'
  | 'invalid'
  | 'costAlone'

export interface Anomaly {
  kind: AnomalyKind
  /** Key of the subject. */
  key: string
  /** Set if the note is about one day. */
  day?: number
  sentence: string
}

/** Subject of a note: the key to open it by, and its name. */
export interface Subject {
  key: string
  name: string
}

export interface DailyMetrics {
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

/** Median, or undefined without values. */
export function median(values: readonly number[]): number | undefined {
  const order = [...values].sort((a, b) => a - b)
  const middle = order.length >> 1
  if (order.length === 0) return undefined
  return order.length % 2 === 1 ? order[middle]! : (order[middle - 1]! + order[middle]!) / 2
}

interface DayOptions {
  /** Last settled day. */
  until: number
  flight?: { from: number; to: number }
}

/** Notes on the days of a subject. Missing days before `until` count as days without delivery. */
export function dayAnomalies(
  subject: Subject,
  days: readonly DailyMetrics[],
  { until, flight }: DayOptions,
): Anomaly[] {
  const byDay = new Map(days.filter(({ day }) => day <= until).map((one) => [one.day, one]))
  if (byDay.size === 0) return []
  const first = Math.min(...byDay.keys())
  const impressions = (day: number): number => byDay.get(day)?.impressions ?? 0
  const live = (day: number): boolean => !flight || (flight.from <= day && day <= flight.to)
  const notes: Anomaly[] = []
  const note = (kind: AnomalyKind, day: number, sentence: string): void =>
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
          `${name} delivered ${count(now)} ${now === 1 ? 'impression' : 'impressions'} on ${dateWords(day)}, compared with the usual ${count(usual)} for that weekday.`,
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
      // Dated by the newest day, so that an ongoing problem doesn't count as history.
      note(
        'outsideFlight',
        days.at(-1)!,
        `${name} delivered ${count(total)} ${total === 1 ? 'impression' : 'impressions'} outside its flight, ${often}.`,
      )
    }
  }
  return [...notes, ...rateNotes(subject, [...byDay.values()])]
}

/** Median of the previous four same weekdays if the value is far from it, else undefined. */
function unusual(value: number, before: readonly (number | undefined)[]): number | undefined {
  const known = before.filter((one) => one !== undefined)
  if (known.length < 4) return undefined
  const usual = median(known)!
  const spread = median(known.map((one) => Math.abs(one - usual)))!
  const away = Math.abs(value - usual)
  return away > 4 * 1.48 * spread && away > usual * 0.1 ? usual : undefined
}

/** Notes on days with more clicks than impressions, or with five times the usual click rate. */
function rateNotes({ key, name }: Subject, days: readonly DailyMetrics[]): Anomaly[] {
  const rates = days
    .filter(({ impressions = 0 }) => impressions > 0)
    .map(({ clicks = 0, impressions = 0 }) => clicks / impressions)
  const usual = median(rates) ?? 0
  return days.flatMap(({ day, impressions = 0, clicks = 0 }): Anomaly[] => {
    if (clicks > impressions) {
      const sentence = `${name} had more clicks (${count(clicks)}) than impressions (${count(impressions)}) on ${dateWords(day)}.`
      return [{ kind: 'moreClicks', key, day, sentence }]
    }
    if (impressions <= 1_000 || usual === 0 || clicks / impressions <= 5 * usual) return []
    const sentence = `${name} had a click rate of ${percent(clicks / impressions)} on ${dateWords(day)}, compared with the usual ${percent(usual)}.`
    return [{ kind: 'clickRate', key, day, sentence }]
  })
}

export interface TotalMetrics {
  impressions?: number
  clicks?: number
  cost?: number
  viewable?: number
  measurable?: number
  /** Invalid impressions, which `impressions` doesn't include. */
  invalid?: number
}

/** Notes on the totals of a subject. Ignores absent metrics. */
export function totalAnomalies({ key, name }: Subject, totals: TotalMetrics): Anomaly[] {
  const { impressions, clicks, cost, viewable, measurable, invalid } = totals
  const notes: Anomaly[] = []
  const note = (kind: AnomalyKind, sentence: string): void => void notes.push({ kind, key, sentence })
  if (impressions !== undefined && impressions >= 20_000 && clicks === 0)
    note('noClicks', `${name} had no clicks in ${count(impressions)} impressions.`)
  if (cost !== undefined && cost > 0 && impressions === 0 && (clicks ?? 0) === 0)
    note('costAlone', `${name} had costs but no delivery.`)
  if (viewable !== undefined && measurable !== undefined && measurable > 0 && viewable / measurable < 0.3)
    note('viewable', `${name} had a viewable rate of only ${percent(viewable / measurable)}.`)
  if (measurable !== undefined && impressions !== undefined && impressions > 0 && measurable / impressions < 0.7)
    note('measurable', `${name} had a measurable rate of only ${percent(measurable / impressions)}.`)
  if (invalid !== undefined && impressions !== undefined && invalid + impressions > 0) {
    const share = invalid / (invalid + impressions)
    if (share > 0.05) note('invalid', `${name} had ${percent(share)} invalid impressions.`)
  }
  return notes
}
