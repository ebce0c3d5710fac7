import type { Trend } from './delivered-days'

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const one = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

export interface HeadlineFacts {
  /** Undefined without an earlier period. */
  trend: Trend | undefined
  /** Start of the trend in words, such as `since Tuesday`. */
  since: string
  /** Number of placements and packages with a goal, and of those behind or ended short. */
  judged: number
  behind: number
  /** Number of anomalies, see `anomalyCount`. */
  notes: number
}

/** Summary such as `Delivery up 4% since Tuesday. 3 behind, 1 anomaly.` */
export function headline({ trend, since, judged, behind, notes }: HeadlineFacts): string {
  const facts = [
    judged === 0 ? '' : behind === 0 ? 'none behind' : `${whole.format(behind)} behind`,
    notes === 0 ? 'no anomalies' : `${whole.format(notes)} ${notes === 1 ? 'anomaly' : 'anomalies'}`,
  ]
  const words = facts.filter(Boolean).join(', ')
  return trend ? `Delivery ${changeWords(trend.change)} ${since}. ${capital(words)}.` : `${capital(words)}.`
}

/** `up 4%`, `down 0.6%`, or `unchanged`. */
function changeWords(change: number): string {
  const percent = Math.abs(change) * 100
  if (percent < 0.05) return 'unchanged'
  return `${change > 0 ? 'up' : 'down'} ${(percent < 2 ? one : whole).format(percent)}%`
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
