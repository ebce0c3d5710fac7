import type { Person, Service } from '../operation'
import { people } from '../people'
import { factsOf } from '../trafficking/facts'
import { objectsOf, type Objects } from '../trafficking/objects'
import type { Stored } from '../trafficking/stored'
import { makeConfiguration } from '../trafficking/rules/advertisers'
import { countryId } from '../trafficking/reference/reference'
import { searchIds } from './search-ids'

/** The account that the people of the sandbox work in. */
export interface Home {
  objects: Objects
  accountId: string
  subaccountId: string
  /** Epoch milliseconds now, and today in UTC. */
  now: number
  today: string
}

const dayMs = 86_400_000

/** Date (`YYYY-MM-DD`) a number of days after another. */
export const dayFrom = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** Stores an object of the account, with an ID and times of its creation. */
export function put(
  home: Home,
  collection: string,
  fields: Omit<Stored, 'id'> & { id?: string },
  madeAt = home.now,
): Stored {
  const time = { time: String(madeAt) }
  const object: Stored = {
    accountId: home.accountId,
    subaccountId: home.subaccountId,
    createInfo: time,
    lastModifiedInfo: time,
    ...factsOf(collection).defaults,
    ...fields,
    id: fields.id ?? home.objects.nextId(collection),
  }
  home.objects.put(collection, object)
  return object
}

const agency = 'Harbour & Pine Media'

/** An account with its subaccount, and a profile in it for each of some people. */
export function seedAccount(
  service: Service,
  name = agency,
  members: readonly Person[] = people,
): { home: Home; profileId: string } {
  const objects = objectsOf(service.store)
  const { now } = service.store
  const accountId = objects.nextId('accounts')
  const subaccountId = objects.nextId('subaccounts')
  const home: Home = { objects, accountId, subaccountId, now, today: new Date(now).toISOString().slice(0, 10) }
  put(home, 'accounts', {
    id: accountId,
    name,
    description: 'Media agency',
    active: true,
    accountProfile: 'ACCOUNT_PROFILE_STANDARD',
    activeAdsLimitTier: 'ACTIVE_ADS_TIER_40K',
    activeViewOptOut: false,
    countryId: countryId('DE'),
    currencyId: '17',
    locale: 'en-GB',
    maximumImageSize: '1024',
    teaserSizeLimit: '1024',
    accountPermissionIds: objects.list('accountPermissions').map(({ id }) => id),
    availablePermissionIds: objects.list('userRolePermissions').map(({ id }) => id),
    nielsenOcrEnabled: false,
    shareReportsWithTwitter: false,
    reportsConfiguration: {
      exposureToConversionEnabled: false,
      lookbackConfiguration: { clickDuration: 30, postImpressionActivitiesDuration: 14 },
      reportGenerationTimeZoneId: '3',
    },
  })
  put(home, 'subaccounts', {
    id: subaccountId,
    name: 'Continental Europe',
    availablePermissionIds: objects.list('userRolePermissions').map((permission) => permission.id),
  })
  const roles = seedRoles(home)
  const profileIds = members.map((person, index) => {
    const profile = put(home, 'accountUserProfiles', {
      name: `${person.name.replaceAll(' ', '.')}${name === agency ? '' : '.test'}`,
      email: person.email,
      active: true,
      locale: 'en-GB',
      userRoleId: roles[Math.min(index, roles.length - 1)]!.id,
      userAccessType: 'NORMAL_USER',
      traffickerType: 'EXTERNAL_TRAFFICKER',
      ...Object.fromEntries(
        ['advertiserFilter', 'campaignFilter', 'siteFilter', 'userRoleFilter'].map((name) => [name, { status: 'ALL' }]),
      ),
    })
    objects.put('userProfiles', {
      id: profile.id,
      profileId: profile.id,
      person: person.id,
      accountId,
      accountName: name,
      subAccountId: subaccountId,
      subAccountName: 'Continental Europe',
      userName: String(profile.name),
    })
    return profile.id
  })
  return { home, profileId: profileIds[0]! }
}

/** Roles that every account has. */
function seedRoles(home: Home): Stored[] {
  const admin = home.objects.nextId('userRoles')
  return ['Agency Admin', 'Trafficker', 'Planner'].map((name, index) =>
    put(home, 'userRoles', {
      id: index === 0 ? admin : home.objects.nextId('userRoles'),
      subaccountId: undefined,
      name,
      defaultUserRole: true,
      builtIn: true,
      parentUserRoleId: admin,
      permissions: [],
    }),
  )
}

/** An advertiser with the tracking configuration it begins with. */
export function seedAdvertiser(home: Home, fields: Omit<Stored, 'id'> & { id?: string }): Stored {
  const id = fields.id ?? home.objects.nextId('advertisers')
  const configuration = makeConfiguration(home.objects, home, id)
  return put(home, 'advertisers', {
    status: 'APPROVED',
    suspended: false,
    ...fields,
    id,
    trackingConfigurationId: configuration.id,
    originalTrackingConfigurationId: configuration.id,
  })
}

/** The few objects that a client needs to start. @returns the IDs of the ready line */
export function seedTraffickingEmpty(service: Service): Record<string, string> {
  const { home, profileId } = seedAccount(service)
  const advertiser = seedAdvertiser(home, { name: 'Lindqvist Outdoor' })
  const campaign = put(home, 'campaigns', {
    name: 'Lindqvist Outdoor: first flight',
    advertiserId: advertiser.id,
    startDate: dayFrom(home.today, -30),
    endDate: dayFrom(home.today, 180),
    archived: false,
    nielsenOcrEnabled: false,
  })
  const directorySite = home.objects.list('directorySites')[0]
  const site = put(home, 'sites', {
    name: 'Nordlicht Nachrichten',
    keyName: 'nordlicht.nachrichten',
    approved: true,
    directorySiteId: directorySite?.id,
  })
  return readyIds(home, { profileId, advertiserId: advertiser.id, campaignId: campaign.id, siteId: site.id })
}

export function readyIds(
  { accountId }: Home,
  {
    profileId,
    advertiserId,
    campaignId,
    siteId,
  }: Record<'profileId' | 'advertiserId' | 'campaignId' | 'siteId', string>,
): Record<string, string> {
  return { profileId, accountId, ...searchIds(accountId, advertiserId, campaignId), siteId }
}
