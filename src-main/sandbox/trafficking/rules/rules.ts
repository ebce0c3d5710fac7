import type { Rules } from '../draft'
import { advertiserRules, remarketingListRules } from './advertisers'
import { accountUserProfileRules, siteRules, userRoleRules } from './accounts'
import { adRules } from './ads'
import { campaignRules, eventTagRules } from './campaigns'
import { creativeFieldRules, creativeRules } from './creatives'
import { placementGroupRules, placementRules } from './placements'
import { activityGroupRules, activityRules } from './tracking'

const rules: Record<string, Rules> = {
  accountUserProfiles: accountUserProfileRules,
  ads: adRules,
  advertisers: advertiserRules,
  campaigns: campaignRules,
  creativeFields: creativeFieldRules,
  creatives: creativeRules,
  eventTags: eventTagRules,
  placementGroups: placementGroupRules,
  placements: placementRules,
  remarketingLists: remarketingListRules,
  sites: siteRules,
  trackingActivities: activityRules,
  trackingActivityGroups: activityGroupRules,
  userRoles: userRoleRules,
}

export const rulesOf = (collection: string): Rules | undefined => rules[collection]
