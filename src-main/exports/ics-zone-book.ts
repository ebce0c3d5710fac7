import ICAL from 'ical.js'
import { instantOfWall, isZone, rfc3339, wallOfText } from '#shared/time/zones'
import { checkSize, checkZone } from './ics-limits'
import type { CalendarText } from './ics-text'
import { commonZones, windowsZone } from './windows-zones'

const day = 86_400_000

/** Zones an event may be in, best known first. */
function candidates(): string[] {
  const fixed = Array.from({ length: 27 }, (_, index) => index - 12)
    .filter((hours) => hours !== 0)
    .map((hours) => `Etc/GMT${hours < 0 ? '-' : '+'}${Math.abs(hours)}`)
  const all = [...commonZones.slice(0, 6), 'UTC', ...fixed, ...commonZones, ...Intl.supportedValuesOf('timeZone')]
  return [...new Set(all)].filter(isZone)
}

/**
 * Zones a file names: IANA names as they are, Windows names by the table, others by the IANA zone that keeps the same
 * time as the file's own VTIMEZONE all through the year of the event.
 */
export class ZoneBook {
  readonly #own = new Map<string, ICAL.Timezone>()
  readonly #recognised = new Map<string, string | undefined>()
  /** Where times without a zone are. */
  readonly fallback: string

  /** Zones of the file that were left out, in words. */
  readonly problems: string[] = []

  /** @param zone of the person, for a calendar that does not say its own */
  constructor(calendar: CalendarText, zone: string) {
    for (const lines of calendar.zones) {
      try {
        checkSize(lines)
        checkZone(lines)
      } catch (error) {
        const name = lines.find((line) => /^TZID[;:]/i.test(line))?.replace(/^TZID[^:]*:/i, '') ?? ''
        const why = error instanceof Error ? error.message : String(error)
        this.problems.push(`The time zone “${name.slice(0, 80)}” of the file was not read: ${why}`)
        continue
      }
      try {
        const own = new ICAL.Timezone(new ICAL.Component(ICAL.parse(lines.join('\r\n')) as never))
        this.#own.set(own.tzid, own)
      } catch {
        // An event in this zone says so when its name is not known otherwise.
      }
    }
    const named = calendar.head.get('x-wr-timezone') ?? ''
    this.fallback = isZone(named) ? named : (windowsZone(named) ?? zone)
  }

  /** A date-time in the zone its property names. @throws RangeError for a zone nobody knows. */
  resolve(time: ICAL.Time, tzid: string | undefined): { dateTime: string; timeZone: string } {
    const wall = wallOfText(time.toString().replace('Z', ''))
    if (time.zone === ICAL.Timezone.utcTimezone) return { dateTime: rfc3339(wall, 'UTC'), timeZone: 'UTC' }
    const zone = tzid === undefined ? this.fallback : this.#zoneNamed(tzid, time.year)
    if (zone) return { dateTime: rfc3339(instantOfWall(wall, zone), zone), timeZone: zone }
    const own = this.#own.get(tzid!)
    if (!own) throw new RangeError(`the time zone ${tzid} is not known`)
    // No zone of the world keeps this time: the moment is right, the zone is the calendar's.
    const local = time.clone()
    local.zone = own
    return { dateTime: rfc3339(local.toUnixTime() * 1000, this.fallback), timeZone: this.fallback }
  }

  #zoneNamed(tzid: string, year: number): string | undefined {
    // Some programs put a path before the name: /mozilla.org/20050126_1/Europe/Berlin.
    const name = tzid.replace(/^\/(?:[^/]+\/)*?(?=[A-Z][A-Za-z_]+\/)/, '')
    if (isZone(name)) return name
    const own = this.#own.get(tzid)
    if (!own) return windowsZone(name)
    const key = `${tzid} ${year}`
    if (!this.#recognised.has(key)) this.#recognised.set(key, recognised(own, year, windowsZone(name)))
    return this.#recognised.get(key)
  }
}

function recognised(own: ICAL.Timezone, year: number, first: string | undefined): string | undefined {
  const location = String(own.component.getFirstPropertyValue('x-lic-location') ?? '')
  const samples: Array<[number, number]> = []
  for (let wall = Date.UTC(year, 0, 3, 12); wall < Date.UTC(year + 1, 0, 1); wall += 4 * day) {
    const time = ICAL.Time.fromDateTimeString(new Date(wall).toISOString().slice(0, 19))
    time.zone = own
    samples.push([wall, time.toUnixTime() * 1000])
  }
  const keepsTime = (zone: string): boolean => samples.every(([wall, instant]) => instantOfWall(wall, zone) === instant)
  const named = [location, first ?? ''].filter(isZone)
  return named.find(keepsTime) ?? candidates().find(keepsTime)
}
