import type { CollectionName } from '../domain/collections'
import { searchMetricNamed } from './metrics'

/** Levels of rows in a search report, widest first. */
export const searchLevels = ['advertiser', 'account', 'campaign', 'adGroup', 'keyword', 'ad'] as const
export type SearchLevel = (typeof searchLevels)[number]
export type SearchType = SearchLevel | 'conversion' | 'trackingActivity'

/** Types of search reports, with their names and what they answer. */
export const searchTypes: Readonly<Record<SearchType, { name: string; answers: string }>> = {
  advertiser: { name: 'Advertisers', answers: 'Advertiser totals' },
  account: { name: 'Engine accounts', answers: 'Totals by search engine account' },
  campaign: { name: 'Search campaigns', answers: 'Results by campaign' },
  adGroup: { name: 'Ad groups', answers: 'Results by ad group' },
  keyword: { name: 'Keywords', answers: 'Results by keyword' },
  ad: { name: 'Search ads', answers: 'Results by ad' },
  conversion: { name: 'Conversions', answers: 'One row per conversion' },
  trackingActivity: { name: 'Activities', answers: 'List of activities' },
}
export const isSearchType = (text: unknown): text is SearchType =>
  typeof text === 'string' && Object.hasOwn(searchTypes, text)

export interface SearchColumn {
  name: string
  label: string
  /** Where the column applies: from a level down, or to conversions only. */
  from: SearchLevel | 'conversion'
  /** `attribute`: of the current subject; `segment`: divides the metrics; `metric`: a number. */
  kind: 'attribute' | 'segment' | 'metric'
  /** Collection of the object it names, or whose ID it holds. */
  collection?: CollectionName
}

/** Collections of objects that search ads and campaigns share. Ads differ. */
const collections: Readonly<Record<string, CollectionName>> = {
  advertiser: 'advertisers',
  campaign: 'campaigns',
  trackingActivity: 'trackingActivities',
  trackingGroup: 'trackingActivityGroups',
}
const collectionOf = (name: string): { collection?: CollectionName } => {
  const collection = collections[name.replace(/Id$/, '')]
  return collection ? { collection } : {}
}

/** `keywordMatchType` → `Keyword match type`. */
const labelled = (name: string): string => {
  const words = name
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase()
    .replace(/\bid\b/, 'ID')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
const columns = (
  kind: SearchColumn['kind'],
  from: SearchColumn['from'],
  names: readonly string[],
): readonly SearchColumn[] => names.map((name) => ({ name, label: labelled(name), from, kind, ...collectionOf(name) }))

const metricLabels: Readonly<Record<string, string>> = {
  impr: 'Impressions',
  ctr: 'Click rate',
  avgCpc: 'Cost per click',
  avgCpm: 'Cost per thousand impressions',
  dfaTransactions: 'Transactions',
  dfaRevenue: 'Revenue',
  dfaActions: 'Actions',
}

/** Known columns of search reports. A service may have more. */
export const searchColumns: readonly SearchColumn[] = [
  ...columns('attribute', 'advertiser', ['agency', 'agencyId', 'advertiser', 'advertiserId']),
  ...columns('attribute', 'account', ['account', 'accountId', 'accountEngineId', 'accountType']),
  ...columns('attribute', 'campaign', [
    'campaign',
    'campaignId',
    'campaignStatus',
    'campaignStartDate',
    'campaignEndDate',
  ]),
  ...columns('attribute', 'adGroup', ['adGroup', 'adGroupId', 'adGroupStatus']),
  ...columns('attribute', 'keyword', ['keywordText', 'keywordId', 'keywordMatchType', 'keywordStatus']),
  ...columns('attribute', 'ad', ['ad', 'adId', 'adHeadline', 'adDescription1', 'adStatus']),
  ...columns('attribute', 'advertiser', ['status']),
  ...columns('segment', 'advertiser', ['date', 'weekStart', 'monthStart', 'quarterStart', 'yearStart']),
  ...columns('segment', 'advertiser', [
    'trackingActivity',
    'trackingActivityId',
    'trackingActivityTag',
    'trackingGroup',
    'trackingGroupId',
    'trackingGroupTag',
  ]),
  ...columns('attribute', 'conversion', [
    'conversionId',
    'advertiserConversionId',
    'dsConversionId',
    'conversionTimestamp',
    'conversionLastModifiedTimestamp',
    'conversionType',
    'conversionRevenue',
    'conversionQuantity',
    'conversionVisitExternalClickId',
    'conversionDate',
  ]),
  ...[...searchMetricNamed.keys()].map((name): SearchColumn => ({
    name,
    label: metricLabels[name] ?? labelled(name),
    from: 'advertiser',
    kind: 'metric',
  })),
]
const named: ReadonlyMap<string, SearchColumn> = new Map(searchColumns.map((column) => [column.name, column]))
export const searchColumn = (name: string): SearchColumn | undefined => named.get(name)

/** True if a column applies to a type of report. */
export function searchFits({ name, kind, from }: SearchColumn, type: SearchType): boolean {
  if (type === 'trackingActivity') return /^(tracking|agency|advertiser|status)/.test(name)
  if (type === 'conversion') return kind !== 'metric'
  if (from === 'conversion') return false
  if (from === 'ad') return type === 'ad'
  if (from === 'keyword') return type === 'keyword'
  return searchLevels.indexOf(from) <= searchLevels.indexOf(type)
}

/** Metrics can be divided by activity only if they count conversions. */
export const isByActivity = ({ kind, name }: SearchColumn): boolean => kind === 'segment' && name.startsWith('tracking')
export const countsConversions = (name: string): boolean => name.startsWith('dfa')

/** Filter operators with their names. */
export const searchOperators = {
  equals: 'is',
  notEquals: 'is not',
  lessThan: 'is less than',
  lessThanEquals: 'is at most',
  greaterThan: 'is more than',
  greaterThanEquals: 'is at least',
  between: 'is between',
  in: 'is one of',
  startsWith: 'starts with',
  contains: 'contains',
  containsElement: 'includes',
} as const
export type SearchOperator = keyof typeof searchOperators

/** IDs that limit a report, each with its parent before it, by their wire names. */
export const searchScope = ['agencyId', 'advertiserId', 'engineAccountId', 'campaignId', 'adGroupId'] as const
export type ScopeId = (typeof searchScope)[number] | 'keywordId' | 'adId'
export const scopeAbove: Readonly<Record<ScopeId, ScopeId | undefined>> = {
  agencyId: undefined,
  advertiserId: 'agencyId',
  engineAccountId: 'advertiserId',
  campaignId: 'engineAccountId',
  adGroupId: 'campaignId',
  keywordId: 'adGroupId',
  adId: 'adGroupId',
}

/** Currencies of amounts, with their labels. */
export const searchCurrencies = {
  agency: 'Agency currency',
  advertiser: 'Advertiser currency',
  account: 'Engine account currency',
  usd: 'US dollars',
} as const
