import { factsOf as sharedFacts } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import { instantOf } from '../instants'
import { invalidParameter } from '../problems'
import type { Filter, Keeps } from './filter'
import type { Objects } from './objects'
import type { Stored } from './stored'
import { textAt, valuesAt } from './shapes'

/** Facts about a collection that only the sandbox needs. */
export interface Facts {
  /** Fields that text search includes. */
  search: readonly string[]
  /** Field for sorting by NAME (or VALUE). */
  nameField: string
  /** Fields by list parameter, for parameters whose name doesn't tell. */
  filters?: Record<string, Filter>
  /** Parameters of which a list needs one. Without any, it's empty. */
  needsOneOf?: readonly string[]
  /** Default values of an insert. */
  defaults?: JsonObject
  /** True if objects belong to no account and are visible to everyone. */
  shared?: true
  /** Name of its objects in change logs. Collections without one aren't logged. */
  objectType?: string
}

const dates = (path: string, keeps: (date: string, value: string) => boolean): Filter => {
  return ({ value }) =>
    (object) => {
      const date = textAt(object, path)
      return date !== undefined && keeps(date, String(value))
    }
}

const atLeast = (date: string, value: string): boolean => date >= value
const atMost = (date: string, value: string): boolean => date <= value

const schedule: Record<string, Filter> = {
  minStartDate: dates('pricingSchedule.startDate', atLeast),
  maxStartDate: dates('pricingSchedule.startDate', atMost),
  minEndDate: dates('pricingSchedule.endDate', atLeast),
  maxEndDate: dates('pricingSchedule.endDate', atMost),
  pricingTypes: 'pricingSchedule.pricingType',
}

const asList = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(String)

/** Keeps objects whose ID is in a precomputed set. */
const keepsIds = (ids: ReadonlySet<string>, idOf: (object: Stored) => unknown = (object) => object.id): Keeps => {
  return (object) => ids.has(String(idOf(object)))
}

const idsWhere = (objects: Objects, collection: string, keeps: Keeps, paths: readonly string[]): Set<string> =>
  new Set(
    objects
      .list(collection)
      .filter(keeps)
      .flatMap((object) => paths.flatMap((path) => valuesAt(object, path.split('.')).map(String))),
  )

const sizePaths = ['size.id', 'additionalSizes.id']
const landingPagePaths = [
  'clickThroughUrl.landingPageId',
  'creativeRotation.creativeAssignments.clickThroughUrl.landingPageId',
]

/** Landing pages of an ad, including its campaign's if the ad uses it. */
function landingPagesOf(objects: Objects, ad: Stored): string[] {
  const own = landingPagePaths.flatMap((path) => valuesAt(ad, path.split('.')).map(String))
  const byDefault = [
    'clickThroughUrl.defaultLandingPage',
    'creativeRotation.creativeAssignments.clickThroughUrl.defaultLandingPage',
  ]
  if (!byDefault.some((path) => valuesAt(ad, path.split('.')).includes(true))) return own
  const page = textAt(objects.get('campaigns', String(ad.campaignId)), 'defaultLandingPageId')
  return page ? [...own, page] : own
}

const placementSettings = (path: string): Filter => {
  return ({ objects, value }) =>
    (site) =>
      valuesAt(objects.get('directorySites', String(site.directorySiteId)), path.split('.')).includes(true) === value
}

/** Event tags of an ad, campaign, or advertiser, including inherited ones unless `definitionsOnly` is set. */
const eventTagsOf = (kind: 'adId' | 'campaignId' | 'advertiserId'): Filter => {
  return ({ objects, value, params }) => {
    if (kind === 'adId' && params.definitionsOnly === true)
      throw invalidParameter(
        'Ads define no event tags of their own: definitionsOnly cannot be true.',
        'definitionsOnly',
      )
    const ad = kind === 'adId' ? objects.get('ads', String(value)) : undefined
    const campaignId = kind === 'campaignId' ? String(value) : textAt(ad, 'campaignId')
    const campaign = campaignId === undefined ? undefined : objects.get('campaigns', campaignId)
    const advertiserId = kind === 'advertiserId' ? String(value) : textAt(campaign, 'advertiserId')
    if (kind === 'advertiserId')
      return (tag) =>
        tag.advertiserId === advertiserId && (params.definitionsOnly !== true || tag.campaignId === undefined)
    return (tag) =>
      tag.campaignId !== undefined
        ? tag.campaignId === campaignId
        : params.definitionsOnly !== true && advertiserId !== undefined && tag.advertiserId === advertiserId
  }
}

const changeTime = (keeps: (time: number, limit: number) => boolean, name: string): Filter => {
  return ({ value }) => {
    const limit = instantOf(String(value))
    if (Number.isNaN(limit)) throw invalidParameter(`Invalid value for ${name}: ${String(value).slice(0, 100)}.`, name)
    return (log) => keeps(Date.parse(String(log.changeTime)), limit)
  }
}

const accepts = {
  inStream: 'settings.instreamVideoPlacementAccepted',
  interstitial: 'settings.interstitialPlacementAccepted',
  publisherPaid: 'settings.dfpSettings.pubPaidPlacementAccepted',
}

const common = { search: ['id', 'name'], nameField: 'name' } as const

const facts: Record<string, Partial<Facts>> = {
  accountUserProfiles: {
    search: ['id', 'name', 'email'],
  },
  ads: {
    filters: {
      creativeIds: 'creativeRotation.creativeAssignments.creativeId',
      creativeOptimizationConfigurationIds: 'creativeRotation.creativeOptimizationConfigurationId',
      landingPageIds: ({ objects, value }) => {
        const wanted = new Set(asList(value))
        return (ad) => landingPagesOf(objects, ad).some((id) => wanted.has(id))
      },
      overriddenEventTagId: 'eventTagOverrides.id',
      placementIds: 'placementAssignments.placementId',
      remarketingListIds: ({ value }) => {
        const wanted = new Set(asList(value))
        return (ad) =>
          (textAt(ad, 'remarketingListExpression.expression')?.match(/\d+/g) ?? []).some((id) => wanted.has(id))
      },
      sizeIds: ({ objects, value }) => {
        const wanted = new Set(asList(value))
        const sizes = (object: Stored | undefined): boolean =>
          sizePaths.some((path) => valuesAt(object, path.split('.')).some((id) => wanted.has(String(id))))
        return (ad) =>
          sizes(ad) ||
          valuesAt(ad, ['creativeRotation', 'creativeAssignments', 'creativeId']).some((id) =>
            sizes(objects.get('creatives', String(id))),
          )
      },
    },
  },
  advertiserLandingPages: {
    search: ['id', 'name'],
    filters: {
      campaignIds: ({ objects, value }) => {
        const wanted = new Set(asList(value))
        const pages = idsWhere(objects, 'campaigns', keepsIds(wanted), ['defaultLandingPageId'])
        for (const ad of objects.list('ads'))
          if (wanted.has(String(ad.campaignId))) for (const id of landingPagesOf(objects, ad)) pages.add(id)
        return keepsIds(pages)
      },
    },
  },
  advertisers: {
    filters: {
      includeAdvertisersWithoutGroupsOnly:
        ({ value }) =>
        (advertiser) =>
          value !== true || advertiser.advertiserGroupId === undefined,
      onlyParent:
        ({ value }) =>
        (advertiser) =>
          value !== true || advertiser.trackingConfigurationId !== advertiser.originalTrackingConfigurationId,
    },
  },
  campaigns: {
    filters: {
      atLeastOneOptimizationActivity:
        ({ value }) =>
        (campaign) =>
          ['creativeOptimizationConfiguration', 'additionalCreativeOptimizationConfigurations'].some(
            (name) => valuesAt(campaign, [name, 'optimizationActivitys']).length > 0,
          ) === value,
      excludedIds: ({ value }) => {
        const unwanted = new Set(asList(value))
        return (campaign) => !unwanted.has(campaign.id)
      },
      overriddenEventTagId: 'eventTagOverrides.id',
    },
  },
  changeLogs: {
    search: ['objectId', 'userProfileName', 'oldValue', 'newValue'],
    filters: {
      minChangeTime: changeTime((time, limit) => time >= limit, 'minChangeTime'),
      maxChangeTime: changeTime((time, limit) => time <= limit, 'maxChangeTime'),
    },
  },
  cities: {
    filters: {
      namePrefix: ({ value }) => {
        const start = String(value).toLowerCase()
        return (city) => String(city.name).toLowerCase().startsWith(start)
      },
    },
  },
  creativeFieldValues: { search: ['id', 'value'] },
  creatives: {
    filters: {
      campaignId: ({ objects, value }) =>
        keepsIds(
          idsWhere(objects, 'campaignCreativeAssociations', (link) => link.campaignId === value, ['creativeId']),
        ),
      companionCreativeIds: 'companionCreatives',
      creativeFieldIds: 'creativeFieldAssignments.creativeFieldId',
      sizeIds: sizePaths,
    },
  },
  directorySites: {
    search: ['id', 'name', 'url'],
    filters: {
      acceptsInStreamVideoPlacements: accepts.inStream,
      acceptsInterstitialPlacements: accepts.interstitial,
      acceptsPublisherPaidPlacements: accepts.publisherPaid,
      active: 'active',
      dfpNetworkCode: 'settings.dfpSettings.dfpNetworkCode',
    },
    shared: true,
  },
  dynamicTargetingKeys: {
    filters: {
      advertiserId:
        ({ objects, value }) =>
        (key) =>
          key.objectType === 'OBJECT_ADVERTISER'
            ? key.objectId === value
            : textAt(objects.get(targetingKeyOwners[String(key.objectType)]!, String(key.objectId)), 'advertiserId') ===
              value,
    },
  },
  eventTags: {
    filters: {
      adId: eventTagsOf('adId'),
      advertiserId: eventTagsOf('advertiserId'),
      campaignId: eventTagsOf('campaignId'),
      definitionsOnly:
        ({ value, params }) =>
        (tag) =>
          value !== true || params.campaignId === undefined || tag.campaignId !== undefined,
      enabled:
        ({ value, params }) =>
        (tag) =>
          (tag.enabledByDefault === true && (params.definitionsOnly === true || tag.status === 'ENABLED')) === value,
      eventTagTypes: 'type',
    },
  },
  mobileApps: { search: ['id', 'title'], filters: { directories: 'directory' } },
  orderDocuments: {
    search: ['id', 'title'],
    filters: {
      approved:
        ({ value }) =>
        (document) =>
          valuesAt(document, ['approvedByUserProfileIds']).length > 0 === value,
      siteId: ({ objects, value }) => {
        const wanted = new Set(asList(value))
        return (document) =>
          valuesAt(objects.get('orders', String(document.orderId)), ['siteId']).some((id) => wanted.has(String(id)))
      },
    },
  },
  placementGroups: {
    filters: schedule,
  },
  placements: {
    filters: { ...schedule, compatibilities: 'compatibility', groupIds: 'placementGroupId', sizeIds: sizePaths },
  },
  remarketingLists: {
    search: ['name'],
    filters: { trackingActivityId: 'listPopulationRule.trackingActivityId' },
  },
  targetableRemarketingLists: { search: ['name'], filters: { advertiserId: () => () => true } },
  sites: {
    search: ['id', 'name', 'keyName'],
    filters: {
      acceptsInStreamVideoPlacements: placementSettings(accepts.inStream),
      acceptsInterstitialPlacements: placementSettings(accepts.interstitial),
      acceptsPublisherPaidPlacements: placementSettings(accepts.publisherPaid),
      adWordsSite: 'adWordsSite',
      campaignIds: ({ objects, value }) => {
        const wanted = new Set(asList(value))
        return keepsIds(
          idsWhere(objects, 'placements', (placement) => wanted.has(String(placement.campaignId)), ['siteId']),
        )
      },
      unmappedSite:
        ({ value }) =>
        (site) =>
          (site.directorySiteId === undefined) === value,
    },
  },
  sizes: { filters: { iabStandard: 'iab' }, shared: true },
  trackingActivities: {},
  userRoles: {
    filters: {
      accountUserRoleOnly:
        ({ value }) =>
        (role) =>
          value !== true || role.subaccountId === undefined,
    },
  },
}

/** Collections of the objects that have dynamic targeting keys, by object type. */
export const targetingKeyOwners: Record<string, string> = {
  OBJECT_ADVERTISER: 'advertisers',
  OBJECT_AD: 'ads',
  OBJECT_CREATIVE: 'creatives',
  OBJECT_PLACEMENT: 'placements',
}

const known = sharedFacts()

/** Facts of any collection. One without its own gets the defaults. */
export function factsOf(collection: string): Facts {
  const { title, defaults, objectType, needsOneOf } = known.find(collection) ?? {}
  return {
    ...common,
    ...(title && { nameField: title }),
    ...(defaults && { defaults }),
    ...(objectType && { objectType }),
    ...(needsOneOf && { needsOneOf: ['ids', ...needsOneOf] }),
    ...facts[collection],
  }
}

/** Objects can't move to another owner. */
const alwaysFixed = known.of('placements').fixed

export const fixedFields = (collection: string): readonly string[] => known.find(collection)?.fixed ?? alwaysFixed
