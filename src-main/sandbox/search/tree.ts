import type { JsonObject } from '#shared/json'
import type { Service } from '../operation'
import type { AccountSource } from '../reporting/source'
import { sourceOf } from '../reporting/source'
import type { Activity, Cell, Place } from '../reporting/tree'
import { adGroupIdOf, adIdOf, agencyIdOf, criterionIdOf, customerIdOf, engineAccountIdOf } from '../seed/search-ids'
import { objectsOf } from '../trafficking/objects'

/** An item's part of its ad group's results, as a range from 0 to 1. */
interface Stretch {
  start: number
  end: number
}

export interface Keyword extends Stretch {
  id: string
  text: string
  matchType: 'Exact' | 'Phrase' | 'Broad'
}

export interface SearchAd extends Stretch {
  id: string
  headline: string
  description: string
}

export interface AdGroup {
  id: string
  name: string
  number: number
  keywords: Keyword[]
  ads: SearchAd[]
}

export interface SearchCampaign {
  id: string
  name: string
  object: JsonObject
  advertiser: SearchAdvertiser
  adGroups: AdGroup[]
  /** Cells of the campaign. All cells of a placement belong to one ad group. */
  cells: Cell[]
}

export interface SearchAdvertiser {
  id: string
  name: string
  engineAccountId: string
  customerId: string
  campaigns: SearchCampaign[]
}

/**
 * The sandbox from the search service's perspective: the account as an agency, its advertisers with one engine account
 * each, and their campaigns, which keep their trafficking IDs. Ad groups, keywords, and ads divide a campaign's
 * delivery.
 */
export interface SearchTree {
  agencyId: string
  agencyName: string
  currency: string
  advertisers: SearchAdvertiser[]
  source: AccountSource
}

const keywordWeights = [0.38, 0.24, 0.18, 0.12, 0.08]
const adWeights = [0.5, 0.3, 0.2]
const groups = ['Brand', 'Products', 'Category', 'Competitors']
const phrases: readonly (readonly string[])[] = [
  ['{brand}', '{brand} official site', 'buy {brand}', '{brand} shop', '{brand} offers'],
  ['{brand} new range', '{brand} prices', '{brand} test', '{brand} gift', '{brand} online'],
  ['best of {brand} alternatives', 'where to buy {brand}', '{brand} near me', 'cheap {brand}', '{brand} season'],
  ['{brand} or others', '{brand} compared', 'better than {brand}', '{brand} rivals', '{brand} reviews'],
]
const headlines = ['{brand}: made for this season', 'New from {brand}', '{brand}, straight to your door']
const matchTypes = ['Exact', 'Phrase', 'Broad'] as const

/** The account of the sandbox, and its tree at a moment. */
export function searchTree(service: Service, instant: number = service.store.now): SearchTree {
  const objects = objectsOf(service.store)
  const account = objects.list('accounts')[0]
  const accountId = account?.id ?? '0'
  const source = sourceOf(service, accountId, instant)
  const byCampaign = new Map<string, Cell[]>()
  for (const cell of source.tree.cells) {
    const id = String(cell.campaign?.id)
    byCampaign.set(id, [...(byCampaign.get(id) ?? []), cell])
  }
  const own = objects.list('advertisers').filter((advertiser) => advertiser.accountId === accountId)
  const advertisers = own.map(({ id, name }): SearchAdvertiser => ({
    id,
    name: String(name),
    engineAccountId: engineAccountIdOf(id),
    customerId: customerIdOf(id),
    campaigns: [],
  }))
  const byId = new Map(advertisers.map((advertiser) => [advertiser.id, advertiser]))
  const placed = new Set(objects.list('placements').map((placement) => String(placement.campaignId)))
  for (const object of source.tree.campaigns) {
    const advertiser = byId.get(String(object.advertiserId))
    if (!advertiser) continue
    const id = String(object.id)
    // A campaign without content gets one of each.
    const small = !placed.has(id)
    advertiser.campaigns.push({
      id,
      name: String(object.name),
      object,
      advertiser,
      adGroups: groups
        .slice(0, small ? 1 : groups.length)
        .map((name, number) => adGroup(id, name, number, advertiser.name, small)),
      cells: byCampaign.get(id) ?? [],
    })
  }
  const currency = currencies[String(account?.currencyId)] ?? 'USD'
  return { agencyId: agencyIdOf(accountId), agencyName: String(account?.name ?? ''), currency, advertisers, source }
}

/** Codes of an account's possible currencies, without abolished ones. */
const currencies: Readonly<Record<string, string>> = {
  '1': 'USD',
  '2': 'GBP',
  '4': 'SEK',
  '5': 'CAD',
  '6': 'JPY',
  '8': 'AUD',
  '11': 'DKK',
  '12': 'NOK',
  '17': 'EUR',
  '33': 'CHF',
  '37': 'PLN',
}

function adGroup(campaignId: string, name: string, number: number, brand: string, small: boolean): AdGroup {
  const said = (text: string): string => text.replaceAll('{brand}', brand)
  return {
    id: adGroupIdOf(campaignId, number),
    name,
    number,
    keywords: stretches(small ? [1] : keywordWeights).map((part, index) => ({
      ...part,
      id: criterionIdOf(campaignId, number, index),
      text: said(phrases[number]![index]!).toLowerCase(),
      matchType: matchTypes[index % matchTypes.length]!,
    })),
    ads: stretches(small ? [1] : adWeights).map((part, index) => ({
      ...part,
      id: adIdOf(campaignId, number, index),
      headline: said(headlines[index]!),
      description: said(`See what ${brand} has for you. Free delivery this week.`),
    })),
  }
}

function stretches(weights: readonly number[]): Stretch[] {
  let start = 0
  return weights.map((weight, index) => {
    const end = index === weights.length - 1 ? 1 : start + weight
    const part = { start, end }
    start = end
    return part
  })
}

export const adGroupOf = (campaign: SearchCampaign, position: number): AdGroup =>
  campaign.adGroups[position % campaign.adGroups.length]!

/** The index of the range that contains the nth of all parts, divided from the same offset. */
export function stretchOf<Part extends Stretch>(
  parts: readonly Part[],
  number: number,
  of: number,
  offset: number,
): Part {
  return parts.find((part) => number < Math.floor(of * part.end + offset)) ?? parts.at(-1)!
}

/** An advertiser's tracking activity by ID, name, or both if they agree. */
export function activityOf(
  tree: SearchTree,
  advertiserId: string,
  id: string | undefined,
  name: string | undefined,
): (Activity & Place) | undefined {
  return [...tree.source.tree.activities.values()].find(
    (activity) =>
      String(activity.advertiser?.id) === advertiserId &&
      (id === undefined || activity.id === id) &&
      (name === undefined || activity.object.name === name),
  )
}
