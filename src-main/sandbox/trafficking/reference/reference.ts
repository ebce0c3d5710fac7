import type { Stored } from '../stored'
import countryNames from './countries.json'
import inventory from './inventory.json'
import places from './places.json'
import technology from './technology.json'

/** A country's numeric ID, derived from its code. */
export const countryId = (code: string): string =>
  String(1_000 + (code.charCodeAt(0) - 65) * 26 + code.charCodeAt(1) - 65)

const country = (code: string) => ({ countryCode: code, countryLegacyId: countryId(code) })

/** A list of names, numbered from `first`. */
const numbered = (first: number, names: readonly string[]): Stored[] =>
  names.map((name, index) => ({ id: String(first + index), name }))

/** Countries where pages are served without TLS only. */
const withoutTls = new Set(['CU', 'IR', 'KP', 'SY'])

const countries = Object.entries(countryNames).map(([code, name]) => {
  const id = countryId(code)
  return { id, legacyId: id, countryCode: code, name, sslEnabled: !withoutTls.has(code) }
})

const regions = places.regions.map(({ country: within, code, name }) => {
  const id = `${countryId(within)}${[...code].map((letter) => letter.charCodeAt(0) % 100).join('')}`
  return { id, legacyId: id, regionCode: code, name, ...country(within) }
})
const regionIds = new Map(regions.map(({ countryCode, regionCode, id }) => [`${countryCode} ${regionCode}`, id]))

/** Designated market areas of the United States, by their numbers. */
const metros = places.metros.map(({ code, name }) => {
  const id = `200${code}`
  return { id, legacyId: id, dmaId: code, metroCode: code, name, ...country('US') }
})

const cities = places.cities.map(({ country: within, region, name, metro }, index) => {
  const id = String(1_001_001 + index)
  return {
    id,
    legacyId: id,
    name,
    regionCode: region,
    regionLegacyId: regionIds.get(`${within} ${region}`)!,
    ...(metro ? { metroCode: metro, metroDmaId: metro } : {}),
    ...country(within),
  }
})

const postalCodes = places.cities.flatMap(({ country: within, postal }) =>
  postal.map((code) => ({ id: `${within}:${code}`, code, ...country(within) })),
)

/** Each browser once without a version, then its major versions. */
const browsers = technology.browsers.flatMap(({ name, number, versions }) =>
  ['', ...versions].map((version) => {
    const id = `${500 + number}${version.padStart(3, '0')}`
    return {
      id,
      browserVersionId: id,
      legacyId: String(500 + number),
      name: version ? `${name} ${version}` : name,
      majorVersion: version || '-',
      minorVersion: '-',
    }
  }),
)

const operatingSystems = technology.operatingSystems.map(({ name, number, runs }) => {
  const id = String(501_000 + number)
  return { id, legacyId: id, name, desktop: runs === 'desktop', mobile: runs === 'mobile' }
})

const operatingSystemVersions = technology.operatingSystems.flatMap(({ name, number, versions }, at) =>
  versions.map((version) => {
    const [majorVersion = '', minorVersion = '0'] = version.split('.')
    const { id: _id, ...operatingSystem } = operatingSystems[at]!
    return {
      id: `${501_000 + number}${majorVersion.padStart(2, '0')}${minorVersion}`,
      name: `${name} ${version}`,
      majorVersion,
      minorVersion,
      operatingSystem: { kind: 'trafficking#operatingSystem', ...operatingSystem },
    }
  }),
)

const mobileCarriers = Object.entries(technology.mobileCarriers).flatMap(([code, names]) =>
  names.map((name, index) => ({
    id: `${countryId(code)}${String(index + 1).padStart(2, '0')}`,
    name,
    ...country(code),
  })),
)

const videoFormats = technology.videoFormats.map(({ id, fileType, width, height, targetBitRate }) => ({
  id,
  fileType,
  resolution: { width, height, iab: false, kind: 'trafficking#size' },
  targetBitRate,
}))

/** Sizes of every account: those of the IAB, then other common ones. Width by height, in pixels. */
const sizes = [
  ...inventory.sizes.iab.map((text) => ({ text, iab: true })),
  ...inventory.sizes.other.map((text) => ({ text, iab: false })),
].map(({ text, iab }, index) => {
  const [width = 0, height = 0] = text.split('x').map(Number)
  return { id: String(1_501 + index), width, height, iab }
})

const directorySites = inventory.directorySites.map(({ name, host, network, takes }, index) => ({
  id: String(2_400_101 + index * 7),
  name,
  url: `https://www.${host}/`,
  active: index % 12 !== 11,
  inpageTagFormats: ['STANDARD', 'IFRAME_JAVASCRIPT_INPAGE', 'JAVASCRIPT_INPAGE'],
  interstitialTagFormats: takes.includes('interstitials')
    ? ['IFRAME_JAVASCRIPT_INTERSTITIAL', 'JAVASCRIPT_INTERSTITIAL']
    : [],
  settings: {
    activeViewOptOut: false,
    instreamVideoPlacementAccepted: takes.includes('video'),
    interstitialPlacementAccepted: takes.includes('interstitials'),
    ...(network && {
      dfpSettings: {
        dfpNetworkCode: network,
        dfpNetworkName: name,
        programmaticPlacementAccepted: true,
        pubPaidPlacementAccepted: takes.includes('paid'),
        publisherPortalOnly: false,
      },
    }),
  },
}))

/** Permissions with their group and their place in the whole list. */
const grouped = (groups: Readonly<Record<string, readonly string[]>>) =>
  Object.values(groups)
    .flatMap((names, group) => names.map((name) => ({ group, name })))
    .map((permission, index) => ({ ...permission, index }))

const accountPermissions = grouped(inventory.accountPermissions).map(({ group, name, index }) => ({
  id: String(3_101 + index),
  name,
  level: index % 4 === 0 ? 'ADMINISTRATOR' : 'USER',
  accountProfiles:
    index % 3 === 0 ? ['ACCOUNT_PROFILE_BASIC', 'ACCOUNT_PROFILE_STANDARD'] : ['ACCOUNT_PROFILE_STANDARD'],
  permissionGroupId: String(31 + group),
}))

const userRolePermissions = grouped(inventory.userRolePermissions).map(({ group, name, index }) => ({
  id: String(4_101 + index),
  name,
  availability: name.startsWith('View') ? 'SUBACCOUNT_AND_ACCOUNT_ALWAYS' : 'SUBACCOUNT_AND_ACCOUNT_BY_DEFAULT',
  permissionGroupId: String(41 + group),
}))

const tables: Readonly<Record<string, readonly Stored[]>> = {
  accountPermissionGroups: numbered(31, Object.keys(inventory.accountPermissions)),
  accountPermissions,
  browsers,
  cities,
  connectionTypes: numbered(71, technology.connectionTypes),
  countries,
  directorySites,
  languages: technology.languages.map(({ code, name }, index) => ({
    id: String(1000 + index),
    languageCode: code,
    name,
  })),
  metros,
  mobileApps: technology.mobileApps,
  mobileCarriers,
  operatingSystems,
  operatingSystemVersions,
  platformTypes: numbered(301, technology.platformTypes),
  postalCodes,
  regions,
  sizes,
  userRolePermissionGroups: numbered(41, Object.keys(inventory.userRolePermissions)),
  userRolePermissions,
  videoFormats,
}
// All callers share the rows, so nothing may change them.
for (const row of Object.values(tables).flat()) Object.freeze(row)

/** Rows of reference data, each with an `id` instead of the wire's key. Empty for other collections. */
export const referenceRows = (collection: string): readonly Stored[] => tables[collection] ?? []
