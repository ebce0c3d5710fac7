import { currentText } from '#shared/former-words'
import type { JsonObject } from '#shared/json'
import { plannedDeliveries } from '#shared/pacing/planned'
import type { Run, RunState } from '#shared/reports/runs'
import type { RunRecord } from './run-record'

/** State in which a stopped run resumes. */
export function resumedState({ serviceId, fragments, attempt, state }: RunRecord): { state: RunState; words: string } {
  if (serviceId === undefined)
    // The service may have received the request. If the user already saw that warning and retries, send it again.
    return attempt && state !== 'needsYou'
      ? { state: 'asked', words: 'Looking for the run on the server' }
      : { state: 'waiting', words: 'Queued' }
  return fragments.length > 0
    ? { state: 'fetching', words: 'Downloading the results' }
    : { state: 'working', words: 'The report is running' }
}

/** Converts a record to what the window shows. */
export function toRun(run: RunRecord, hasFile: boolean): Run {
  const { id, accountId, service, reportId, profileId, name, type, state, words, asked, range, finished } = run
  const { rows, bytes, format, totalsAgree, awaits, serviceId, attempt, found, pinned = false } = run
  const deliveries = service === 'trafficking' ? plannedDeliveries(run.definition as JsonObject) : undefined
  return {
    id,
    accountId,
    service,
    name,
    type,
    state,
    words: currentText(words),
    asked,
    format,
    pinned,
    hasFile,
    ...(reportId !== undefined && { reportId }),
    ...(profileId !== undefined && { profileId }),
    ...(attempt && attempt.at > 0 && { requested: attempt.at }),
    ...(range && { range }),
    ...(finished !== undefined && { finished }),
    ...(rows !== undefined && { rows }),
    ...(bytes !== undefined && { bytes }),
    ...(totalsAgree !== undefined && { totalsAgree }),
    ...(deliveries && { deliveries }),
    ...(awaits && { awaits }),
    ...(serviceId !== undefined && { begun: true }),
    ...(found !== undefined && { found: true }),
  }
}
