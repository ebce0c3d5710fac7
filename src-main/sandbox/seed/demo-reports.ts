import type { JsonObject } from '#shared/json'
import type { Service } from '../operation'
import { dayAt, dayText, relativeSpan } from '../reporting/days'
import { prefix } from '#shared/facts/report-fields'
import { reportZone } from '../reporting/source'
import { objectsOf } from '../trafficking/objects'
import type { Stored } from '../trafficking/stored'

const dayMs = 86_400_000

const fields = (...names: string[]): JsonObject[] => names.map((name) => ({ name: prefix + name }))
const metrics = (...names: string[]): string[] => names.map((name) => prefix + name)
const over = (relativeDateRange: string): JsonObject => ({ relativeDateRange })

/**
 * Creates reports with some runs. Files are only written when someone reads them, as of the moment of their run, so they
 * cost nothing at start.
 */
export function seedReports(service: Service, ids: Readonly<Record<string, string>>): void {
  const objects = objectsOf(service.store)
  const { now } = service.store
  const { accountId = '', profileId = '' } = ids
  const configurationId = objects.get('advertisers', ids.advertiserId ?? '')?.trackingConfigurationId
  const today = dayAt(now, reportZone(service, accountId))
  const add = (name: string, daysAgo: number, runs: readonly number[], report: JsonObject): void => {
    const owner = objects.get('userProfiles', profileId)
    const stored: Stored = {
      kind: 'trafficking#report',
      id: objects.nextId('reports'),
      accountId,
      subAccountId: owner?.subAccountId,
      ownerProfileId: profileId,
      name,
      fileName: name.replace(/[^\p{L}\p{N}.-]+/gu, '_'),
      format: 'CSV',
      lastModifiedTime: String(now - daysAgo * dayMs),
      ...report,
    }
    objects.put('reports', stored)
    for (const [index, ago] of runs.entries()) {
      const block = Object.values(report).find(isBlock)!
      const span = relativeSpan(block.dateRange.relativeDateRange, today - ago)!
      objects.put('reportFiles', {
        id: objects.nextId('reportFiles'),
        kind: 'trafficking#file',
        reportId: stored.id,
        fileName: stored.fileName,
        format: stored.format,
        status: 'PROCESSING',
        dateRange: { kind: 'trafficking#dateRange', startDate: dayText(span.from), endDate: dayText(span.to) },
        lastModifiedTime: String(now - ago * dayMs),
        accountId,
        profileId,
        due: now - ago * dayMs,
        outcome: index === 2 ? 'failed' : 'ready',
        report: stored,
      })
    }
  }
  add('Delivery by campaign, last 30 days', 41, [1, 8, 15], {
    type: 'STANDARD',
    criteria: {
      dateRange: over('LAST_30_DAYS'),
      dimensions: fields('advertiser', 'campaign', 'campaignId'),
      metricNames: metrics('impressions', 'clicks', 'clickRate', 'mediaCost', 'effectiveCpm', 'totalConversions'),
    },
  })
  add('Pacing by placement, month to date', 26, [2], {
    type: 'STANDARD',
    format: 'EXCEL',
    criteria: {
      dateRange: over('MONTH_TO_DATE'),
      dimensions: fields('campaign', 'placement', 'placementId', 'placementCostStructure'),
      metricNames: metrics('bookedImpressions', 'impressions', 'plannedMediaCost', 'mediaCost'),
    },
  })
  add('Sites by week', 90, [3], {
    type: 'STANDARD',
    criteria: {
      dateRange: over('QUARTER_TO_DATE'),
      dimensions: fields('site', 'week'),
      metricNames: metrics('impressions', 'clicks', 'activeViewPercentageViewableImpressions', 'mediaCost'),
    },
    schedule: {
      active: true,
      repeats: 'WEEKLY',
      every: 1,
      repeatsOnWeekDays: ['MONDAY'],
      startDate: dayText(today - 90),
      expirationDate: dayText(today + 180),
    },
    delivery: { emailOwner: true, emailOwnerDeliveryType: 'LINK' },
  })
  add('Reach by campaign', 12, [5], {
    type: 'REACH',
    reachCriteria: {
      dateRange: over('LAST_90_DAYS'),
      dimensions: fields('campaign'),
      metricNames: metrics('impressions', 'uniqueReachImpressionReach', 'uniqueReachAverageImpressionFrequency'),
    },
  })
  if (typeof configurationId === 'string')
    add('Conversions by activity', 7, [1], {
      type: 'TRACKING',
      trackingCriteria: {
        dateRange: over('LAST_7_DAYS'),
        trackingConfigId: { dimensionName: `${prefix}trackingConfigId`, id: configurationId, matchType: 'EXACT' },
        dimensions: fields('activityGroup', 'activity', 'date'),
        metricNames: metrics('totalConversions', 'totalRevenue'),
      },
    })
}

const isBlock = (value: unknown): value is { dateRange: { relativeDateRange: string } } =>
  typeof value === 'object' && value !== null && 'dateRange' in value
