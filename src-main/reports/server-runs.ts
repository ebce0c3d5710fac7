import { FaultError } from '#shared/fault'
import { sameJson, type JsonObject } from '#shared/json'
import { criteriaOf } from '#shared/pacing/planned'
import type { ServerRun, ServerRuns } from '#shared/reports/runs'
import type { File, Report } from '#shared/wire/trafficking/types'
import type { Client } from '../services/client'
import type { RunRecord } from './run-record'
import { traffickingRun } from './trafficking-runs'

export interface ReportPlace {
  profileId: string
  reportId: string
}

const rangeOf = ({ dateRange }: File): Pick<ServerRun, 'range'> =>
  dateRange?.startDate && dateRange.endDate ? { range: { from: dateRange.startDate, to: dateRange.endDate } } : {}

/** Runs that have results or may get them, newest first. @throws FaultError */
export async function serverRuns(
  client: Client,
  { pageToken, ...place }: ReportPlace & { pageToken?: string | undefined },
): Promise<ServerRuns> {
  const params = { ...place, maxResults: 10, ...(pageToken !== undefined && { pageToken }) }
  const { body } = await client.call('trafficking.reports.files.list', params)
  const runs = (body.items ?? []).flatMap((file): ServerRun[] => {
    const { id, status, lastModifiedTime } = file
    const made = Number(lastModifiedTime)
    if (id === undefined || !Number.isSafeInteger(made) || status === 'FAILED' || status === 'CANCELLED') return []
    return [{ id, made, isReady: status === 'REPORT_AVAILABLE', ...rangeOf(file) }]
  })
  const more = body.nextPageToken ? { pageToken: body.nextPageToken } : {}
  return { runs, ...more }
}

/** True if a record is that of a run, or may become it once its request is looked up. */
export const isOwn =
  ({ id, made }: ServerRun) =>
  ({ serviceId, attempt, state }: RunRecord): boolean =>
    serviceId === id ||
    (serviceId === undefined &&
      (state === 'asked' || state === 'waiting') &&
      attempt !== undefined &&
      !attempt.known.includes(id) &&
      made >= attempt.at - 1_000)

/** Record of a run on the server, as of its file. `before`: earlier runs of its report. @throws FaultError */
export async function serverRun(
  client: Client,
  { profileId, reportId, fileId, before }: ReportPlace & { fileId: string; before: readonly RunRecord[] },
): Promise<Pick<RunRecord, 'asked' | 'serviceId' | 'fragments'> & ReturnType<typeof traffickingRun>> {
  const [{ body: file }, { body: report }] = await Promise.all([
    client.call('trafficking.reports.files.get', { profileId, reportId, fileId }),
    client.call('trafficking.reports.get', { profileId, reportId }),
  ])
  const asked = Number(file.lastModifiedTime)
  if (!Number.isSafeInteger(asked))
    throw new FaultError({ code: 'badAnswer', message: 'The response doesn’t say when the report ran.' })
  const about = traffickingRun({ ...report, id: reportId }, profileId)
  const current = about.definition as Report
  const at = (one: Report): number => Number(one.lastModifiedTime ?? 0)
  const isCurrent = (one: Report): boolean =>
    sameJson([one.type, criteriaOf(one as JsonObject)], [current.type, criteriaOf(current as JsonObject)])
  const known = before.find(({ definition, serviceId }) => {
    const one = definition as Report
    return one.type !== undefined && (serviceId === fileId || (at(one) <= asked && isCurrent(one)))
  })
  // A definition that was edited since may not be that of the file. Without an earlier one, headers tell the columns.
  const definition =
    asked >= at(current) ? current : (known?.definition ?? ({ id: reportId, name: about.name } satisfies JsonObject))
  return {
    ...about,
    definition: definition as RunRecord['definition'],
    format: (file.format ?? report.format) === 'EXCEL' ? 'xlsx' : 'csv',
    asked,
    serviceId: fileId,
    ...rangeOf(file),
    fragments: file.status === 'REPORT_AVAILABLE' ? [{ done: false }] : [],
  }
}
