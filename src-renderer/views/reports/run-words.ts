import { isOver, type Run } from '#shared/reports/runs'
import { wallOfInstant } from '#shared/time/zones'
import type { AppContext } from '../../context/context'
import { agoWords, clockText, dayOf, durationText, shortDate, shortRangeTitle, yearOf } from '../../ui/dates'

const units = ['bytes', 'KB', 'MB', 'GB'] as const

/** `812 bytes`, `4.2 MB`. */
export function sizeWords(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const shown = bytes / 1_000 ** power
  const digits = power > 0 && shown < 10 ? 1 : 0
  return `${shown.toLocaleString('en', { maximumFractionDigits: digits })} ${units[power]}`
}

/** `1 Oct – 31 Oct`; with their years where these are told apart from `thisYear`. */
export function rangeWords({ range }: Pick<Run, 'range'>, thisYear = 0): string {
  const days = range && [range.from, range.to].map((day) => Date.parse(`${day}T00:00:00Z`))
  if (!days || days.some(Number.isNaN)) return ''
  const [from, to] = days as [number, number]
  return from === to ? shortDate(from, thisYear) : shortRangeTitle(from, to, thisYear)
}

/** What is so about a run now, in one line. */
export function runWords(run: Run, now: number): string {
  const { state, words, fetched, next, rows, bytes, finished } = run
  if (state === 'kept') {
    const parts = [
      rows === undefined ? '' : `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`,
      bytes === undefined ? '' : sizeWords(bytes),
      finished === undefined ? '' : agoWords(finished, now),
    ]
    return parts.filter(Boolean).join(' · ')
  }
  if (isOver(state)) return words
  if (fetched)
    return `Fetching ${sizeWords(fetched.done)}${fetched.of === undefined ? '' : ` of ${sizeWords(fetched.of)}`}`
  if (next === undefined) return words
  const ms = next.at - now
  const wait = ms < 60_000 ? 'within a minute' : `in ${durationText(ms)}`
  if (next.words) return `${next.words} Tries again ${wait}.`
  return state === 'working' ? `${words}; asked again ${wait}` : words
}

/** How a run stands, in a word. */
export const stateWords: Readonly<Record<Run['state'], string>> = {
  held: 'Waiting',
  waiting: 'Waiting',
  asked: 'Asking',
  working: 'Running',
  fetching: 'Fetching',
  kept: 'Kept',
  failed: 'Failed',
  stopped: 'Stopped',
  needsYou: 'Needs you',
}

/** `Wed 10 Jun, 08:00`, where the person is. */
export function momentWords(at: number, { preferences, clock }: Pick<AppContext, 'preferences' | 'clock'>): string {
  const { zone, hour12 } = preferences
  const wall = wallOfInstant(at, zone)
  return `${shortDate(dayOf(wall), yearOf(clock.today(zone)))}, ${clockText(wall, hour12)}`
}
