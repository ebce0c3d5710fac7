import type { JsonObject } from '../json'
import type { RelativeRange } from './report-ranges'
import type { ScopeId, SearchType } from './report-search-columns'

/** A search report that only needs an advertiser. */
export interface SearchStarter {
  name: string
  type: SearchType
  /** The question that it answers. */
  about: string
  columns: readonly string[]
  range: RelativeRange
  /** The lowest ID it should be limited to. */
  asks: ScopeId
  filters?: readonly JsonObject[]
}

/** Search reports to begin with. */
export const searchStarters: readonly SearchStarter[] = [
  {
    name: 'Accounts by day',
    type: 'account',
    about: 'Daily cost and revenue of each engine account',
    columns: ['date', 'advertiser', 'account', 'impr', 'clicks', 'ctr', 'cost', 'avgCpc'],
    range: 'LAST_30_DAYS',
    asks: 'agencyId',
  },
  {
    name: 'Search by week',
    type: 'campaign',
    about: 'Weekly campaign results, including conversions',
    columns: [
      ...['weekStart', 'campaign', 'campaignStatus', 'impr', 'clicks', 'cost'],
      ...['dfaActions', 'dfaTransactions', 'dfaRevenue'],
    ],
    range: 'LAST_90_DAYS',
    asks: 'advertiserId',
  },
  {
    name: 'Keywords',
    type: 'keyword',
    about: 'Impressions, clicks, and cost by keyword',
    columns: [
      ...['campaignId', 'adGroupId', 'keywordId', 'keywordText', 'keywordMatchType', 'keywordStatus'],
      ...['impr', 'clicks', 'ctr', 'cost'],
    ],
    range: 'LAST_30_DAYS',
    asks: 'advertiserId',
    filters: [{ column: { columnName: 'impr' }, operator: 'greaterThan', values: [0] }],
  },
  {
    name: 'Search conversions',
    type: 'conversion',
    about: 'One row per conversion, with its revenue',
    columns: [
      ...['conversionId', 'conversionTimestamp', 'conversionLastModifiedTimestamp', 'conversionType', 'status'],
      ...['conversionRevenue', 'conversionQuantity', 'campaignId', 'adGroupId', 'keywordId'],
    ],
    range: 'LAST_30_DAYS',
    asks: 'advertiserId',
  },
  {
    name: 'Search by activity',
    type: 'campaign',
    about: 'Activities by campaign',
    columns: ['campaign', 'trackingActivity', 'dfaActions', 'dfaTransactions', 'dfaRevenue'],
    range: 'LAST_30_DAYS',
    asks: 'advertiserId',
  },
]

/** A request from a template. Keeps the scope and other choices. */
export const requestOfSearchStarter = (starter: SearchStarter, before: JsonObject): JsonObject => ({
  ...before,
  reportType: starter.type,
  columns: starter.columns.map((columnName) => ({ columnName })),
  timeRange: { relativeDateRange: starter.range },
  ...(starter.filters && { filters: [...starter.filters] }),
})
