import { people } from '../people'
import type { Service } from '../operation'
import type { Stored } from '../trafficking/stored'
import { Chance } from './chance'
import { seedCampaign } from './demo-campaigns'
import { seedPlanning } from './demo-planning'
import { put, readyIds, seedAccount, seedAdvertiser, type Home } from './trafficking'
import { seedReports } from './demo-reports'
import type { Client, Stock } from './stock'
import * as words from './trafficking-words'

const campaignsAtScaleOne = 25

/**
 * A year of an agency: six advertisers, their current campaigns, and everything that belongs to them. Deterministic for
 * a clock. Scale multiplies the campaigns.
 * @returns the IDs of the ready line
 */
export function seedTraffickingDemo(service: Service, scale: number): Record<string, string> {
  const chance = new Chance(19_730_401)
  const { home, profileId } = seedAccount(service)
  const second = seedAccount(service, 'Harbour & Pine Test', people.slice(0, 1))
  seedAdvertiser(second.home, { name: 'Test advertiser' })
  const named = (collection: string, names: readonly string[]): Stored[] =>
    names.map((name) => put(home, collection, { name }))
  put(home, 'subaccounts', { name: 'Nordics', availablePermissionIds: [] })
  seedColleague(home)
  const groups = named('advertiserGroups', words.advertiserGroups)
  const stock: Stock = {
    home,
    chance,
    sites: seedSites(home),
    strategies: named('placementStrategies', words.strategies),
    categories: named('contentCategories', words.categories),
    clients: [],
  }
  for (const one of words.advertisers) stock.clients.push(seedClient(home, one, groups, stock.sites))
  shareConfiguration(stock)
  const campaigns: Stored[] = []
  for (let index = 0; index < Math.round(campaignsAtScaleOne * scale); index++)
    campaigns.push(seedCampaign(stock, index, Math.max(1, scale)))
  seedPlanning(stock)
  seedRecentChanges(stock, campaigns, profileId)
  const first = campaigns.find(
    (campaign) => String(campaign.startDate) <= home.today && String(campaign.endDate) >= home.today,
  )
  const { advertiserId, id: campaignId } = first ?? campaigns[0]!
  const ids = readyIds(home, { profileId, advertiserId: String(advertiserId), campaignId, siteId: stock.sites[0]!.id })
  seedReports(service, ids)
  return ids
}

/** Creates a former colleague with a role of the subaccount. */
function seedColleague(home: Home): void {
  const permissions = home.objects.list('userRolePermissions').filter(({ name }) => String(name).startsWith('View'))
  const role = put(home, 'userRoles', {
    name: 'Guest planner',
    defaultUserRole: false,
    parentUserRoleId: home.objects.list('userRoles')[0]!.id,
    permissions: permissions.map((permission) => ({ ...permission })),
  })
  put(home, 'accountUserProfiles', {
    name: 'Petra.Nowak',
    email: 'petra.nowak@flightplan.example',
    active: false,
    comments: 'Until the end of last year',
    locale: 'de',
    userRoleId: role.id,
    userAccessType: 'NORMAL_USER',
    traffickerType: 'INTERNAL_TRAFFICKER',
  })
}

function seedSites(home: Home): Stored[] {
  const mapped = home.objects
    .list('directorySites')
    .filter((site) => site.active === true)
    .slice(0, 18)
    .map((site) =>
      put(home, 'sites', {
        name: site.name,
        keyName: String(site.name)
          .toLowerCase()
          .replace(/[^a-z]+/g, '.'),
        approved: true,
        directorySiteId: site.id,
        siteContacts: [
          {
            id: home.objects.nextId('part:SiteContact'),
            contactType: 'SALES_PERSON',
            email: `sales@${String(site.url).replace(/^https:\/\/www\.|\/$/g, '')}`,
            firstName: 'Ines',
            lastName: 'Falk',
          },
        ],
      }),
    )
  put(home, 'sites', { name: 'Search network', keyName: 'search.network', approved: true, adWordsSite: true })
  put(home, 'sites', { name: 'Parish newsletter', keyName: 'parish.newsletter', approved: false })
  return mapped
}

function seedClient(home: Home, one: words.AdvertiserWords, groups: Stored[], sites: Stored[]): Client {
  const advertiser = seedAdvertiser(home, {
    name: one.name,
    ...(one.group === undefined ? {} : { advertiserGroupId: groups[one.group]!.id }),
    defaultEmail: `media@${one.host}`,
    clickThroughUrlSuffix: 'utm_source=display',
    status: 'APPROVED',
  })
  const advertiserId = advertiser.id
  const configurationId = String(advertiser.trackingConfigurationId)
  const page = (name: string, path: string): Stored =>
    put(home, 'advertiserLandingPages', { name, advertiserId, url: `https://www.${one.host}/${path}`, archived: false })
  home.objects.put('advertiserLandingPages', { ...page('Last year', 'last-year'), archived: true })
  const landingPages = [page('Home', ''), page('Offer', 'offer'), page('Newsletter', 'newsletter')]
  const creativeGroups = one.lines.map((name, index) =>
    put(home, 'creativeGroups', { name, advertiserId, groupNumber: (index % 2) + 1 }),
  )
  const field = put(home, 'creativeFields', { name: 'Wording', advertiserId })
  const fieldValues = one.lines.map((value) => put(home, 'creativeFieldValues', { value, creativeFieldId: field.id }))
  const activities = seedActivities(home, one, advertiserId, configurationId)
  const lists = words.lists.map((name, index) =>
    put(home, 'remarketingLists', {
      name: `${one.name}: ${name}`,
      advertiserId,
      active: index < 2,
      description: name,
      lifeSpan: String(30 * (index + 1)),
      listSize: String(18_400 * (index + 1)),
      listSource: 'REMARKETING_LIST_SOURCE_DFA',
      listPopulationRule: { trackingActivityId: activities[index % activities.length]!.id },
    }),
  )
  put(home, 'eventTags', {
    name: 'Viewability pixel',
    advertiserId,
    type: 'IMPRESSION_IMAGE_EVENT_TAG',
    url: 'https://measure.example/view.gif?c=%ecid!',
    status: 'ENABLED',
    enabledByDefault: true,
    excludeFromAdxRequests: false,
    siteFilterType: 'WHITELIST',
    siteIds: sites.slice(0, 3).map(({ id }) => id),
    sslCompliant: true,
  })
  put(home, 'targetingTemplates', {
    name: 'Evenings in the big cities',
    advertiserId,
    dayPartTargeting: {
      daysOfWeek: ['THURSDAY', 'FRIDAY', 'SATURDAY'],
      hoursOfDay: [18, 19, 20, 21, 22],
      userLocalTime: true,
    },
  })
  home.objects.put('dynamicTargetingKeys', {
    id: `OBJECT_ADVERTISER-${advertiserId}-season`,
    accountId: home.accountId,
    name: 'season',
    objectId: advertiserId,
    objectType: 'OBJECT_ADVERTISER',
  })
  return { words: one, advertiser, landingPages, creativeGroups, field, fieldValues, activities, lists }
}

function seedActivities(
  home: Home,
  one: words.AdvertiserWords,
  advertiserId: string,
  trackingConfigurationId: string,
): Stored[] {
  const group = (name: string, tagString: string, type: string): Stored =>
    put(home, 'trackingActivityGroups', { name, advertiserId, trackingConfigurationId, tagString, type })
  const sales = group('Sales', 'sales', 'SALE')
  const visits = group('Visits', 'visits', 'COUNTER')
  const activity = (of: Stored, name: string, tagString: string, countingMethod: string): Stored =>
    put(home, 'trackingActivities', {
      name,
      advertiserId,
      trackingConfigurationId,
      trackingActivityGroupId: of.id,
      trackingActivityGroupName: of.name,
      trackingActivityGroupTagString: of.tagString,
      trackingActivityGroupType: of.type,
      tagString,
      countingMethod,
      trackingTagType: 'GLOBAL_SITE_TAG',
      expectedUrl: `https://www.${one.host}/${tagString}`,
      cacheBustingType: 'JAVASCRIPT',
      hidden: false,
      secure: true,
      sslCompliant: true,
      sslRequired: true,
      status: 'ACTIVE',
      tagFormat: 'HTML',
    })
  return [
    activity(sales, one.sale, 'order', 'TRANSACTIONS_COUNTING'),
    ...one.visits.map((name, index) => activity(visits, name, `visit${index + 1}`, 'STANDARD_COUNTING')),
  ]
}

/** Lets two advertisers of one company share a tracking configuration, and shares a list of the first with the second. */
function shareConfiguration({ home, clients }: Stock): void {
  const [first, second] = clients as [Client, Client]
  const sharing = { ...second.advertiser, trackingConfigurationId: first.advertiser.trackingConfigurationId }
  home.objects.put('advertisers', sharing)
  second.advertiser = sharing
  const [list] = first.lists as [Stored]
  home.objects.put('remarketingListShares', {
    id: list.id,
    accountId: home.accountId,
    remarketingListId: list.id,
    sharedAccountIds: [],
    sharedAdvertiserIds: [second.advertiser.id],
  })
}

/** Changes objects in the last days, so that the change log isn't empty. */
function seedRecentChanges({ home, chance }: Stock, campaigns: Stored[], profileId: string): void {
  const profile = home.objects.get('userProfiles', profileId)
  campaigns.slice(0, 40).forEach((campaign, index) => {
    const at = home.now - (index * 7 + chance.int(6) + 1) * 3_600_000
    put(home, 'changeLogs', {
      action: 'ACTION_UPDATE',
      changeTime: new Date(at).toISOString(),
      fieldName: 'name',
      newValue: campaign.name,
      oldValue: `${String(campaign.name)} (draft)`,
      objectId: campaign.id,
      objectType: 'OBJECT_CAMPAIGN',
      transactionId: home.objects.nextId('transactions'),
      userProfileId: profileId,
      userProfileName: String(profile?.userName),
    })
  })
}
