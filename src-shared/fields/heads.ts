import { collectionOf } from '../facts/references'
import { tellingWords } from './listed'
import { nameAt } from './path'

const heads: Readonly<Record<string, string>> = {
  id: 'ID',
  'createInfo.time': 'Created',
  'lastModifiedInfo.time': 'Changed',
  lastModifiedInfo: 'Changed',
  createInfo: 'Created',
  changeTime: 'Time',
  userProfileName: 'User',
  objectType: 'Record type',
  objectId: 'Record',
  fieldName: 'Field',
  oldValue: 'Before',
  newValue: 'After',
}
/** Spoken in capitals. */
const capitals = new Set([
  'id',
  'url',
  'ssl',
  'cpm',
  'cpc',
  'cpa',
  'cpv',
  'html5',
  'html',
  'vast',
  'vpaid',
  'iab',
  'ocr',
  'css',
  'dma',
  'cm',
  'csv',
  'ctr',
  'dbm',
  'dcm',
  'dfp',
  'dmp',
  'dv',
  'flv',
  'gwd',
  'jsp',
  'mime',
  'mp4',
  'mraid',
  'oba',
  'php',
  'rfp',
  'xhtml',
  'zip',
])
/** Words that have capitals of their own. */
const cased: Readonly<Record<string, string>> = {
  ids: 'IDs',
  urls: 'URLs',
  activeview: 'Active View',
  adx: 'AdX',
  admob: 'AdMob',
  adwords: 'AdWords',
  apple: 'Apple',
  flash: 'Flash',
  google: 'Google',
  javascript: 'JavaScript',
  nielsen: 'Nielsen',
  omniture: 'Omniture',
  twitter: 'Twitter',
  webm: 'WebM',
  youtube: 'YouTube',
}
/** Phrases that the names of fields and values don't spell as people do. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\b(opt(?= out\b)|user(?= defined\b)|third(?= party\b)|(?:click|view)(?= through\b)|read(?= only\b)) /g, '$1-'],
  [/\b(post(?= click\b| impression\b)|cross(?= dimension\b)|child(?= directed\b)) /g, '$1-'],
  [/\b(non(?= linear\b| personalized\b| trafficker\b)) /g, '$1-'],
  [/\bin ?(?=(?:stream|page|app)\b)/g, 'in-'],
  [/\b(\d\d) (?=\d\d\b)/g, '$1–'],
  [/\bactive view\b/g, 'Active View'],
  [/\bgeo targeting\b/g, 'geotargeting'],
  [/\bsub account\b/g, 'subaccount'],
  [/\btool bar\b/g, 'toolbar'],
  [/\bcancelled\b/g, 'canceled'],
  [/\bactivitys\b/g, 'activities'],
  [/\bdatas\b/g, 'data'],
  [/\bdv3\b/g, 'DV360'],
]
/** Spells a lowercase text as headings are spelled now, such as one from a file that an older version wrote. */
export const respelled = (text: string): string =>
  phrases.reduce((now, [former, current]) => now.replace(former, current), text)
const headlineOf = (words: readonly string[]): string => sentenceCase(respelled(words.map(caps).join(' ')))
const caps = (word: string): string => cased[word] ?? (capitals.has(word) ? word.toUpperCase() : word)
export const sentenceCase = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** `pricingSchedule.startDate` is `Start date`, `advertiserId` is `Advertiser` where IDs are read as names. */
export function headOf(path: string): string {
  let head = heads[path] ?? made.get(path)
  if (head === undefined) {
    head = headFrom(path)
    if (made.size === maxMade) made.clear()
    made.set(path, head)
  }
  return head
}

/** Heads by path, which are few and asked for with every change. */
const made = new Map<string, string>()
const maxMade = 2_000

function headFrom(path: string): string {
  let name = nameAt(path)
  if (collectionOf(name)) name = name.replace(/Id(s?)$/, '$1')
  name = name.replace(/Nanos$/, '').replace(/DimensionValue$/, '')
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ')
  return headlineOf(words)
}

/** Lowercases a heading for use in a sentence, except for words in capitals and names. */
export const insideSentence = (head: string): string =>
  head.replace(/^(?!Active View|AdX|Flash|Nielsen|Omniture)[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())

/** `PLACEMENT_TAG_STANDARD`, among values with the same prefix, becomes `Standard`. */
export const listedWords = (value: string, all: readonly (string | boolean)[] = []): string =>
  headlineOf(tellingWords(value, all).map((word) => word.toLowerCase()))
