import { isZone, offsetAt } from '#shared/time/zones'
import labels from './zone-labels.json'
import windowsZones from './windows-zones.json'

/** A zone, or only its offset from UTC in milliseconds. `sure` is true if the name specifies nothing more. */
export type NamedZone = { zone: string } | { offset: number; sure: boolean }

const plain = (name: string): string =>
  name
    .trim()
    .replace(/^["']+|["']+$/g, '')
    .replace(/\\([,;])/g, '$1')
    .trim()

/** Normalizes a zone name, however a file quotes or spells it. */
export const zoneKey = (name: string): string => plain(name).toLowerCase()

const byLowerCase = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(table).map(([name, zone]) => [name.toLowerCase(), zone]))
/** Windows' names of zones, as Outlook and Exchange write them (Unicode CLDR, territory 001). */
const zoneByWindowsName = byLowerCase(windowsZones)
/** Zones as programs show them: the labels of Windows without their `(UTC±hh:mm)`, and the names of Lotus Notes. */
const zoneByLabel = byLowerCase(labels)

/** The IANA zone for a Windows zone name. */
const windowsZone = (name: string): string | undefined => zoneByWindowsName.get(name.trim().toLowerCase())
const labelledZone = (label: string): string | undefined =>
  zoneByLabel.get(label.replace(/\\/g, '').replaceAll(' / ', ', ').trim().toLowerCase())

/** The best-known zone for each offset, to try first when matching by offsets. */
export const commonZones: readonly string[] = [
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  ...new Set(Object.values(windowsZones)),
]

const exact = new Map(Intl.supportedValuesOf('timeZone').map((zone) => [zone.toLowerCase(), zone]))

function ianaZone(name: string): string | undefined {
  const listed = /^utc$/i.test(name) ? 'UTC' : exact.get(name.toLowerCase())
  if (listed) return listed
  // An offset is a zone to newer engines, not to the service.
  if (!/^[A-Za-z]/.test(name) || !isZone(name)) return undefined
  return /[A-Z]/.test(name) ? name : new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
}

/** Reads an offset such as `+01:00`, `GMT+0100`, or `UTC-5`. Undefined for anything else. */
function offsetNamed(name: string): number | undefined {
  const match = /^(?:UTC|GMT|Z)?\s*([+-])(\d{1,2})(?:[:.]?(\d\d))?$/i.exec(name)
  if (!match) return undefined
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0)
  return minutes > 14 * 60 ? undefined : (match[1] === '-' ? -minutes : minutes) * 60_000
}

/** The zone for a name in a calendar file, whichever program wrote it. Undefined if unknown. */
export function zoneNamed(name: string): NamedZone | undefined {
  const text = plain(name)
  if (text === '') return undefined
  const known = ianaZone(text) ?? tailOfPath(text) ?? windowsName(text) ?? labelledZone(text)
  if (known) return { zone: known }
  const offset = offsetNamed(text)
  if (offset !== undefined) return { offset, sure: true }
  const [, shown, label] = /^\((?:UTC|GMT)\s*([+-]\d{1,2}[:.]?\d\d)?\)\s*(.*)$/i.exec(text) ?? []
  if (label === undefined) return undefined
  const zone = labelledZone(label) ?? windowsName(label) ?? ianaZone(label.replace(/ /g, '_'))
  if (zone) return { zone }
  const shownOffset = shown ? offsetNamed(shown) : 0
  return shownOffset === undefined ? undefined : { offset: shownOffset, sure: false }
}

function windowsName(text: string): string | undefined {
  return windowsZone(text) ?? windowsZone(text.replace(/\b(?:Daylight|Summer) Time\b/i, 'Standard Time'))
}

/** Some programs put a path before the name: /mozilla.org/20050126_1/Europe/Berlin. */
function tailOfPath(text: string): string | undefined {
  const parts = text.split('/').filter((part) => part !== '')
  for (let at = 1; at < parts.length; at++) {
    const zone = ianaZone(parts.slice(at).join('/'))
    if (zone && (at < parts.length - 1 || /^(?:UTC|GMT)$/i.test(zone))) return zone
  }
  return undefined
}

const withHalves = [
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Kabul',
  'Asia/Yangon',
  'Asia/Tehran',
  'Australia/Darwin',
  'Australia/Eucla',
  'Pacific/Marquesas',
]

/** A zone with this offset all year, around an instant. Undefined if there is none. */
export function fixedZone(offset: number, at: number): string | undefined {
  const hours = offset / 3_600_000
  if (hours === 0) return 'UTC'
  if (Number.isInteger(hours) && hours >= -12 && hours <= 14) return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
  const months = [0, 90, 180, 270].map((days) => at + days * 86_400_000)
  return withHalves.find((zone) => months.every((month) => offsetAt(month, zone) === offset))
}

/** `UTC+02:00` */
export function offsetText(offset: number): string {
  const minutes = Math.abs(Math.round(offset / 60_000))
  const pad = (value: number): string => String(value).padStart(2, '0')
  return offset === 0 ? 'UTC' : `UTC${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}
