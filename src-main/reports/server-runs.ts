import { FaultError } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { ServerRun, ServerRuns } from '#shared/reports/runs'
import type { File } from '#shared/wire/trafficking/types'
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

/** Record of a run on the server, as of its file. @throws FaultError */
export async function serverRun(
  client: Client,
  { profileId, reportId, fileId }: ReportPlace & { fileId: string },
): Promise<Pick<RunRecord, 'asked' | 'serviceId' | 'fragments'> & ReturnType<typeof traffickingRun>> {
  const [{ body: file }, { body: report }] = await Promise.all([
    client.call('trafficking.reports.files.get', { profileId, reportId, fileId }),
    client.call('trafficking.reports.get', { profileId, reportId }),
  ])
  const asked = Number(file.lastModifiedTime)
  if (!Number.isSafeInteger(asked))
    throw new FaultError({ code: 'badAnswer', message: 'The response doesn’t say when the report ran.' })
  const about = traffickingRun({ ...report, id: reportId }, profileId)
  // A definition that was edited since says nothing about the file, so its columns are recognized by their headers.
  const isDefinition = asked >= Number(report.lastModifiedTime ?? 0)
  const definition: JsonObject = { id: reportId, name: about.name }
  return {
    ...about,
    ...(!isDefinition && { definition }),
    format: (file.format ?? report.format) === 'EXCEL' ? 'xlsx' : 'csv',
    asked,
    serviceId: fileId,
    ...rangeOf(file),
    fragments: file.status === 'REPORT_AVAILABLE' ? [{ done: false }] : [],
  }
}
