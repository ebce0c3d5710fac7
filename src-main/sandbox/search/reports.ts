import type { JsonObject } from '#shared/json'
import type { Report, ReportRequest } from '#shared/wire/search/types'
import { translatePath } from '#shared/wire/vocabulary'
import { contentEtag } from '../etags'
import { Media, type Call, type HandlersOf, type Service } from '../operation'
import { Problem, invalid, notFound } from '../problems'
import { contentOf, keepContent } from '../reporting/contents'
import { nextOutcome } from '../reporting/orders'
import { encodeLines } from '../reporting/separated'
import { objectsOf } from '../trafficking/objects'
import type { Value } from './search-columns'
import { readRequest } from './report-request'
import { reportRows } from './rows'
import { searchTree } from './tree'

interface Run {
  id: string
  person: string
  due: number
  state: 'waiting' | 'ready' | 'failed'
  /** The request and its results. */
  data: RunData
}

interface RunData {
  request: ReportRequest
  /** Reason of a failure. */
  reason?: string
  rowsPerFile: number
  byteCounts: number[]
  rowCount?: number
  currency?: string
  timeZone?: string
}

const readRun = (row: Omit<Run, 'data'> & { data: string }): Run => ({ ...row, data: JSON.parse(row.data) as RunData })
const saveRun = (service: Service, { data, ...row }: Run): void =>
  service.store.put('search_reports', { ...row, data: JSON.stringify(data) })

/** Finishes runs that are due. Requests are in the database, so a restart continues them. */
function settleRuns(service: Service): void {
  const { store } = service
  const sql = "SELECT * FROM search_reports WHERE state = 'waiting' AND due <= ? ORDER BY due, id"
  const due = store.all<Omit<Run, 'data'> & { data: string }>(sql, store.now).map(readRun)
  if (due.length > 0) store.transaction(() => due.forEach((run) => finish(service, run)))
}

function finish(service: Service, run: Run): void {
  const { data } = run
  if (data.reason !== undefined) return saveRun(service, { ...run, state: 'failed' })
  const { request } = data
  const tree = searchTree(service, run.due)
  let asked
  try {
    asked = readRequest(tree, request as JsonObject, service.vocabulary)
  } catch (error) {
    // The objects in the request existed when it was created.
    if (!(error instanceof Problem)) throw error
    return saveRun(service, { ...run, state: 'failed', data: { ...data, reason: 'reportUnavailableInvalidRequest' } })
  }
  const rows = reportRows(service, tree, asked)
  const format = request.downloadFormat === 'tsv' ? 'tsv' : 'csv'
  const header = asked.columns.map((column) => column.header)
  const byteCounts: number[] = []
  // A report without rows has one file with its header.
  for (let start = 0; start === 0 || start < rows.length; start += data.rowsPerFile) {
    const lines = rows.slice(start, start + data.rowsPerFile).map((values) => values.map(cellText))
    const bytes = encodeLines([header, ...lines], format)
    keepContent(service.store, `search ${run.id}`, byteCounts.length, bytes)
    byteCounts.push(bytes.length)
  }
  saveRun(service, {
    ...run,
    state: 'ready',
    data: { ...data, byteCounts, rowCount: rows.length, currency: asked.currency, timeZone: tree.source.zone },
  })
}

const cellText = (value: Value): string => (value === null ? '' : String(value))

function runOf(call: Call): Run {
  const { reportId } = call.params as { reportId: string }
  settleRuns(call.service)
  const row = call.service.store.get<Omit<Run, 'data'> & { data: string }>(
    'SELECT * FROM search_reports WHERE id = ?',
    reportId,
  )
  if (!row || row.person !== call.person.id) throw notFound(`There is no report ${reportId}.`)
  return readRun(row)
}

/** @throws Problem 410 with the reason, for a report that will never be ready. */
function refuseFailed(run: Run): void {
  if (run.state === 'failed')
    throw new Problem(410, run.data.reason!, `The report ${run.id} is not available: ${run.data.reason}.`)
}

function viewRun(call: Call, run: Run): Report {
  const { service } = call
  const { request, byteCounts, rowCount, currency, timeZone } = run.data
  const report: Report = { kind: 'search#report', id: run.id, isReportReady: run.state === 'ready', request }
  if (run.state !== 'ready') return report
  const path = translatePath(`${call.table.basePath}/reports/${run.id}/files`, service.vocabulary)
  return {
    ...report,
    rowCount,
    files: byteCounts.map((byteCount, fragment) => ({
      url: `${service.baseUrl()}${path}/${fragment}?alt=media`,
      byteCount: String(byteCount),
    })),
    statisticsCurrencyCode: currency,
    statisticsTimeZone: timeZone,
  }
}

type ReportHandlers = HandlersOf<'search.reports'>

export const searchReportHandlers: Omit<ReportHandlers, 'search.reports.getIdMappingFile'> = {
  'search.reports.generate': (call) => {
    const body = call.body as JsonObject
    if (body.reportType !== 'advertiser' && body.reportType !== 'account')
      throw invalid(
        `A report of type ${String(body.reportType)} is only made on request; advertiser and account are generated at once.`,
        'reportType',
      )
    const { service } = call
    const tree = searchTree(service)
    const asked = readRequest(tree, body, service.vocabulary)
    const rows = reportRows(service, tree, asked)
    const { startRow = 0, rowCount = 10_000 } = body as ReportRequest
    const page = rows.slice(startRow, startRow + rowCount)
    const headers = asked.columns.map(({ header }) => header)
    return {
      kind: 'search#report',
      id: objectsOf(service.store).nextId('searchReports'),
      isReportReady: true,
      request: body as ReportRequest,
      rowCount: page.length,
      rows: page.map((values) => Object.fromEntries(values.map((value, index) => [headers[index]!, value]))),
      statisticsCurrencyCode: asked.currency,
      statisticsTimeZone: tree.source.zone,
    }
  },

  'search.reports.request': (call) => {
    const { service } = call
    const { store } = service
    const request = call.body as ReportRequest
    readRequest(searchTree(service), request as JsonObject, service.vocabulary)
    const { outcome, orders } = nextOutcome(store)
    const run: Run = {
      id: objectsOf(store).nextId('searchReports'),
      person: call.person.id,
      due: store.now + orders.milliseconds,
      state: 'waiting',
      data: {
        request,
        reason: outcome === 'ready' ? undefined : orders.reason,
        rowsPerFile: orders.rowsPerFile || (request.maxRowsPerFile ?? 1_000_000),
        byteCounts: [],
      },
    }
    saveRun(service, run)
    return viewRun(call, run)
  },

  'search.reports.get': (call) => {
    const run = runOf(call)
    refuseFailed(run)
    return viewRun(call, run)
  },

  'search.reports.getFile': (call) => {
    const run = runOf(call)
    refuseFailed(run)
    if (run.state !== 'ready') throw notFound(`The report ${run.id} is not ready yet.`)
    const fragment = call.params.reportFragment
    const bytes = contentOf(call.service.store, `search ${run.id}`, fragment)
    if (!bytes) throw notFound(`The report ${run.id} has no fragment ${fragment}.`)
    const format = run.data.request.downloadFormat === 'tsv' ? 'tsv' : 'csv'
    const type = format === 'tsv' ? 'text/tab-separated-values' : 'text/csv'
    return new Media(
      `${type}; charset=UTF-8`,
      bytes,
      `report-${run.id}-${fragment}.${format}`,
      contentEtag([run.id, fragment, run.due]),
    )
  },
}
