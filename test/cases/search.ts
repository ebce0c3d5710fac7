import { expect } from 'vitest'
import type { Conversion, Report, ReportRequest } from '#shared/wire/search/types'
import type { Cases, World } from './world'

const yyyymmdd = (time: number): number => Number(new Date(time).toISOString().slice(0, 10).replaceAll('-', ''))
const day = 86_400_000

export function searchCases(world: World): Cases<'search'> {
  const { call, caller } = world
  const ids = world.ids as Record<
    'agencyId' | 'advertiserId' | 'engineAccountId' | 'customerId' | 'campaignId' | 'adGroupId' | 'criterionId',
    string
  >
  const { agencyId, advertiserId, engineAccountId, customerId, adGroupId, criterionId } = ids
  const account = { agencyId, advertiserId, engineAccountId }
  const lastDays = { startDate: yyyymmdd(world.now() - 5 * day), endDate: yyyymmdd(world.now() + day), startRow: 0 }

  /** An activity the advertiser has. */
  const activity = async (): Promise<string> => {
    const params = { profileId: world.ids.profileId!, advertiserId, maxResults: 1 }
    const { body } = await caller.call('trafficking.trackingActivities.list', params)
    return body.trackingActivities![0]!.name!
  }
  const conversion = async (): Promise<Conversion & { conversionId: string }> => ({
    ...account,
    campaignId: ids.campaignId,
    adGroupId,
    criterionId,
    conversionId: world.unique(),
    conversionTimestamp: String(world.now() - 3_600_000),
    segmentationType: 'TRACKING',
    segmentationName: await activity(),
    type: 'TRANSACTION',
    revenueMicros: '12500000',
    currencyCode: 'EUR',
    quantityMillis: '1000',
  })
  const inserted = async (): Promise<Conversion & { conversionId: string }> => {
    const wanted = await conversion()
    const { body } = await call('search.conversion.insert', {}, { body: { conversion: [wanted] } })
    expect(body.conversion).toMatchObject([{ conversionId: wanted.conversionId, state: 'ACTIVE' }])
    return { ...wanted, ...body.conversion![0] } as never
  }
  /** Every conversion of recent days, window by window. */
  const all = async (): Promise<Conversion[]> => {
    const found: Conversion[] = []
    for (;;) {
      const window = { ...lastDays, startRow: found.length, rowCount: 1000 }
      const { conversion: page = [] } = (await call('search.conversion.get', { ...account, ...window })).body
      found.push(...page)
      if (page.length < 1000) return found
    }
  }
  const request: ReportRequest = {
    reportScope: { agencyId, advertiserId },
    reportType: 'campaign',
    columns: [{ columnName: 'campaign' }, { columnName: 'impr' }, { columnName: 'clicks' }],
    timeRange: {
      startDate: new Date(world.now() - 30 * day).toISOString().slice(0, 10),
      endDate: new Date(world.now() - day).toISOString().slice(0, 10),
    },
    downloadFormat: 'csv',
    maxRowsPerFile: 1_000_000,
    statisticsCurrency: 'agency',
  }
  const ready = async (): Promise<Report & { id: string }> => {
    const { body } = await call('search.reports.request', {}, { body: request })
    expect(body.isReportReady).toBe(false)
    for (let tries = 0; tries < 1200; tries++) {
      const report = (await caller.call('search.reports.get', { reportId: body.id! })).body
      if (report.isReportReady) return report as never
      await new Promise((done) => setTimeout(done, 25))
    }
    throw new Error('The report never was ready')
  }

  return {
    'search.conversion.insert': async () => {
      const { conversionId } = await inserted()
      expect((await all()).map((one) => one.conversionId)).toContain(conversionId)
    },
    'search.conversion.get': async () => {
      const { conversionId } = await inserted()
      const rows = await all()
      expect(rows.map((one) => one.conversionId)).toContain(conversionId)
      const window = { ...lastDays, startRow: rows.length - 1, rowCount: 1 }
      expect((await call('search.conversion.get', { ...account, ...window })).body.conversion).toHaveLength(1)
    },
    'search.conversion.getByCustomerId': async () => {
      const { conversionId } = await inserted()
      const params = { customerId, ...lastDays, rowCount: 1000, criterionId, adGroupId, campaignId: ids.campaignId }
      const { body } = await call('search.conversion.getByCustomerId', params)
      expect(body.conversion!.map((one) => one.conversionId)).toContain(conversionId)
    },
    'search.conversion.update': async () => {
      const { conversionId, conversionTimestamp, type } = await inserted()
      const change: Conversion = {
        ...(await conversion()),
        conversionId,
        conversionTimestamp,
        type,
        state: 'REMOVED',
      }
      await call('search.conversion.update', {}, { body: { conversion: [change] } })
      const after = (await all()).find((one) => one.conversionId === conversionId)
      expect(after?.state).toBe('REMOVED')
    },
    'search.conversion.updateAvailability': async () => {
      const availability = {
        agencyId,
        advertiserId,
        availabilityTimestamp: String(world.now() - day),
        segmentationType: 'TRACKING',
        segmentationName: await activity(),
      }
      const { body } = await call(
        'search.conversion.updateAvailability',
        {},
        { body: { availabilities: [availability] } },
      )
      expect(body.availabilities).toMatchObject([availability])
    },
    'search.reports.generate': async () => {
      const { downloadFormat: _format, maxRowsPerFile: _rows, ...rest } = request
      const body: ReportRequest = {
        ...rest,
        reportType: 'advertiser',
        columns: [{ columnName: 'advertiser' }, { columnName: 'clicks' }],
        startRow: 0,
        rowCount: 100,
      }
      const answer = (await call('search.reports.generate', {}, { body })).body
      expect(answer).toMatchObject({ isReportReady: true, rowCount: answer.rows!.length })
      expect(Object.keys(answer.rows![0]!)).toEqual(['advertiser', 'clicks'])
    },
    'search.reports.request': ready,
    'search.reports.get': async () => {
      const { id } = await ready()
      const { body } = await call('search.reports.get', { reportId: id })
      expect(body).toMatchObject({ id, isReportReady: true })
      expect(Number(body.files![0]!.byteCount)).toBeGreaterThan(10)
    },
    'search.reports.getFile': async () => {
      const { id, files } = await ready()
      const file = await caller.download('search.reports.getFile', { reportId: id, reportFragment: 0 })
      expect(file.bytes.length).toBe(Number(files![0]!.byteCount))
      expect(file.bytes.toString('utf8').split(/\r?\n/)[0]).toBe('campaign,impr,clicks')
    },
    'search.reports.getIdMappingFile': async () => {
      const file = await caller.download('search.reports.getIdMappingFile', { agencyId, advertiserId })
      expect(file.contentType).toContain('csv')
      expect(file.bytes.toString('utf8')).toContain(engineAccountId)
    },
    'search.savedColumns.list': async () => {
      const { items } = (await call('search.savedColumns.list', { agencyId, advertiserId })).body
      expect(items!.length).toBeGreaterThan(0)
    },
  }
}
