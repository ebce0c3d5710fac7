import { instantOfWall } from '#shared/time/zones'
import type { Conversion } from '#shared/wire/search/types'
import type { Service } from '../operation'
import { conversionsOn, type GeneratedConversion } from '../reporting/conversions'
import { dayMs, type Day, type Span } from '../reporting/days'
import { draw, seedOf } from '../reporting/hash'
import type { KeptConversion } from '../reporting/search-inserted'
import type { Cell } from '../reporting/tree'
import type { Subject } from './search-columns'
import type { Scope } from './scope'
import { adGroupOf, stretchOf, type SearchCampaign, type SearchTree } from './tree'

export interface FoundConversion {
  shown: Conversion
  subject: Subject
  /** Stored form of a conversion that a client sent or changed. Absent for a generated one. */
  kept?: KeptConversion
  made?: GeneratedConversion
}

/** Offsets for dividing the results of a cell and day among keywords and ads. */
export const keywordOffset = (cell: Cell, day: Day): number => draw(cell.seed + 88, day) * 0.999
export const adOffset = (cell: Cell, day: Day): number => draw(cell.seed + 89, day) * 0.999

export const campaignsIn = (tree: SearchTree, scope: Scope): SearchCampaign[] =>
  scope.campaign
    ? [scope.campaign]
    : (scope.advertiser ? [scope.advertiser] : tree.advertisers).flatMap((one) => one.campaigns)

/** Cells of a campaign, or of one of its ad groups. */
export const cellsIn = (campaign: SearchCampaign, scope: Scope): Cell[] =>
  scope.adGroup ? campaign.cells.filter((cell) => adGroupOf(campaign, cell.place) === scope.adGroup) : campaign.cells

const keyOf = (advertiserId: string, conversionId: string, timestamp: string): string =>
  `${advertiserId} ${conversionId} ${timestamp}`

interface KeptRow {
  advertiser: string
  conversion: string
  timestamp: string
  day: number
  data: string
}

const keptSql = 'SELECT advertiser, conversion, timestamp, day, data FROM search_conversions'

/**
 * Post-click conversions in a scope by day: those counted in reports, and those that clients sent or changed. Generated
 * ones come first.
 */
export function* conversionsOf(
  service: Service,
  tree: SearchTree,
  scope: Scope,
  span: Span,
): Generator<FoundConversion> {
  const rows = service.store.all<KeptRow>(`${keptSql} ORDER BY day, number`)
  const changed = new Set(rows.map((row) => keyOf(row.advertiser, row.conversion, row.timestamp)))
  const kept = rows.filter(({ day }) => day >= span.from && day <= span.to)
  const campaigns = campaignsIn(tree, scope).map((campaign) => ({ campaign, cells: cellsIn(campaign, scope) }))
  const first = Math.min(
    ...campaigns.flatMap(({ cells }) => cells.map((cell) => cell.from)),
    ...kept.map(({ day }) => day),
  )
  const last = Math.min(span.to, tree.source.moment.today)
  let next = 0
  for (let day = Math.max(span.from, first); day <= last; day++) {
    for (const { campaign, cells } of campaigns) {
      for (const made of conversionsOn(cells, day, tree.source.moment)) {
        if (!made.afterClick) continue
        const found = shownOf(tree, campaign, made)
        if (scope.keyword && found.subject.keyword !== scope.keyword) continue
        if (scope.ad && found.subject.ad !== scope.ad) continue
        const { conversionId, conversionTimestamp } = found.shown
        if (!changed.has(keyOf(campaign.advertiser.id, conversionId!, conversionTimestamp!))) yield found
      }
    }
    for (; next < kept.length && kept[next]!.day <= day; next++) {
      const found = keptOf(tree, JSON.parse(kept[next]!.data) as KeptConversion)
      if (isIn(found.subject, scope)) yield found
    }
  }
}

const isIn = (subject: Subject, scope: Scope): boolean =>
  (['advertiser', 'campaign', 'adGroup', 'keyword', 'ad'] as const).every(
    (name) => scope[name] === undefined || subject[name] === scope[name],
  )

/** A conversion by its ID and timestamp in an advertiser. Undefined if not found. */
export function findConversion(
  service: Service,
  tree: SearchTree,
  advertiserId: string,
  conversionId: string,
  timestamp: string,
): FoundConversion | undefined {
  const row = service.store.get<{ data: string }>(
    `${keptSql} WHERE advertiser = ? AND conversion = ? AND timestamp = ?`,
    advertiserId,
    conversionId,
    timestamp,
  )
  if (row) return keptOf(tree, JSON.parse(row.data) as KeptConversion)
  const day = dayOfInstant(tree, Number(timestamp))
  for (const campaign of tree.advertisers.find(({ id }) => id === advertiserId)?.campaigns ?? [])
    for (const made of conversionsOn(campaign.cells, day, tree.source.moment))
      if (made.id === conversionId && made.afterClick) {
        const found = shownOf(tree, campaign, made)
        return found.shown.conversionTimestamp === timestamp ? found : undefined
      }
  return undefined
}

export function dayOfInstant(tree: SearchTree, instant: number): Day {
  const { zone } = tree.source
  const guess = Math.floor(instant / dayMs)
  for (const day of [guess + 1, guess]) if (instantOfWall(day * dayMs, zone) <= instant) return day
  return guess - 1
}

function keptOf(tree: SearchTree, kept: KeptConversion): FoundConversion {
  const advertiser = tree.advertisers.find(({ id }) => id === kept.advertiserId)
  const campaign = advertiser?.campaigns.find(({ id }) => id === kept.campaignId)
  const adGroup = kept.adGroup === undefined ? undefined : campaign?.adGroups[kept.adGroup]
  const subject: Subject = {
    advertiser,
    campaign,
    adGroup,
    keyword: kept.keyword === undefined ? undefined : adGroup?.keywords[kept.keyword],
    ad: kept.ad === undefined ? undefined : adGroup?.ads[kept.ad],
    day: kept.day,
    activity: tree.source.tree.activities.get(kept.activityId),
    conversion: kept.shown,
  }
  return { shown: kept.shown as Conversion, subject, kept }
}

function shownOf(tree: SearchTree, campaign: SearchCampaign, made: GeneratedConversion): FoundConversion {
  const { cell, day, activity, number, of } = made
  const { advertiser } = campaign
  const adGroup = adGroupOf(campaign, cell.place)
  const keyword = stretchOf(adGroup.keywords, number, of, keywordOffset(cell, day))
  const ad = stretchOf(adGroup.ads, number, of, adOffset(cell, day))
  const timestamp = String(instantOfWall(day * dayMs + made.second * 1000, tree.source.zone))
  const shown: Conversion = {
    agencyId: tree.agencyId,
    advertiserId: advertiser.id,
    engineAccountId: advertiser.engineAccountId,
    customerId: advertiser.customerId,
    campaignId: campaign.id,
    adGroupId: adGroup.id,
    criterionId: keyword.id,
    adId: ad.id,
    clickId: `CL${made.id}`,
    conversionId: made.id,
    dsConversionId: `8${String(seedOf(made.id)).padStart(10, '0')}${String(number).padStart(4, '0')}`,
    conversionTimestamp: timestamp,
    conversionModifiedTimestamp: timestamp,
    segmentationType: 'TRACKING',
    segmentationId: activity.id,
    segmentationName: String(activity.object.name),
    type: activity.sale ? 'TRANSACTION' : 'ACTION',
    ...(activity.sale ? { revenueMicros: String(made.revenueMicros), currencyCode: tree.currency } : {}),
    quantityMillis: '1000',
    state: 'ACTIVE',
  }
  const subject: Subject = {
    advertiser,
    campaign,
    adGroup,
    keyword,
    ad,
    day,
    activity,
    conversion: shown as Subject['conversion'],
  }
  return { shown, subject, made }
}
