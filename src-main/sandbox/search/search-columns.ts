import { dayText, monthStart, quarterStart, weekStart, yearStart, type Day } from '../reporting/days'
import { allMetrics } from '../reporting/metrics'
import { measureIndex as at, type Sums } from '../reporting/measures'
import type { Activity } from '../reporting/tree'
import type { Scope } from './scope'
import type { SearchTree } from './tree'

export type Level = 'advertiser' | 'account' | 'campaign' | 'adGroup' | 'keyword' | 'ad'

/** Subject of a report row. */
export interface Subject extends Scope {
  day?: Day
  activity?: Activity
  /** Fields of a single conversion. */
  conversion?: Readonly<Record<string, unknown>>
}

export type Value = string | number | null

export interface Column {
  name: string
  /** Scope of the column: from a level down, only conversions, or only activities. */
  from: Level | 'conversion' | 'activity'
  /** `attribute`: a property of the subject. `segment`: divides the metrics. `metric`: a number. */
  kind: 'attribute' | 'segment' | 'metric'
  value(subject: Subject, tree: SearchTree, sums: Sums): Value
  money?: boolean
}

const columns = new Map<string, Column>()
const add = (column: Column): void => void columns.set(column.name, column)

const attribute = (
  from: Column['from'],
  name: string,
  of: (subject: Subject, tree: SearchTree) => Value | undefined,
): void => add({ name, from, kind: 'attribute', value: (subject, tree) => of(subject, tree) ?? null })

attribute('advertiser', 'agency', (_, tree) => tree.agencyName)
attribute('advertiser', 'agencyId', (_, tree) => tree.agencyId)
attribute('advertiser', 'advertiser', ({ advertiser }) => advertiser?.name)
attribute('advertiser', 'advertiserId', ({ advertiser }) => advertiser?.id)
attribute('account', 'account', ({ advertiser }) => advertiser && `${advertiser.name} engine account`)
attribute('account', 'accountId', ({ advertiser }) => advertiser?.engineAccountId)
attribute('account', 'accountEngineId', ({ advertiser }) => advertiser?.customerId)
attribute('account', 'accountType', () => 'Search engine')
attribute('campaign', 'campaign', ({ campaign }) => campaign?.name)
attribute('campaign', 'campaignId', ({ campaign }) => campaign?.id)
attribute('campaign', 'campaignStatus', ({ campaign }) => (campaign?.object.archived ? 'Paused' : 'Active'))
attribute('campaign', 'campaignStartDate', ({ campaign }) => campaign && String(campaign.object.startDate as string))
attribute('campaign', 'campaignEndDate', ({ campaign }) => campaign && String(campaign.object.endDate as string))
attribute('adGroup', 'adGroup', ({ adGroup }) => adGroup?.name)
attribute('adGroup', 'adGroupId', ({ adGroup }) => adGroup?.id)
attribute('adGroup', 'adGroupStatus', ({ adGroup }) => adGroup && 'Active')
attribute('keyword', 'keywordText', ({ keyword }) => keyword?.text)
attribute('keyword', 'keywordId', ({ keyword }) => keyword?.id)
attribute('keyword', 'keywordMatchType', ({ keyword }) => keyword?.matchType)
attribute('keyword', 'keywordStatus', ({ keyword }) => keyword && 'Active')
attribute('ad', 'ad', ({ ad }) => ad?.headline)
attribute('ad', 'adId', ({ ad }) => ad?.id)
attribute('ad', 'adHeadline', ({ ad }) => ad?.headline)
attribute('ad', 'adDescription1', ({ ad }) => ad?.description)
attribute('ad', 'adStatus', ({ ad }) => ad && 'Active')
attribute('advertiser', 'status', ({ campaign, conversion }) =>
  conversion
    ? String(conversion.state === 'REMOVED' ? 'Removed' : 'Active')
    : campaign?.object.archived
      ? 'Paused'
      : 'Active',
)

const segment = (name: string, of: (subject: Subject) => Value | undefined): void =>
  add({ name, from: 'advertiser', kind: 'segment', value: (subject) => of(subject) ?? null })
const dates = (name: string, of: (day: Day) => Day): void =>
  segment(name, ({ day }) => (day === undefined ? undefined : dayText(of(day))))
dates('date', (day) => day)
dates('weekStart', weekStart)
dates('monthStart', monthStart)
dates('quarterStart', quarterStart)
dates('yearStart', yearStart)

const text = (value: unknown): string | undefined => (value === undefined ? undefined : String(value as string))
segment('trackingActivity', ({ activity }) => text(activity?.object.name))
segment('trackingActivityId', ({ activity }) => activity?.id)
segment('trackingActivityTag', ({ activity }) => text(activity?.object.tagString))
segment('trackingGroup', ({ activity }) => text(activity?.group?.name))
segment('trackingGroupId', ({ activity }) => text(activity?.group?.id))
segment('trackingGroupTag', ({ activity }) => text(activity?.group?.tagString))

const ofConversion = (name: string, of: (fields: Readonly<Record<string, unknown>>) => Value | undefined): void =>
  attribute('conversion', name, ({ conversion }) => (conversion ? of(conversion) : undefined))
const millions = (value: unknown): number => Number(value ?? 0) / 1e6
ofConversion('conversionId', (fields) => text(fields.conversionId))
ofConversion('advertiserConversionId', (fields) => text(fields.conversionId))
ofConversion('dsConversionId', (fields) => text(fields.dsConversionId))
ofConversion('conversionTimestamp', (fields) => iso(fields.conversionTimestamp))
ofConversion('conversionLastModifiedTimestamp', (fields) => iso(fields.conversionModifiedTimestamp))
ofConversion('conversionType', (fields) => (fields.type === 'TRANSACTION' ? 'Transaction' : 'Action'))
ofConversion('conversionRevenue', (fields) => millions(fields.revenueMicros))
ofConversion('conversionQuantity', (fields) => Number(fields.quantityMillis ?? 1000) / 1000)
ofConversion('conversionVisitExternalClickId', (fields) => text(fields.clickId))
add({
  name: 'conversionDate',
  from: 'conversion',
  kind: 'attribute',
  value: ({ day }) => (day === undefined ? null : dayText(day)),
})

const iso = (value: unknown): string | undefined =>
  value === undefined ? undefined : new Date(Number(value)).toISOString()

const metric = (name: string, of: (sums: Sums) => number, money = false): void =>
  add({ name, from: 'advertiser', kind: 'metric', money, value: (_subject, _tree, sums) => of(sums) })
/** Metrics shared with trafficking use the same formula. */
const same = (name: string, trafficking: string, money = false): void =>
  metric(name, (sums) => allMetrics.get(trafficking)!.of(sums), money)
same('impr', 'impressions')
same('clicks', 'clicks')
same('visits', 'clicks')
same('ctr', 'clickRate')
same('cost', 'mediaCost', true)
same('avgCpc', 'costPerClick', true)
same('avgCpm', 'effectiveCpm', true)
same('dfaTransactions', 'clickThroughTransactionCount')
same('dfaRevenue', 'activityClickThroughRevenue', true)
metric('dfaActions', (sums) => sums[at.clickConversions]! - sums[at.clickTransactions]!)

/** All columns by name. */
export const allColumns: ReadonlyMap<string, Column> = columns

export interface SavedColumn {
  name: string
  type: string
  column: Column
}

const saved = (name: string, type: string, of: (sums: Sums) => number, money = false): SavedColumn => ({
  name,
  type,
  column: { name, from: 'advertiser', kind: 'metric', money, value: (_subject, _tree, sums) => of(sums) },
})
const per = (a: number, b: number): number => (b === 0 ? 0 : a / b)

/** Columns that every advertiser has saved. */
export const savedColumns: readonly SavedColumn[] = [
  saved('Conversion rate', 'PERCENT', (sums) => per(sums[at.clickConversions]!, sums[at.clicks]!)),
  saved('Cost per conversion', 'MONEY', (sums) => per(sums[at.costMicros]! / 1e6, sums[at.clickConversions]!), true),
  saved('Return on ad spend', 'NUMBER', (sums) => per(sums[at.clickRevenueMicros]!, sums[at.costMicros]!)),
]
