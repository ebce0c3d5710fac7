import { sampleAgencyId } from '#shared/facts/sample-ids'

/**
 * IDs of the search service. Advertisers and campaigns keep their trafficking IDs. Objects that only the search service has
 * derive their IDs from them, so nothing needs to be stored.
 */
export { sampleAgencyId as agencyIdOf }
export const engineAccountIdOf = (advertiserId: string): string => numbered(700, advertiserId)
/** Ten digits, as the engine's own customer IDs have. */
export const customerIdOf = (advertiserId: string): string =>
  String(4_000_000_000 + (Number(advertiserId) % 1_000_000_000))
export const adGroupIdOf = (campaignId: string, number: number): string => numbered(58_700, `${campaignId}${number}`)
export const criterionIdOf = (campaignId: string, adGroup: number, number: number): string =>
  numbered(43_700, `${campaignId}${adGroup}${number}`)
export const adIdOf = (campaignId: string, adGroup: number, number: number): string =>
  numbered(44_700, `${campaignId}${adGroup}${number}`)

/** Seventeen digits that begin with the prefix. */
const numbered = (prefix: number, id: string): string => `${prefix}${id.padStart(17 - String(prefix).length, '0')}`

/** Search IDs of the ready line, for one account, advertiser, and campaign. */
export const searchIds = (accountId: string, advertiserId: string, campaignId: string): Record<string, string> => ({
  agencyId: sampleAgencyId(accountId),
  advertiserId,
  engineAccountId: engineAccountIdOf(advertiserId),
  customerId: customerIdOf(advertiserId),
  campaignId,
  adGroupId: adGroupIdOf(campaignId, 0),
  criterionId: criterionIdOf(campaignId, 0, 0),
})
