import type { JsonObject } from '#shared/json'
import type { Call } from '../operation'
import { objectsOf } from './objects'
import { profileOf } from './profiles'
import { noSuch } from './refusals'

/** Maximum number of active ads by tier. */
const tiers: Record<string, number> = {
  ACTIVE_ADS_TIER_40K: 40_000,
  ACTIVE_ADS_TIER_75K: 75_000,
  ACTIVE_ADS_TIER_100K: 100_000,
  ACTIVE_ADS_TIER_200K: 200_000,
  ACTIVE_ADS_TIER_300K: 300_000,
  ACTIVE_ADS_TIER_500K: 500_000,
  ACTIVE_ADS_TIER_750K: 750_000,
  ACTIVE_ADS_TIER_1M: 1_000_000,
}

/** Compares the account's number of active ads with the limit of its tier. */
export function activeAdSummary(call: Call): JsonObject {
  const { summaryAccountId } = call.params as { summaryAccountId: string }
  const profile = profileOf(call)
  const objects = objectsOf(call.service.store)
  const account = objects.get('accounts', summaryAccountId)
  if (!account || account.id !== profile.accountId) throw noSuch('account', summaryAccountId)
  const active = objects
    .list('ads')
    .filter((ad) => ad.accountId === account.id && ad.active === true && ad.archived !== true).length
  const tier = String(account.activeAdsLimitTier ?? 'ACTIVE_ADS_TIER_40K')
  return {
    kind: 'trafficking#accountActiveAdSummary',
    accountId: account.id,
    activeAds: String(active),
    activeAdsLimitTier: tier,
    availableAds: String(Math.max(0, (tiers[tier] ?? 0) - active)),
  }
}
