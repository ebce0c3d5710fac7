import type { Run, RunState } from '#shared/reports/runs'
import type { RunRecord } from './run-record'

/** Where a run that was stopped goes on. */
export function goingOn({ serviceId, fragments, told, state }: RunRecord): { state: RunState; words: string } {
  if (serviceId === undefined)
    // It may have heard what it was told. Who was told of that and asks again wants it asked for.
    return told && state !== 'needsYou'
      ? { state: 'asked', words: 'Looking for the run on the server' }
      : { state: 'waiting', words: 'Queued' }
  return fragments.length > 0
    ? { state: 'fetching', words: 'Downloading the results' }
    : { state: 'working', words: 'The report is running' }
}

/** A run as the window sees it. */
export function seen(run: RunRecord, hasFile: boolean): Run {
  const { id, accountId, service, reportId, profileId, name, type, state, words, asked, range, finished } = run
  const { rows, bytes, format, totalsAgree, awaits, serviceId, pinned = false } = run
  return {
    id,
    accountId,
    service,
    name,
    type,
    state,
    words,
    asked,
    format,
    pinned,
    hasFile,
    ...(reportId !== undefined && { reportId }),
    ...(profileId !== undefined && { profileId }),
    ...(range && { range }),
    ...(finished !== undefined && { finished }),
    ...(rows !== undefined && { rows }),
    ...(bytes !== undefined && { bytes }),
    ...(totalsAgree !== undefined && { totalsAgree }),
    ...(awaits && { awaits }),
    ...(serviceId !== undefined && { begun: true }),
  }
}
