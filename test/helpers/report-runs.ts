import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach } from 'vitest'
import type { ReportRequest } from '#shared/wire/search/types'
import type { Report } from '#shared/wire/trafficking/types'
import { readFileFacts } from '../../src-main/reports/file-facts'
import { Library } from '../../src-main/reports/library'
import type { RunRecord } from '../../src-main/reports/run-record'
import type { RunService } from '../../src-main/reports/run-service'
import { runToEnd, type RunnerOptions } from '../../src-main/reports/runner'
import { searchRun, searchRuns } from '../../src-main/reports/search-runs'
import { traffickingRun, traffickingRuns } from '../../src-main/reports/trafficking-runs'
import { lazily, serviceForFile } from './for-file'
import { clockFromMoment } from './moment'
import type { TestService } from './service'

export interface ReportRuns {
  clock: ReturnType<typeof clockFromMoment>
  service: TestService
  /** Empty before each test. */
  library: Library
  /** A report of the trafficking service. */
  report(): Report
  /** A request to the search service. */
  request(): ReportRequest
  profileId(): string
  /** A new run, of the report unless `more` says otherwise. */
  newRun(more?: Partial<RunRecord>): RunRecord
  searchRun(more?: Partial<RunRecord>): RunRecord
  behaviors(run: RunRecord): RunService
  end(run: RunRecord, more?: Partial<RunnerOptions>): Promise<RunRecord>
  /** Number of calls of an operation. */
  calls(operation: string): Promise<number>
  trouble(operation: string, more: object): Promise<unknown>
}

/** Reports of a service for a file, whose runs finish at once. `asked` completes the search request. */
export function reportRunsForFile(columns: readonly string[], asked: Partial<ReportRequest> = {}): ReportRuns {
  const clock = clockFromMoment()
  const service = serviceForFile({ seed: 'demo', now: clock.now })
  let library: Library
  let report: Report
  let request: ReportRequest
  const dateIn = (days: number): string => new Date(clock.now() + days * 86_400_000).toISOString().slice(0, 10)
  const profileId = (): string => service.sandbox.ids['profileId']!
  beforeAll(async () => {
    report = await deliveryReport(service)
    request = {
      reportType: 'campaign',
      reportScope: { agencyId: service.sandbox.ids['agencyId']! },
      statisticsCurrency: 'usd',
      timeRange: { startDate: dateIn(-160), endDate: dateIn(20) },
      columns: columns.map((columnName) => ({ columnName })),
      ...asked,
    }
  })
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runs-'))
    library = new Library(folder)
    await service.order('POST', '/reports', { milliseconds: 0, fail: 0, cancel: 0, rowsPerFile: 0 })
  })
  afterEach(async () => {
    await service.order('DELETE', '/trouble')
    await rm(folder, { recursive: true })
  })
  const newRun = (more: Partial<RunRecord> = {}): RunRecord => ({
    version: 1,
    id: Library.newId(clock.now()),
    accountId: 'sandbox',
    state: 'waiting',
    words: '',
    asked: clock.now(),
    fragments: [],
    ...traffickingRun(report, profileId()),
    ...more,
  })
  const behaviors = ({ service: name }: RunRecord): RunService =>
    name === 'search' ? searchRuns(service.client, clock.now) : traffickingRuns(service.client)
  return {
    clock,
    service,
    library: lazily(() => library),
    report: () => report,
    request: () => request,
    profileId,
    newRun,
    searchRun: (more) =>
      newRun({ ...searchRun('Clicks', request), reportId: undefined, profileId: undefined, ...more }),
    behaviors,
    end: (run, more = {}) =>
      runToEnd(run, {
        library,
        service: behaviors(run),
        readFacts: readFileFacts,
        clock,
        random: Math.random,
        wait: () => new Promise((done) => setTimeout(done, 5)),
        signal: new AbortController().signal,
        patience: 5,
        ...more,
      }),
    calls: async (operation) => (await service.requests()).filter((one) => one.operation === operation).length,
    trouble: (operation, more) => service.order('POST', '/trouble', { operation, count: 1, ...more }),
  }
}

/** The sample data's report of delivery by campaign. */
export async function deliveryReport(service: TestService): Promise<Report> {
  const profileId = service.sandbox.ids['profileId']!
  const all: Report[] = []
  for await (const { body } of service.client.pages('trafficking.reports.list', { profileId }))
    all.push(...(body.items ?? []))
  return all.find(({ name }) => name?.startsWith('Delivery by campaign'))!
}
