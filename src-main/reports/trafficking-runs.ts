import { FaultError } from '#shared/fault'
import type { File, Report } from '#shared/wire/trafficking/types'
import type { JsonObject } from '#shared/json'
import type { Client } from '../services/client'
import { hasPlannedDays } from './planned-days'
import type { RunRecord } from './run-record'
import type { Look, RunService } from './run-service'

const placeOf = ({ profileId = '', reportId = '' }: RunRecord): { profileId: string; reportId: string } => ({
  profileId,
  reportId,
})

/** Runs trafficking reports. After a lost response, the run is found among the report's files. */
export function traffickingRuns(client: Client): RunService {
  const newestFiles = async (run: RunRecord, signal: AbortSignal): Promise<{ files: File[]; date: number }> => {
    const answer = await client.call('trafficking.reports.files.list', { ...placeOf(run), maxResults: 10 }, { signal })
    return { files: answer.body.items ?? [], date: answer.date ?? 0 }
  }
  const asRun = ({ id, dateRange }: File): Partial<RunRecord> => ({
    serviceId: id,
    ...(dateRange?.startDate && dateRange.endDate && { range: { from: dateRange.startDate, to: dateRange.endDate } }),
  })
  return {
    adoptLooks: 3,

    // The service runs its own version of the report, which may have changed since this computer read it.
    async before(run, signal) {
      const { body } = await client.call('trafficking.reports.get', placeOf(run), { signal })
      const { files, date } = await newestFiles(run, signal)
      const attempt = { at: date, known: files.flatMap(({ id }) => id ?? []) }
      return { ...traffickingRun({ id: run.reportId, ...body }, run.profileId ?? ''), attempt }
    },

    async start(run, signal) {
      const { body } = await client.call('trafficking.reports.run', placeOf(run), { signal })
      if (body.id === undefined) throw new FaultError({ code: 'badAnswer', message: 'The response has no run ID.' })
      return asRun(body)
    },

    async adopt(run, signal) {
      const { at, known } = run.attempt!
      const { files } = await newestFiles(run, signal)
      const { definition } = run
      // The service rounds to seconds. Someone else may have run the report with other dates within that second.
      const own = files.filter(
        ({ id, lastModifiedTime, dateRange }) =>
          id !== undefined &&
          !known.includes(id) &&
          Number(lastModifiedTime) >= at - 1_000 &&
          hasPlannedDays(definition as JsonObject, at, dateRange),
      )
      const oldest = own.at(-1)
      return oldest && asRun(oldest)
    },

    async look(run, signal): Promise<Look> {
      const params = { ...placeOf(run), fileId: run.serviceId! }
      const { body } = await client.call('trafficking.reports.files.get', params, { signal })
      switch (body.status) {
        case 'REPORT_AVAILABLE':
          return { state: 'ready', more: { ...asRun(body), fragments: [{ done: false }] } }
        case 'FAILED':
          return { state: 'failed', words: 'The report failed on the server. The service gave no reason.' }
        case 'CANCELLED':
          return { state: 'failed', words: 'The run was canceled on the server.' }
        default:
          return { state: 'working' }
      }
    },

    download: (run, _fragment, take, options) =>
      client.download('trafficking.reports.files.get', { ...placeOf(run), fileId: run.serviceId! }, take, options),
  }
}

/** Record of a new run of a report. */
export const traffickingRun = (
  report: Report,
  profileId: string,
): Pick<RunRecord, 'service' | 'reportId' | 'profileId' | 'name' | 'type' | 'definition' | 'format'> => ({
  service: 'trafficking',
  reportId: report.id ?? '',
  profileId,
  name: report.name ?? '',
  type: report.type ?? '',
  definition: report as Record<string, unknown>,
  format: report.format === 'EXCEL' ? 'xlsx' : 'csv',
})
