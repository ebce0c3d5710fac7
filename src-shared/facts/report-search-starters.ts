import type { JsonObject } from '../json'
import type { RelativeRange } from './report-ranges'
import type { ScopeId, SearchType } from './report-search-columns'

/** A search report that is ready but for whose it is. */
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
    about: 'What each engine account brought and cost, day by day',
    columns: ['date', 'advertiser', 'account', 'impr', 'clicks', 'ctr', 'cost', 'avgCpc'],
    range: 'LAST_30_DAYS',
    asks: 'agencyId',
  },
  {
    name: 'Search by week',
    type: 'campaign',
    about: 'How campaigns go from week to week, conversions among it',
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
    about: 'Which words were shown, clicked and paid for',
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
    about: 'Each conversion by itself, with its worth',
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
    about: 'Which activities campaigns led to',
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
