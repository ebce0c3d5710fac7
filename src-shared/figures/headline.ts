import type { Trend } from './delivered-days'

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const one = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

export interface HeadlineFacts {
  /** Undefined where there is nothing to compare with. */
  trend: Trend | undefined
  /** What the trend counts from, in words: `since Tuesday`. */
  since: string
  /** Placements and packages that have a goal, and those of them that are behind or ended short. */
  judged: number
  behind: number
  /** Things to look at, as `noticedIn` counts them. */
  notes: number
}

/** What changed, in a sentence: `Delivery up 4% since Tuesday. 3 behind, 1 anomaly.` */
export function headline({ trend, since, judged, behind, notes }: HeadlineFacts): string {
  const standing = [
    judged === 0 ? '' : behind === 0 ? 'none behind' : `${whole.format(behind)} behind`,
    notes === 0 ? 'no anomalies' : `${whole.format(notes)} ${notes === 1 ? 'anomaly' : 'anomalies'}`,
  ]
  const words = standing.filter(Boolean).join(', ')
  return trend ? `Delivery ${changeWords(trend.change)} ${since}. ${capital(words)}.` : `${capital(words)}.`
}

/** `up 4%`, `down 0.6%`, or `unchanged`. */
function changeWords(change: number): string {
  const percent = Math.abs(change) * 100
  if (percent < 0.05) return 'unchanged'
  return `${change > 0 ? 'up' : 'down'} ${(percent < 2 ? one : whole).format(percent)}%`
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
