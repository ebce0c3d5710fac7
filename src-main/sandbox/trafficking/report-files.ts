import type { JsonObject } from '#shared/json'
import { translatePath } from '#shared/wire/vocabulary'
import { contentEtag } from '../etags'
import { Media, type Call, type HandlersOf, type Service } from '../operation'
import { Problem } from '../problems'
import { contentOf, dropContent, keepContent } from '../reporting/contents'
import { dayText, dayAt } from '../reporting/days'
import { nextOutcome } from '../reporting/orders'
import { objectAt, spanOf, typeOf } from '../reporting/report-check'
import { tableOf } from '../reporting/report-table'
import { reportFile } from '../reporting/report-text'
import { sourceOf } from '../reporting/source'
import { objectsOf } from './objects'
import type { Stored } from './stored'
import { profileOf, profilesOf } from './profiles'
import { noSuch } from './refusals'
import { answerReportPage } from './report-page'
import { view } from './view'

const collection = 'reportFiles'

/** Starts a run. A synchronous run is complete at once. @returns the file as stored */
export function startRun(call: Call, report: Stored, synchronous: boolean): Stored {
  const { service } = call
  const { store } = service
  const objects = objectsOf(store)
  const profile = profileOf(call)
  const { outcome, orders } = nextOutcome(store)
  const source = sourceOf(service, profile.accountId)
  const type = typeOf(report)
  const span = spanOf(objectAt(objectAt(report[type.block]).dateRange), dayAt(source.wall, 'UTC'), type.block)
  const file: Stored = {
    id: objects.nextId(collection),
    kind: 'trafficking#file',
    reportId: report.id,
    fileName: String(report.fileName),
    format: String(report.format ?? 'CSV'),
    status: 'PROCESSING',
    dateRange: { kind: 'trafficking#dateRange', startDate: dayText(span.from), endDate: dayText(span.to) },
    lastModifiedTime: String(store.now),
    accountId: profile.accountId,
    profileId: profile.id,
    due: synchronous ? store.now : store.now + orders.milliseconds,
    outcome,
    report,
  }
  objects.put(collection, file)
  return synchronous ? finishRun(service, file) : file
}

/** Finishes runs that are due. Runs are in the database, so a restart continues them. */
export function settleRuns(service: Service): void {
  const { store } = service
  const due = objectsOf(store)
    .list(collection)
    .filter((file) => file.status === 'PROCESSING' && Number(file.due) <= store.now)
  if (due.length > 0) store.transaction(() => due.forEach((file) => finishRun(service, file)))
}

export const isRunning = (file: Stored): boolean => file.status === 'PROCESSING'

/** Files of a report, of every run. */
export const filesOf = (service: Service, reportId: string): Stored[] =>
  objectsOf(service.store)
    .list(collection)
    .filter((file) => file.reportId === reportId)

export function removeFiles(service: Service, reportId: string): void {
  for (const { id } of filesOf(service, reportId)) {
    dropContent(service.store, `trafficking ${id}`)
    objectsOf(service.store).remove(collection, id)
  }
}

function finishRun(service: Service, file: Stored): Stored {
  const { store, vocabulary } = service
  const statuses = { ready: 'REPORT_AVAILABLE', failed: 'FAILED', cancelled: 'CANCELLED' } as const
  const status = statuses[file.outcome as keyof typeof statuses] ?? 'FAILED'
  // Run as of the due time, whenever the file is read, so that the same clock gives the same bytes.
  const at = Number(file.due)
  if (status === 'REPORT_AVAILABLE') {
    const { dateRange } = file
    const source = sourceOf(service, String(file.accountId), at)
    const report = objectAt(file.report)
    const type = typeOf(report)
    const criteria = { ...objectAt(report[type.block]), dateRange }
    const table = tableOf(source, { ...report, [type.block]: criteria }, source.wall)
    const head = {
      name: String(report.name),
      accountId: source.accountId,
      timeZone: source.zone,
    }
    keepContent(store, `trafficking ${file.id}`, 0, reportFile(head, table, file.format === 'EXCEL', vocabulary))
  }
  const done: Stored = {
    ...file,
    status,
    lastModifiedTime: String(at),
    report: undefined,
    due: undefined,
    outcome: undefined,
  }
  objectsOf(store).put(collection, done)
  return done
}

/** A file in one version of the API, with URLs only once it's available. */
export function viewFile(call: Call, file: Stored): JsonObject {
  const { service, table } = call
  const shown = view(table, objectsOf(service.store), collection, 'File', file, 'get')
  if (file.status === 'REPORT_AVAILABLE') {
    const path = translatePath(
      `${table.basePath}/reports/${String(file.reportId)}/files/${file.id}`,
      service.vocabulary,
    )
    const base = service.baseUrl()
    shown.urls = { apiUrl: `${base}${path}?alt=media`, browserUrl: `${base}/download${path}?alt=media` }
  }
  return { ...shown, etag: contentEtag([file, shown.urls ?? null]) }
}

const excelType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

function answerFile(call: Call, reportId: string, fileId: string, accountIds: readonly string[]): JsonObject | Media {
  const { service } = call
  settleRuns(service)
  const file = objectsOf(service.store).get(collection, fileId)
  if (!file || file.reportId !== reportId || !accountIds.includes(String(file.accountId))) throw noSuch('file', fileId)
  if ((call.params as { alt?: string }).alt !== 'media') return viewFile(call, file)
  const bytes = contentOf(service.store, `trafficking ${file.id}`)
  if (!bytes)
    throw new Problem(404, 'notFound', `The report file is not available: its status is ${String(file.status)}.`)
  const excel = file.format === 'EXCEL'
  const name = `${String(file.fileName)}.${excel ? 'xlsx' : 'csv'}`
  return new Media(
    excel ? excelType : 'text/csv; charset=UTF-8',
    bytes,
    name,
    contentEtag([file.id, file.lastModifiedTime]),
  )
}

/** True if a file belongs to the scope of a list. Files can't be shared here. */
const inScope = (scope: string | undefined, profileId: string, file: Stored): boolean =>
  scope === 'ALL' || (scope !== 'SHARED_WITH_ME' && file.profileId === profileId)

type FileHandlers = HandlersOf<'trafficking.files'> & HandlersOf<'trafficking.reports.files'>

export const reportFileHandlers: FileHandlers = {
  'trafficking.files.get': (call) =>
    answerFile(
      call,
      call.params.reportId,
      call.params.fileId,
      profilesOf(call.service, call.person.id).map(({ accountId }) => String(accountId)),
    ),

  'trafficking.files.list': (call) => {
    const profile = profileOf(call)
    settleRuns(call.service)
    const files = objectsOf(call.service.store)
      .list(collection)
      .filter((file) => file.accountId === profile.accountId && inScope(call.params.scope, profile.id, file))
    return answerReportPage(call, 'trafficking#fileList', files, viewFile)
  },

  'trafficking.reports.files.get': (call) =>
    answerFile(call, call.params.reportId, call.params.fileId, [profileOf(call).accountId]),

  'trafficking.reports.files.list': (call) => {
    const profile = profileOf(call)
    const { reportId } = call.params
    settleRuns(call.service)
    if (objectsOf(call.service.store).get('reports', reportId)?.accountId !== profile.accountId)
      throw noSuch('report', reportId)
    return answerReportPage(call, 'trafficking#fileList', filesOf(call.service, reportId), viewFile)
  },
}
