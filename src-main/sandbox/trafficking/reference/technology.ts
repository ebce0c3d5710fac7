import { countryId } from './countries'
import { cells, rows } from './rows'

/** Name, number, and supported major versions. The first row of each has none. */
const browserTable = `
Chrome|1|109 114 118 120 121 122
Firefox|2|102 115 118 121 122
Safari|3|14 15 16 17
Microsoft Edge|4|114 118 120 121
Opera|5|95 100 104
Internet Explorer|6|9 10 11
Samsung Internet|7|20 21 22 23
Android WebKit|8|
Brave|9|
Mobile Safari WebView|10|
`

export const browsers = rows(
  cells(browserTable).flatMap(([name = '', number = '', versions = '']) =>
    ['', ...versions.split(' ').filter(Boolean)].map((version) => {
      const id = `${500 + Number(number)}${version.padStart(3, '0')}`
      return {
        id,
        browserVersionId: id,
        legacyId: `${500 + Number(number)}`,
        name: version ? `${name} ${version}` : name,
        majorVersion: version || '-',
        minorVersion: '-',
      }
    }),
  ),
)

/** Name, number, desktop or mobile, versions. */
const systemTable = `
Windows|1|desktop|7.0 8.1 10.0 11.0
macOS|2|desktop|11.0 12.0 13.0 14.0
Linux|3|desktop|
Chrome OS|4|desktop|
Android|5|mobile|10.0 11.0 12.0 13.0 14.0
iOS|6|mobile|14.8 15.7 16.6 17.0 17.2
iPadOS|7|mobile|16.6 17.0 17.2
KaiOS|8|mobile|
webOS|9|tv|
Tizen|10|tv|
`

const systemLines = cells(systemTable)

export const operatingSystems = rows(
  systemLines.map(([name = '', number = '', where]) => {
    const id = String(501_000 + Number(number))
    return { id, legacyId: id, name, desktop: where === 'desktop', mobile: where === 'mobile' }
  }),
)

export const operatingSystemVersions = rows(
  systemLines.flatMap(([name = '', number = '', , versions = '']) =>
    versions
      .split(' ')
      .filter(Boolean)
      .map((version) => {
        const [majorVersion = '', minorVersion = '0'] = version.split('.')
        const { id: _id, ...operatingSystem } = operatingSystems.find((system) => system.name === name)!
        return {
          id: `${501_000 + Number(number)}${majorVersion.padStart(2, '0')}${minorVersion}`,
          name: `${name} ${version}`,
          majorVersion,
          minorVersion,
          operatingSystem: { kind: 'trafficking#operatingSystem', ...operatingSystem },
        }
      }),
  ),
)

/** Rows that are a number and a name. */
const named = (first: number, names: readonly string[]) =>
  rows(names.map((name, index) => ({ id: String(first + index), name })))

export const connectionTypes = named(71, [
  'Broadband',
  'Cable',
  'DSL',
  'Dial-up',
  'Mobile 3G',
  'Mobile 4G',
  'Mobile 5G',
  'Satellite',
])

export const platformTypes = named(301, [
  'Desktop',
  'Mobile highend: smartphone',
  'Mobile highend: tablet',
  'Mobile midrange: feature phone',
  'Connected TV',
  'Games console',
])

const carrierTable = `
US|AT&T|T-Mobile|Verizon|US Cellular
DE|Telekom|Vodafone|O2|1&1
GB|EE|O2|Three|Vodafone
FR|Bouygues Telecom|Free Mobile|Orange|SFR
ES|Movistar|Orange|Vodafone
IT|Iliad|TIM|Vodafone|WindTre
NL|KPN|Odido|VodafoneZiggo
AT|A1|Drei|Magenta
CH|Salt|Sunrise|Swisscom
CA|Bell|Rogers|Telus
AU|Optus|Telstra|Vodafone
SE|Tele2|Telenor|Telia|Tre
DK|TDC|Telenor|Telia
JP|KDDI|NTT Docomo|SoftBank
BR|Claro|TIM|Vivo
IN|Airtel|Jio|Vi
`

export const mobileCarriers = rows(
  cells(carrierTable).flatMap(([code = '', ...names]) =>
    names.map((name, index) => ({
      id: `${countryId(code)}${String(index + 1).padStart(2, '0')}`,
      name,
      countryCode: code,
      countryLegacyId: countryId(code),
    })),
  ),
)

const languageTable = `
en English|de German|fr French|es Spanish|it Italian|ja Japanese|da Danish|nl Dutch|fi Finnish|ko Korean|no Norwegian
pt Portuguese|sv Swedish|zh_CN Chinese (simplified)|zh_TW Chinese (traditional)|ar Arabic|bg Bulgarian|cs Czech|el Greek
hi Hindi|hu Hungarian|id Indonesian|is Icelandic|iw Hebrew|lv Latvian|lt Lithuanian|pl Polish|ru Russian|ro Romanian
sk Slovak|sl Slovenian|sr Serbian|uk Ukrainian|tr Turkish|ca Catalan|hr Croatian|vi Vietnamese|ur Urdu|tl Filipino|et Estonian|th Thai
`

export const languages = rows(
  cells(languageTable)
    .flat()
    .map((item, index) => {
      const [languageCode = '', ...name] = item.split(' ')
      return { id: String(1000 + index), languageCode, name: name.join(' ') }
    }),
)

const apple = 'APPLE_APP_STORE'
const android = 'GOOGLE_PLAY_STORE'
const appTable = `
${apple}|id310600101|Tidewatch: Weather & Sea|Tidewatch Labs
${apple}|id310600118|Morning Ledger News|Morning Ledger Media
${apple}|id310600137|Pocket Orchard|Small Barn Games
${apple}|id310600154|Trailhead Maps|Cairn Outdoor Software
${apple}|id310600163|Simmer Recipes|Copper Pan
${apple}|id310600172|Northbound Trains|Northbound Rail Services
${apple}|id310600188|Kettle Fitness|Kettle & Bell
${apple}|id310600195|Lumen Photo Editor|Lumen Studio
${apple}|id310600206|Second Shelf Books|Second Shelf
${apple}|id310600219|Chess at Noon|Small Barn Games
${android}|example.tidewatch.weather|Tidewatch: Weather & Sea|Tidewatch Labs
${android}|example.morningledger.news|Morning Ledger News|Morning Ledger Media
${android}|example.smallbarn.orchard|Pocket Orchard|Small Barn Games
${android}|example.cairn.trailhead|Trailhead Maps|Cairn Outdoor Software
${android}|example.copperpan.simmer|Simmer Recipes|Copper Pan
${android}|example.northbound.trains|Northbound Trains|Northbound Rail Services
${android}|example.kettlebell.fitness|Kettle Fitness|Kettle & Bell
${android}|example.lumen.editor|Lumen Photo Editor|Lumen Studio
${android}|example.secondshelf.books|Second Shelf Books|Second Shelf
${android}|example.pixelpier.racer|Pier Racer|Pixel Pier
${android}|example.quietradio.player|Quiet Radio|Quiet Radio Cooperative
UNKNOWN|unlisted.partner.kiosk|Partner Kiosk|Harbour Displays
`

export const mobileApps = rows(
  cells(appTable).map(([directory = '', id = '', title = '', publisherName = '']) => ({
    id,
    directory,
    title,
    publisherName,
  })),
)

const formatTable = `
FLV|1|640x360|700
THREEGPP|2|320x180|200
MP4|3|640x360|750
MP4|4|854x480|1200
MP4|5|1280x720|2500
MP4|6|1920x1080|5000
WEBM|7|640x360|700
WEBM|8|854x480|1100
WEBM|9|1280x720|2300
WEBM|10|1920x1080|4500
M3U8|11|1280x720|2500
`

export const videoFormats = rows(
  cells(formatTable).map(([fileType = '', id = '', measures = '', rate = '']) => {
    const [width, height] = measures.split('x').map(Number)
    return {
      id,
      fileType,
      resolution: { width, height, iab: false, kind: 'trafficking#size' },
      targetBitRate: Number(rate),
    }
  }),
)
