import { asSentence } from '#shared/fault'
import type { OutboxEntry } from '#shared/mutation/entry'
import { isOver, type Run } from '#shared/reports/runs'
import { wallOfInstant } from '#shared/time/zones'
import type { AppContext } from '../../context/context'
import { capital, faultWords } from '../../context/lane-words'
import { agoWords, clockText, dayOf, durationText, shortDate, shortRangeTitle, yearOf } from '../../ui/dates'
import { bareLabel } from '../../ui/plain-label'
import { sizeWords } from '../../ui/size-words'

/** Date range of a run, such as `1 Oct – 31 Oct`. Includes years other than `thisYear`. */
export function rangeWords({ range }: Pick<Run, 'range'>, thisYear = 0): string {
  const days = range && [range.from, range.to].map((day) => Date.parse(`${day}T00:00:00Z`))
  if (!days || days.some(Number.isNaN)) return ''
  const [from, to] = days as [number, number]
  return from === to ? shortDate(from, thisYear) : shortRangeTitle(from, to, thisYear)
}

/** The change that needs attention before a queued run can start: one that it waits for, or that such a one depends on. */
export function stuckBy({ state, awaits = [] }: Run, outbox: readonly OutboxEntry[]): OutboxEntry | undefined {
  if (state !== 'held') return undefined
  const byId = new Map(outbox.map((entry) => [entry.id, entry]))
  const needed = new Set(awaits)
  for (const id of needed) {
    const entry = byId.get(id)
    if (entry?.state === 'needsYou') return entry
    for (const other of entry?.dependsOn ?? []) needed.add(other)
  }
  return undefined
}

/** State of a run in one line. `stuck`: the change that has to be resolved first. */
export function runWords(run: Run, now: number, stuck?: Pick<OutboxEntry, 'label'>): string {
  if (stuck) return `Waiting until you resolve “${bareLabel(stuck.label)}” in Sync`
  const { state, words, fetched, next, rows, bytes, finished, hasFile } = run
  if (state === 'kept') {
    const parts = [
      hasFile ? '' : 'File not found',
      rows === undefined ? '' : `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`,
      bytes === undefined ? '' : sizeWords(bytes),
      finished === undefined ? '' : agoWords(finished, now),
    ]
    return parts.filter(Boolean).join(' · ')
  }
  if (isOver(state)) return words
  if (fetched)
    return `Downloading ${sizeWords(fetched.done)}${fetched.of === undefined ? '' : ` of ${sizeWords(fetched.of)}`}`
  if (next === undefined) return words
  const ms = next.at - now
  const wait = ms < 60_000 ? 'within 1 min' : `in ${durationText(ms)}`
  if (next.fault) return `${retryWords(next.fault)} Retrying ${wait}.`
  return state === 'working' ? `${words} · next check ${wait}` : words
}

/** Why a run waits. The service's own words come second, in parentheses. */
const retryWords = ({ code, status, message }: NonNullable<NonNullable<Run['next']>['fault']>): string =>
  asSentence(status === undefined ? message : `${capital(faultWords[code])} (${message.replace(/\.$/, '')})`)

/** True while a run makes progress, which queued runs and runs after an error don't. */
export const isMoving = ({ state, next }: Pick<Run, 'state' | 'next'>): boolean =>
  !isOver(state) && state !== 'held' && next?.fault === undefined

/** Retry options of a finished run without a file, the most likely first. */
export function retryOptions({ state, begun, hasFile, damaged }: Run): { label: string; rerun: boolean }[] {
  if ((state === 'kept' && hasFile) || !isOver(state) || damaged) return []
  const rerun = { label: 'Run again', rerun: true }
  if (state === 'stopped') return [{ label: 'Resume', rerun: false }]
  if (state === 'needsYou' && begun) return [{ label: 'Check again', rerun: false }, rerun]
  return [{ label: 'Run again', rerun: false }]
}

/** Labels of the states. */
export const stateWords: Readonly<Record<Run['state'], string>> = {
  held: 'Queued',
  waiting: 'Queued',
  asked: 'Requesting',
  working: 'Running',
  fetching: 'Downloading',
  kept: 'Complete',
  failed: 'Failed',
  stopped: 'Stopped',
  needsYou: 'Needs attention',
}

/** Formats a time as `Wed 10 Jun, 08:00` in the user's zone. */
export function momentWords(at: number, { preferences, clock }: Pick<AppContext, 'preferences' | 'clock'>): string {
  const { zone, hour12 } = preferences
  const wall = wallOfInstant(at, zone)
  return `${shortDate(dayOf(wall), yearOf(clock.today(zone)))}, ${clockText(wall, hour12)}`
}

/** Which file of a report: the days of its run, and when it ran. */
export const fileWords = (run: Run, app: Pick<AppContext, 'preferences' | 'clock'>): string =>
  [rangeWords(run), `run ${momentWords(run.asked, app)}`].filter(Boolean).join(' · ')
