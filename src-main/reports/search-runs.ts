import { FaultError, faultOf } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import { withDaysOf } from '#shared/search-ads/relative-days'
import { wallOfInstant } from '#shared/time/zones'
import type { ReportRequest } from '#shared/wire/search/types'
import type { Client } from '../services/client'
import type { RunRecord } from './run-record'
import { failureWords, type Look, type RunService } from './run-service'

/** Messages for failed reports, with a remedy. */
const remedies: Readonly<Record<string, string>> = {
  reportUnavailableRequestTooLarge: 'The report is too large. Choose a shorter date range or one account at a time.',
  reportUnavailableRateLimitExceeded: 'Too many reports were requested at once. Try again in a few minutes.',
  reportUnavailableQuotaExceeded: 'The daily report quota is used up. Try again tomorrow.',
  reportUnavailableInternalServerError: 'The service had an internal error. Try again in 10 minutes.',
  reportUnavailableInvalidRequest: 'The service rejected the definition. Edit it, then run the report again.',
}

const dayMs = 86_400_000

/**
 * Runs search reports: a request, and the files that the service splits its results into. `now`: epoch milliseconds.
 */
export function searchRuns(client: Client, now: () => number): RunService {
  return {
    // The API can't list requests, so a request with a lost response is sent again.
    adoptLooks: 0,
    // Resolve relative dates once, so that a repeated request after a lost response covers the same days.
    before: (run) => {
      const today = Math.floor(wallOfInstant(now(), run.timeZone ?? 'UTC') / dayMs)
      const request = (run.request ?? run.definition) as JsonObject
      const definition = withDaysOf(request, today)
      const { startDate: from, endDate: to } = (definition as ReportRequest).timeRange ?? {}
      const attempt = { at: now(), known: [] }
      return Promise.resolve({
        definition,
        attempt,
        ...(definition !== request && { request }),
        ...(from !== undefined && to !== undefined && { range: { from, to } }),
      })
    },
    adopt: () => Promise.resolve(undefined),

    async start(run, signal) {
      const body = run.definition as ReportRequest
      const answer = await client.call('search.reports.request', {}, { body, signal })
      if (answer.body.id === undefined)
        throw new FaultError({ code: 'badAnswer', message: 'The response has no request ID.' })
      return { serviceId: answer.body.id }
    },

    async look(run, signal): Promise<Look> {
      try {
        const { body } = await client.call('search.reports.get', { reportId: run.serviceId! }, { signal })
        if (!body.isReportReady) return { state: 'working' }
        const files = body.files ?? []
        return {
          state: 'ready',
          more: {
            fragments: files.map(({ byteCount }) => ({
              ...(byteCount !== undefined && { bytes: Number(byteCount) }),
              done: false,
            })),
            ...(body.rowCount !== undefined && { expectedRows: body.rowCount }),
            ...(body.statisticsCurrencyCode !== undefined && { currency: body.statisticsCurrencyCode }),
            ...(body.statisticsTimeZone !== undefined && { timeZone: body.statisticsTimeZone }),
          },
        }
      } catch (error) {
        const fault = faultOf(error)
        if (fault.status !== 410) throw error
        return { state: 'failed', words: remedies[fault.reason ?? ''] ?? failureWords(fault) }
      }
    },

    download: (run, fragment, take, options) =>
      client.download('search.reports.getFile', { reportId: run.serviceId!, reportFragment: fragment }, take, options),
  }
}

/** Record of a new run of a request. */
export const searchRun = (
  name: string,
  request: ReportRequest,
): Pick<RunRecord, 'service' | 'name' | 'type' | 'definition' | 'format'> => ({
  service: 'search',
  name,
  type: request.reportType ?? '',
  definition: { maxRowsPerFile: 1_000_000, downloadFormat: 'csv', ...request },
  format: request.downloadFormat === 'tsv' ? 'tsv' : 'csv',
})
