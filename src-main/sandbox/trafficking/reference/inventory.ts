import { cells, rows } from './rows'

/** Sizes of every account: those of the IAB, then other common ones. Width by height, in pixels. */
const iab = `300x250 728x90 160x600 300x600 970x250 320x50 970x90 120x600 300x1050 300x50 320x100 468x60 120x60 88x31
180x150 336x280 300x100 240x400 250x250 200x200 120x240 125x125 550x480 480x320 320x480 1024x768 768x1024`
const usual =
  '1x1 0x0 640x360 640x480 1280x720 1920x1080 320x180 300x300 600x600 980x120 800x250 580x400 1800x1000 500x1000'

export const sizes = rows(
  [
    ...iab.split(/\s+/).map((text) => ({ text, iab: true })),
    ...usual.split(' ').map((text) => ({ text, iab: false })),
  ].map((size, index) => {
    const [width, height] = size.text.split('x').map(Number)
    return { id: String(1_501 + index), width, height, iab: size.iab }
  }),
)

/** Name, address, and network code of its ad server. `v` supports video, `i` interstitials, `p` placements the publisher pays for. */
const siteTable = `
Nordlicht Nachrichten|nordlicht-nachrichten.example|5512087|vip
Morning Ledger|morningledger.example|5512104|vi
Le Quai|lequai.example|5512131|v
Tidewatch Weather|tidewatch.example|5512149|i
Copper Pan Recipes|copperpan.example||
Small Barn Games|smallbarn.example|5512177|vip
Cairn Outdoor|cairn-outdoor.example||
Die Werkstatt|die-werkstatt.example|5512195|
Pixel Pier|pixelpier.example||vi
Quiet Radio|quietradio.example|5512218|
Second Shelf|secondshelf.example||
Velo & Berg|velo-und-berg.example|5512236|v
Hafenblick TV|hafenblick.example|5512244|vp
The Allotment|theallotment.example||
Corriere del Lago|corrieredellago.example|5512263|vi
El Faro Diario|elfarodiario.example|5512271|v
Stadtmagazin Elbe|stadtmagazin-elbe.example||
Kinderzimmer|kinderzimmer.example||
Polder Zeitung|polderzeitung.example|5512292|
Autowelt Heute|autowelt-heute.example|5512309|vip
Finanzkompass|finanzkompass.example|5512317|
Studio Nord Podcasts|studionord.example||
Fjord Travel|fjordtravel.example|5512335|i
Open Kitchen TV|openkitchen.example|5512343|v
`

export const directorySites = rows(
  cells(siteTable).map(([name = '', host = '', network = '', takes = ''], index) => ({
    id: String(2_400_101 + index * 7),
    name,
    url: `https://www.${host}/`,
    active: index % 12 !== 11,
    inpageTagFormats: ['STANDARD', 'IFRAME_JAVASCRIPT_INPAGE', 'JAVASCRIPT_INPAGE'],
    interstitialTagFormats: takes.includes('i') ? ['IFRAME_JAVASCRIPT_INTERSTITIAL', 'JAVASCRIPT_INTERSTITIAL'] : [],
    settings: {
      activeViewOptOut: false,
      instreamVideoPlacementAccepted: takes.includes('v'),
      interstitialPlacementAccepted: takes.includes('i'),
      ...(network
        ? {
            dfpSettings: {
              dfpNetworkCode: network,
              dfpNetworkName: name,
              programmaticPlacementAccepted: true,
              pubPaidPlacementAccepted: takes.includes('p'),
              publisherPortalOnly: false,
            },
          }
        : {}),
    },
  })),
)

/** Permission groups and their permissions. */
const accountPermissionTable = `
Account administration|Manage user profiles|Manage user roles|Manage subaccounts
Trafficking|Active view|Dynamic creative|Placement tag types|Interstitial ads
Reporting|Reach reports|Path to conversion reports|Data transfer
Attribution|Conversion upload|Custom tracking variables
`

const rolePermissionTable = `
Advertisers|View advertisers|Edit advertisers|Edit landing pages
Campaigns|View campaigns|Edit campaigns|Edit event tags
Placements|View placements|Edit placements|Generate tags
Creatives|View creatives|Edit creatives|Upload creative assets
Ads|View ads|Edit ads
Tracking|View tracking activities|Edit tracking activities|Insert conversions
Reporting|Run reports|Share reports
Administration|Edit user profiles|Edit user roles
`

interface Grouped {
  group: string
  name: string
  index: number
}

const groupNames = (table: string): string[] => cells(table).map(([name = '']) => name)
const grouped = (table: string): Grouped[] =>
  cells(table)
    .flatMap(([group = '', ...names]) => names.map((name) => ({ group, name })))
    .map((item, index) => ({ ...item, index }))

const groupsFrom = (first: number, table: string) =>
  rows(groupNames(table).map((name, index) => ({ id: String(first + index), name })))
const groupId = (first: number, table: string, group: string): string =>
  String(first + groupNames(table).indexOf(group))

export const accountPermissionGroups = groupsFrom(31, accountPermissionTable)
export const accountPermissions = rows(
  grouped(accountPermissionTable).map(({ group, name, index }) => ({
    id: String(3_101 + index),
    name,
    level: index % 4 === 0 ? 'ADMINISTRATOR' : 'USER',
    accountProfiles:
      index % 3 === 0 ? ['ACCOUNT_PROFILE_BASIC', 'ACCOUNT_PROFILE_STANDARD'] : ['ACCOUNT_PROFILE_STANDARD'],
    permissionGroupId: groupId(31, accountPermissionTable, group),
  })),
)

export const userRolePermissionGroups = groupsFrom(41, rolePermissionTable)
export const userRolePermissions = rows(
  grouped(rolePermissionTable).map(({ group, name, index }) => ({
    id: String(4_101 + index),
    name,
    availability: name.startsWith('View') ? 'SUBACCOUNT_AND_ACCOUNT_ALWAYS' : 'SUBACCOUNT_AND_ACCOUNT_BY_DEFAULT',
    permissionGroupId: groupId(41, rolePermissionTable, group),
  })),
)
