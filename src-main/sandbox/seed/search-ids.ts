/**
 * What the search service calls what is seeded: made up, and always the same. The advertiser and the campaign are the ones
 * of trafficking that a client starts with.
 */
export const searchIds = {
  agencyId: '20100000000000031',
  advertiserId: '4821307',
  engineAccountId: '700000000042731',
  customerId: '7318204659',
  campaignId: '9130562',
  adGroupId: '58700001204418053',
  criterionId: '43700011902547316',
} as const
