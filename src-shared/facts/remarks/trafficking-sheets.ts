import type { SheetRemark } from '../sheet'

/**
 * Columns and forms of the fifteen common kinds, in order. `PS`, `PP`, `CR`, and `DS` abbreviate price, first pricing
 * period, rotation, and delivery.
 */
export const traffickingSheets: Readonly<Record<string, SheetRemark>> = {
  advertisers: {
    columns: `name:w advertiserGroupId:m status:s suspended:x trackingConfigurationId:m"Tracking setup"
      clickThroughUrlSuffix:l fx.campaigns:x id:s`,
    form: `Basics: name advertiserGroupId status suspended defaultEmail|Clicks: clickThroughUrlSuffix
      defaultClickThroughEventTagId|Tracking: trackingConfigurationId originalTrackingConfigurationId`,
  },
  campaigns: {
    columns: `name:w advertiserId:m startDate:s endDate:s fx.phase:s defaultLandingPageId:m fx.placements:x
      externalId:s"Client code" billingInvoiceCode:s id:s lastModifiedInfo.time:m`,
    form: `Basics: name advertiserId startDate endDate externalId billingInvoiceCode traffickerEmails comment|Clicks: defaultLandingPageId
      clickThroughUrlSuffixProperties defaultClickThroughEventTagProperties|Event tags: eventTagOverrides|Optimization:
      creativeOptimizationConfiguration additionalCreativeOptimizationConfigurations audienceSegmentGroups`,
  },
  placements: {
    columns: `name:w siteId:m placementGroupId:m compatibility:s"Runs in" size:s PS.startDate:s PS.endDate:s fx.phase:s
      PS.pricingType:s PP.units:s PP.rateOrCostNanos:s"Rate/cost" fx.cost:s tagFormats:m externalId:s"Plan line"
      contentCategoryId:m placementStrategyId:m status:s"Payment" id:s lastModifiedInfo.time:m`,
    form: `Basics: name campaignId siteId placementGroupId compatibility size additionalSizes primary paymentSource status externalId comment|Flight and price:
      PS.startDate PS.endDate PS.testingStartDate PS.pricingType PS.trackingActivityId PS.capCostOption PS.flighted
      PS.pricingPeriods|Tags: tagFormats tagSetting sslRequired|Labels: contentCategoryId placementStrategyId|Video:
      videoSettings vpaidAdapterChoice videoActiveViewOptOut`,
  },
  placementGroups: {
    columns: `name:w placementGroupType:s siteId:m childPlacementIds:x"Placements" primaryPlacementId:m PS.startDate:s PS.endDate:s
      fx.phase:s PS.pricingType:s PP.units:s PP.rateOrCostNanos:s"Rate/cost" fx.cost:s externalId:s"Plan line"
      contentCategoryId:m placementStrategyId:m id:s lastModifiedInfo.time:m`,
    form: `Basics: name campaignId placementGroupType siteId primaryPlacementId externalId comment|Flight and price: PS.startDate PS.endDate
      PS.testingStartDate PS.pricingType PS.trackingActivityId PS.capCostOption PS.flighted PS.pricingPeriods|Labels:
      contentCategoryId placementStrategyId`,
  },
  ads: {
    columns: `name:w type:s active:x startTime:m endTime:m fx.phase:s placementAssignments:x"Placements"
      CR.creativeAssignments:x"Creatives" DS.priority:s DS.impressionRatio:x CR.type:s"Rotation"
      CR.weightCalculationStrategy:s"Weights" DS.hardCutoff:x"Hard stop" targetingTemplateId:m size:s id:s
      lastModifiedInfo.time:m`,
    form: `Basics: name campaignId type active startTime endTime dynamicClickTracker comments|Placements: placementAssignments|Creatives:
      CR.creativeAssignments CR.type CR.weightCalculationStrategy CR.creativeOptimizationConfigurationId
      creativeGroupAssignments|Clicks: clickThroughUrl clickThroughUrlSuffixProperties
      defaultClickThroughEventTagProperties|Delivery: DS|Targeting: targetingTemplateId dayPartTargeting geoTargeting
      languageTargeting technologyTargeting keyValueTargetingExpression remarketingListExpression audienceSegmentId|Event
      tags: eventTagOverrides|Default ad: size compatibility`,
  },
  creatives: {
    columns: `name:w type:m size:s compatibility:m active:x creativeAssets:x"Files" clickTags:x
      creativeFieldAssignments:m"Fields" mediaDuration:x sslCompliant:x"Secure" version:x id:s lastModifiedInfo.time:m`,
    form: `Basics: name type advertiserId size compatibility active additionalSizes|Files: creativeAssets creativeAssetSelection|Clicks:
      clickTags backupImageClickThroughUrl exitCustomEvents|Code: htmlCode redirectUrl sslOverride|Video and audio: skippable
      skipOffset progressOffset companionCreatives universalAdId obaIcon|Third party: thirdPartyUrls|Fields:
      creativeFieldAssignments customKeyValues`,
  },
  advertiserLandingPages: {
    columns: `name:l url:w advertiserId:m deepLinks:x id:s`,
    form: `Basics: name url advertiserId|Apps: deepLinks`,
  },
  eventTags: {
    columns: `name:l type:m fx.level:s status:s enabledByDefault:x"By default" siteFilterType:s siteIds:m"Sites" url:w
      sslCompliant:x"Secure" id:s`,
    form: `Basics: name type status url urlEscapeLevels excludeFromAdxRequests|Where: advertiserId campaignId enabledByDefault
      siteFilterType siteIds`,
  },
  trackingActivities: {
    columns: `name:l trackingActivityGroupId:m trackingActivityGroupType:s countingMethod:m trackingTagType:s
      tagString:s"cat=" expectedUrl:l status:s hidden:x userDefinedVariableTypes:m publisherTags:x defaultTags:x id:s`,
    form: `Basics: name trackingActivityGroupId countingMethod expectedUrl status hidden notes|Tag: trackingTagType tagString tagFormat
      cacheBustingType sslRequired userDefinedVariableTypes|Also fire: defaultTags publisherTags`,
  },
  trackingActivityGroups: {
    columns: `name:l type:s tagString:s"type=" trackingConfigurationId:m fx.activities:x id:s`,
  },
  remarketingLists: {
    columns: `name:l active:x listSize:s"People" lifeSpan:x"Days" listPopulationRule.trackingActivityId:m
      listPopulationRule.listPopulationClauses:l"Rule" listSource:m description:l id:s`,
  },
  creativeFields: { columns: `name:l advertiserId:m id:s` },
  creativeFieldValues: { columns: `value:l id:s` },
  contentCategories: { columns: `name:l fx.placements:x id:s` },
  sites: {
    columns: `name:l directorySiteId:m keyName:s approved:x siteContacts:m siteSettings.tagSetting:m id:s`,
    form: `Basics: name directorySiteId keyName approved siteContacts|Tags: siteSettings videoSettings`,
  },
  accountUserProfiles: {
    columns: `name:l email:l active:x userRoleId:m advertiserFilter.status:s"Advertisers" campaignFilter.status:s"Campaigns"
      siteFilter.status:s"Sites" userAccessType:s locale:s id:s`,
    form: `Basics: name email active locale traffickerType userAccessType comments|May see: advertiserFilter campaignFilter
      siteFilter userRoleFilter userRoleId`,
  },
}
