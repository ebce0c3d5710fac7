import type { AdGroup, Keyword, SearchAd, SearchAdvertiser, SearchCampaign, SearchTree } from './tree'

/** Names of IDs in calls and conversions, from the agency down. */
export const idNames = [
  'agencyId',
  'advertiserId',
  'engineAccountId',
  'customerId',
  'campaignId',
  'adGroupId',
  'criterionId',
  'adId',
] as const
export type Ids = Partial<Record<(typeof idNames)[number], string>>

/** The IDs among other fields. */
export const idsOf = (given: Ids): Ids =>
  Object.fromEntries(idNames.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))

/** Objects that IDs refer to. Lower levels without an ID are absent. */
export interface Scope {
  advertiser?: SearchAdvertiser
  campaign?: SearchCampaign
  adGroup?: AdGroup
  keyword?: Keyword
  ad?: SearchAd
}

/** IDs that are required before the next one. */
const above: ReadonlyArray<readonly [keyof Ids, keyof Ids]> = [
  ['advertiserId', 'agencyId'],
  ['engineAccountId', 'advertiserId'],
  ['campaignId', 'engineAccountId'],
  ['adGroupId', 'campaignId'],
  ['criterionId', 'adGroupId'],
  ['adId', 'adGroupId'],
]

/** An ID without its parent's. Undefined if all are complete. */
export function orphanOf(ids: Ids): { id: keyof Ids; needs: keyof Ids } | undefined {
  const found = above.find(([id, needs]) => ids[id] !== undefined && ids[needs] === undefined)
  return found && { id: found[0], needs: found[1] }
}

/**
 * Finds the objects that IDs refer to. Each given object must exist below the given ones above it, which are optional.
 * @returns the first wrong ID if something doesn't match
 */
export function resolve(tree: SearchTree, ids: Ids): { scope: Scope } | { wrong: keyof Ids } {
  if (ids.agencyId !== undefined && ids.agencyId !== tree.agencyId) return { wrong: 'agencyId' }
  const scope: Scope = {}
  let advertisers = tree.advertisers
  for (const [name, of] of [
    ['advertiserId', 'id'],
    ['engineAccountId', 'engineAccountId'],
    ['customerId', 'customerId'],
  ] as const) {
    const wanted = name === 'customerId' ? ids[name]?.replaceAll('-', '') : ids[name]
    if (wanted === undefined) continue
    advertisers = advertisers.filter((advertiser) => advertiser[of] === wanted)
    if (advertisers.length === 0) return { wrong: name }
    scope.advertiser = advertisers[0]
  }
  let campaigns = advertisers.flatMap((advertiser) => advertiser.campaigns)
  if (ids.campaignId !== undefined) {
    campaigns = campaigns.filter(({ id }) => id === ids.campaignId)
    if (campaigns.length === 0) return { wrong: 'campaignId' }
    scope.campaign = campaigns[0]
  }
  const take = <T extends { id: string }>(
    name: 'adGroupId' | 'criterionId' | 'adId',
    of: (group: AdGroup) => T[],
  ): T | 'none' | undefined => {
    if (ids[name] === undefined) return undefined
    for (const campaign of campaigns) {
      for (const adGroup of campaign.adGroups) {
        if (scope.adGroup && scope.adGroup !== adGroup) continue
        const found = of(adGroup).find(({ id }) => id === ids[name])
        if (found) {
          scope.campaign = campaign
          scope.adGroup = adGroup
          return found
        }
      }
    }
    return 'none'
  }
  if (take('adGroupId', (group) => [group]) === 'none') return { wrong: 'adGroupId' }
  const keyword = take('criterionId', ({ keywords }) => keywords)
  if (keyword === 'none') return { wrong: 'criterionId' }
  const ad = take('adId', ({ ads }) => ads)
  if (ad === 'none') return { wrong: 'adId' }
  if (keyword) scope.keyword = keyword
  if (ad) scope.ad = ad
  if (scope.campaign) scope.advertiser = scope.campaign.advertiser
  return { scope }
}
