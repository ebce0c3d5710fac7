import { daily, often, seldom, type Flight, type ServiceRemarks } from '../remark'
import type { SheetRemark } from '../sheet'
import sheets from './trafficking-sheets.json'

const inProfile = { collection: 'userProfiles', param: 'profileId' } as const
const legacy = ['legacyId'] as const

/** The first price begins with the flight and the last one ends with it. The service rejects prices outside. */
const prices = {
  'pricingSchedule.startDate': 'pricingSchedule.pricingPeriods.*.startDate',
  'pricingSchedule.endDate': 'pricingSchedule.pricingPeriods.*.endDate',
} as const
const slot: Flight = {
  start: 'pricingSchedule.startDate',
  end: 'pricingSchedule.endDate',
  oneDay: true,
  within: 'campaignId',
  parts: [{ list: 'pricingSchedule.pricingPeriods', start: 'startDate', end: 'endDate', oneDay: true, inside: true }],
}

/**
 * Facts that the trafficking tables lack, for both versions. Object types are those of change logs. Defaults and fixed
 * fields are those the service applies (trafficking behavior, resources).
 */
export const traffickingRemarks = {
  etags: false,
  send: 'whenPosted',
  // Columns and forms of the common kinds, in order.
  sheets: sheets as Readonly<Record<string, SheetRemark>>,
  references: true,
  listed: true,
  partsOf: ['advertisers', 'campaigns'],
  parentOf: {
    profileId: 'userProfiles',
    campaignId: 'campaigns',
    creativeFieldId: 'creativeFields',
    projectId: 'projects',
    reportId: 'reports',
  },
  fixed: ['advertiserId', 'campaignId', 'projectId', 'creativeFieldId'],
  merge: {
    fields: {
      Ad: { size: 'scalar' },
      Creative: { size: 'scalar' },
      ListTargetingExpression: { expression: 'scalar' },
    },
    keyedBy: {
      AudienceSegment: ['id'],
      AudienceSegmentGroup: ['id'],
      Browser: ['browserVersionId', 'legacyId'],
      City: legacy,
      ClickTag: ['eventName', 'name'],
      CompanionClickThroughOverride: ['creativeId'],
      ConnectionType: ['id'],
      Country: ['legacyId', 'countryCode'],
      CreativeAsset: ['id'],
      CreativeAssignment: ['creativeId'],
      CreativeCustomEvent: ['id'],
      CreativeFieldAssignment: ['creativeFieldId'],
      CreativeGroupAssignment: ['creativeGroupNumber'],
      CreativeOptimizationConfiguration: ['id'],
      EventTagOverride: ['id'],
      Language: ['id', 'languageCode'],
      Metro: ['legacyId', 'dmaId', 'metroCode'],
      MobileCarrier: ['id'],
      OperatingSystem: legacy,
      OperatingSystemVersion: ['id'],
      OptimizationActivity: ['trackingActivityId'],
      PlacementAssignment: ['placementId'],
      PlatformType: ['id'],
      PostalCode: ['id', 'code'],
      Region: ['legacyId', 'regionCode'],
      RichMediaExitOverride: ['exitId'],
      SiteContact: ['id', 'email'],
      ThirdPartyAuthenticationToken: ['name'],
      ThirdPartyTrackingUrl: ['thirdPartyUrlType'],
      TrackingActivityDynamicTag: ['id', 'name'],
      UserDefinedVariableConfiguration: ['variableType'],
      UserRolePermission: ['id'],
    },
    // A size represents a row of sizes. A click-through chooses between a landing page, a default, and a URL.
    oneValue: [
      'Size',
      'ClickThroughUrl',
      'CreativeClickThroughUrl',
      'CompanionClickThroughOverride',
      'CreativeAssetId',
    ],
    prose: ['comment', 'comments', 'description', 'notes'],
  },
  collections: {
    accountUserProfiles: {
      defaults: { active: false, userAccessType: 'NORMAL_USER', traffickerType: 'EXTERNAL_TRAFFICKER' },
      objectType: 'OBJECT_USER_PROFILE',
      words: { one: 'user profile', many: 'user profiles' },
    },
    accounts: { objectType: 'OBJECT_ACCOUNT' },
    ads: {
      defaults: { active: false, archived: false },
      notMade: { field: 'type', values: ['AD_SERVING_DEFAULT_AD'] },
      flight: {
        start: 'startTime',
        end: 'endTime',
        startsAhead: true,
        endsAhead: true,
        parts: [{ list: 'creativeRotation.creativeAssignments', start: 'startTime', end: 'endTime' }],
      },
      fixed: ['type'],
      objectType: 'OBJECT_AD',
      keep: 'window',
    },
    advertiserGroups: { objectType: 'OBJECT_ADVERTISER_GROUP' },
    advertiserLandingPages: {
      defaults: { archived: false },
      objectType: 'OBJECT_LANDING_PAGE',
    },
    advertisers: {
      defaults: { status: 'APPROVED', suspended: false },
      objectType: 'OBJECT_ADVERTISER',
      pull: { when: 'index', order: 10, patience: seldom },
    },
    browsers: { id: ['browserVersionId'] },
    campaignCreativeAssociations: { id: ['creativeId'], ids: 'content', idFrom: { fields: ['creativeId'] } },
    campaigns: {
      defaults: { archived: false, nielsenOcrEnabled: false },
      flight: { start: 'startDate', end: 'endDate', endsAhead: true },
      objectType: 'OBJECT_CAMPAIGN',
      pull: { when: 'index', order: 11, patience: seldom },
    },
    changeLogs: {
      title: 'fieldName',
      words: { one: 'recent change', many: 'recent changes' },
      pull: { when: 'log', order: 12, patience: often },
      keep: 'window',
      log: {
        type: 'objectType',
        id: 'objectId',
        at: 'changeTime',
        who: 'userProfileName',
        whoId: 'userProfileId',
        field: 'fieldName',
        before: 'oldValue',
        after: 'newValue',
        deletion: { field: 'action', is: 'ACTION_DELETE' },
      },
      columns: [
        'changeTime',
        'userProfileName',
        'objectType',
        'objectId',
        'action',
        'fieldName',
        'oldValue',
        'newValue',
      ],
    },
    cities: { id: legacy, pull: 'never' },
    contentCategories: { objectType: 'OBJECT_CONTENT_CATEGORY' },
    countries: { id: legacy },
    creativeFieldValues: { objectType: 'OBJECT_CREATIVE_FIELD' },
    creativeFields: { objectType: 'OBJECT_CREATIVE_FIELD' },
    creatives: {
      defaults: { active: true, archived: false, sslOverride: false },
      fixed: ['type'],
      objectType: 'OBJECT_CREATIVE',
      keep: 'window',
    },
    directorySites: { defaults: { active: true }, objectType: 'OBJECT_SD_SITE', pull: 'never' },
    dynamicTargetingKeys: {
      id: ['objectId', 'objectType', 'name'],
      ids: 'content',
      idFrom: { fields: ['objectId', 'objectType', 'name'] },
      words: { one: 'targeting key', many: 'targeting keys' },
    },
    eventTags: {
      defaults: { enabledByDefault: false, excludeFromAdxRequests: false },
      objectType: 'OBJECT_EVENT_TAG',
    },
    files: {
      id: ['reportId', 'id'],
      idParams: ['reportId', 'fileId'],
      pull: 'never',
      words: { one: 'report file', many: 'report files' },
      title: 'fileName',
    },
    'reports.files': { pull: 'never', words: { one: 'report file', many: 'report files' }, title: 'fileName' },
    metros: { id: legacy },
    operatingSystems: { id: legacy },
    placementGroups: {
      defaults: { archived: false },
      flight: slot,
      follows: prices,
      objectType: 'OBJECT_PLACEMENT',
    },
    placementStrategies: { objectType: 'OBJECT_PLACEMENT_STRATEGY' },
    placements: {
      defaults: { archived: false, status: 'PENDING_REVIEW', sslRequired: true, adBlockingOptOut: false },
      flight: slot,
      follows: prices,
      objectType: 'OBJECT_PLACEMENT',
      keep: 'window',
    },
    mobileApps: { pull: 'never' },
    postalCodes: { title: 'code', pull: 'never' },
    regions: { id: legacy },
    // Also used by people who don't download campaigns.
    reports: { pull: { when: 'perParent', order: 12, patience: seldom } },
    remarketingListShares: {
      parents: [inProfile],
      id: ['remarketingListId'],
      recordsOf: 'remarketingLists',
      pull: { when: 'perRecord', order: 40, patience: seldom },
    },
    remarketingLists: {
      defaults: { active: true, lifeSpan: '30', listSource: 'REMARKETING_LIST_SOURCE_DFA' },
      objectType: 'OBJECT_REMARKETING_LIST',
      needsOneOf: ['advertiserId'],
    },
    sites: {
      defaults: { approved: true },
      objectType: 'OBJECT_DFA_SITE',
      pull: { when: 'reference', order: 13, patience: daily },
    },
    sizes: { objectType: 'OBJECT_SIZE', seen: ['width', 'height'] },
    subaccounts: { objectType: 'OBJECT_SUBACCOUNT' },
    targetableRemarketingLists: { needsOneOf: ['advertiserId'] },
    targetingTemplates: { objectType: 'OBJECT_TARGETING_TEMPLATE' },
    trackingActivities: {
      needsOneOf: ['advertiserId', 'trackingConfigurationId'],
      defaults: {
        cacheBustingType: 'JAVASCRIPT',
        hidden: false,
        secure: true,
        sslRequired: true,
        status: 'ACTIVE',
        tagFormat: 'HTML',
      },
      objectType: 'OBJECT_TRACKING_ACTVITY',
    },
    trackingActivityGroups: {
      objectType: 'OBJECT_TRACKING_ACTIVITY_GROUP',
    },
    trackingConfigurations: { objectType: 'OBJECT_TRACKING_CONFIGURATION', seen: ['advertiserId'] },
    userProfiles: {
      title: 'userName',
      words: { one: 'profile', many: 'profiles' },
      pull: { when: 'root', order: 0, patience: seldom },
    },
    userRoles: { defaults: { defaultUserRole: false }, objectType: 'OBJECT_USER_ROLE' },
    videoFormats: { words: { one: 'video format', many: 'video formats' } },
  },
} as const satisfies ServiceRemarks
