import { fillIn, type Rules } from '../draft'
import type { Objects } from '../objects'
import type { Stored } from '../stored'
import type { Profile } from '../profiles'
import { refusal } from '../refusals'

/** A new advertiser has its own tracking configuration, but may share another's. */
export const advertiserRules: Rules = {
  stored({ objects, profile, verb }, advertiser) {
    if (verb !== 'insert') return
    const own = makeConfiguration(objects, profile, advertiser.id)
    objects.put('advertisers', {
      ...advertiser,
      originalTrackingConfigurationId: own.id,
      trackingConfigurationId: advertiser.trackingConfigurationId ?? own.id,
    })
  },
  check({ after, before }) {
    if (before && after.trackingConfigurationId === undefined)
      after.trackingConfigurationId = before.originalTrackingConfigurationId
    if (before) after.originalTrackingConfigurationId = before.originalTrackingConfigurationId
  },
}

export function makeConfiguration(
  objects: Objects,
  profile: Pick<Profile, 'accountId' | 'subaccountId'>,
  advertiserId: string,
): Stored {
  const configuration: Stored = {
    id: objects.nextId('trackingConfigurations'),
    accountId: profile.accountId,
    subaccountId: profile.subaccountId,
    advertiserId,
    analyticsDataSharingEnabled: false,
    exposureToConversionEnabled: false,
    firstDayOfWeek: 'MONDAY',
    inAppAttributionTrackingEnabled: false,
    lookbackConfiguration: { clickDuration: 30, postImpressionActivitiesDuration: 14 },
    naturalSearchConversionAttributionOption: 'EXCLUDE_NATURAL_SEARCH_CONVERSION_ATTRIBUTION',
    omnitureSettings: { omnitureCostDataEnabled: false, omnitureIntegrationEnabled: false },
    tagSettings: { dynamicTagEnabled: true, imageTagEnabled: true },
    userDefinedVariableConfigurations: [],
  }
  objects.put('trackingConfigurations', configuration)
  return configuration
}

export const remarketingListRules: Rules = {
  fill(draft) {
    fillIn(draft, 'listSize', '0')
  },
  check({ after, before }) {
    if (before && after.listSource !== before.listSource && before.listSource !== undefined)
      throw refusal('fixed', 'listSource cannot be changed', 'listSource')
  },
}
