import ICAL from 'ical.js'
import { instantOfWall, isZone, offsetAt, rfc3339, wallOfText } from '#shared/time/zones'
import { checkSize, checkZone } from './ics-limits'
import type { Notes } from './ics-notes'
import type { CalendarText } from './ics-text'
import { isOldCalendar, oldZone } from './ics-v1'
import { commonZones } from './zone-names'
import { fixedZone, offsetText, zoneKey, zoneNamed } from './zone-names'

const day = 86_400_000
/**
 * Number of years in which a file's zone rules are compared with a known zone, day by day, because some zones differ by
 * only a week in spring.
 */
const comparedYears = 3

let zones: readonly string[] | undefined

/** Candidate zones for events, best known first. */
function candidates(): readonly string[] {
  if (zones) return zones
  const fixed = Array.from({ length: 27 }, (_, index) => index - 12)
    .filter((hours) => hours !== 0)
    .map((hours) => `Etc/GMT${hours < 0 ? '-' : '+'}${Math.abs(hours)}`)
  const all = [...commonZones.slice(0, 6), 'UTC', ...fixed, ...commonZones, ...Intl.supportedValuesOf('timeZone')]
  zones = [...new Set(all)].filter(isZone)
  return zones
}

/** Reports a repair to the current event. */
export type Say = (words: string) => void

/**
 * Time zones of a file. IANA names stay. For a zone with its own rules, finds a zone with the same times, preferably the
 * one its name suggests, otherwise by its name alone. Reports uncertain matches.
 */
export class ZoneBook {
  readonly #own = new Map<string, ICAL.Timezone>()
  /** Rules without the zone's name, because some programs write the same rules under many names. */
  readonly #rules = new Map<string, string>()
  readonly #recognised = new Map<string, string | undefined>()
  /** Zone of times without a zone. */
  readonly fallback: string
  /** The file's default zone as offsets, if it matches no known zone. */
  #home: ICAL.Timezone | undefined

  /** @param zone the user's zone, for calendars without one */
  constructor(calendar: CalendarText, zone: string, notes: Notes) {
    for (const lines of calendar.zones) this.#keep(lines, notes)
    const named = zoneNamed(calendar.head.get('x-wr-timezone') ?? '')
    const home = named && 'zone' in named ? named.zone : zone
    // vCalendar 1.0 describes its zone by offsets for some years.
    const lines = isOldCalendar(calendar) ? oldZone(calendar) : undefined
    if (lines) this.#keep(lines, notes)
    this.#home = this.#own.get('')
    const year = Number(/\d{4}/.exec(calendar.daylight[0] ?? '')?.[0] ?? 2026)
    const meant = this.#home && recognised(this.#home, year, home, zone, 1)
    if (meant) this.#home = undefined
    this.fallback = meant ?? home
  }

  #keep(lines: readonly string[], notes: Notes): void {
    const name = lines.find((line) => /^TZID[;:]/i.test(line))?.replace(/^TZID[^:]*:/i, '') ?? ''
    try {
      checkSize(lines)
      checkZone(lines)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      notes.lost(`is a time zone with an unreadable definition in the file: ${why}`, `“${name.slice(0, 80)}”`)
      return
    }
    // A zone without observances has only its name.
    if (!lines.some((line) => /^BEGIN:(?:STANDARD|DAYLIGHT)/i.test(line))) return
    this.#rules.set(
      zoneKey(name),
      lines.filter((line) => !/^(?:TZID|TZNAME|COMMENT|LAST-MODIFIED)[;:]/i.test(line)).join('\n'),
    )
    try {
      this.#own.set(zoneKey(name), new ICAL.Timezone(new ICAL.Component(ICAL.parse(lines.join('\r\n')) as never)))
    } catch {
      // If its name doesn't help either, each event in the zone reports it.
    }
  }

  /** A date-time in its property's zone. Unknown zones are resolved by their offset or the fallback, and reported. */
  resolve(time: ICAL.Time, tzid: string | undefined, say: Say): { dateTime: string; timeZone: string } {
    const wall = wallOfText(time.toString().replace('Z', ''))
    const inZone = (zone: string): { dateTime: string; timeZone: string } => ({
      dateTime: rfc3339(instantOfWall(wall, zone), zone),
      timeZone: zone,
    })
    if (time.zone === ICAL.Timezone.utcTimezone) return { dateTime: rfc3339(wall, 'UTC'), timeZone: 'UTC' }
    if (tzid === undefined || zoneKey(tzid) === '') {
      if (!this.#home) return inZone(this.fallback)
      const instant = instantIn(this.#home, time)
      say(`uses a custom time zone, and was imported at ${offsetText(wall - instant)}`)
      return byOffset(instant, wall - instant)
    }
    const named = zoneNamed(tzid)
    const own = this.#own.get(zoneKey(tzid))
    const shown = tzid.slice(0, 80)
    if (own) {
      const instant = instantIn(own, time)
      const iana = named && 'zone' in named && zoneKey(named.zone) === zoneKey(tzid) ? named.zone : undefined
      if (iana) {
        if (differs(own, time, wall, iana))
          say(`defines its own rules for the time zone ${iana}, but the standard rules were used`)
        return inZone(iana)
      }
      const zone = this.#equal(own, zoneKey(tzid), named && 'zone' in named ? named.zone : '', time.year, this.fallback)
      if (zone) return inZone(zone)
      say(`uses a custom time zone, “${shown}”, and was imported at ${offsetText(wall - instant)}`)
      return byOffset(instant, wall - instant)
    }
    if (!named) {
      say(`uses an unknown time zone, “${shown}”, so ${this.fallback} was used instead`)
      return inZone(this.fallback)
    }
    if ('zone' in named) return inZone(named.zone)
    if (!named.sure)
      say(`uses an unknown time zone, “${shown}”, so the offset in its name was used (${offsetText(named.offset)})`)
    return byOffset(wall - named.offset, named.offset)
  }

  #equal(own: ICAL.Timezone, key: string, name: string, year: number, home: string): string | undefined {
    const kept = `${this.#rules.get(key) ?? key}\n${name}\n${year}`
    if (!this.#recognised.has(kept)) this.#recognised.set(kept, recognised(own, year, name, home, comparedYears))
    return this.#recognised.get(kept)
  }
}

function byOffset(instant: number, offset: number): { dateTime: string; timeZone: string } {
  const zone = fixedZone(offset, instant) ?? 'UTC'
  return { dateTime: rfc3339(instant, zone), timeZone: zone }
}

function instantIn(own: ICAL.Timezone, time: ICAL.Time): number {
  const local = time.clone()
  local.zone = own
  return local.toUnixTime() * 1000
}

/** Compares several times around this one, because an hour that repeats isn't a difference. */
function differs(own: ICAL.Timezone, time: ICAL.Time, wall: number, zone: string): boolean {
  const others = [-30, -12, 12, 30].filter((hours) => {
    const other = time.clone()
    other.adjust(0, hours, 0, 0)
    return instantIn(own, other) !== instantOfWall(wall + hours * 3_600_000, zone)
  })
  return others.length > 1
}

function recognised(own: ICAL.Timezone, year: number, name: string, home: string, years: number): string | undefined {
  const location = String(own.component.getFirstPropertyValue('x-lic-location') ?? '')
  const samples: Array<[number, number]> = []
  for (let wall = Date.UTC(year, 0, 1, 12); wall < Date.UTC(year + years, 0, 1); wall += day) {
    samples.push([wall, instantIn(own, ICAL.Time.fromDateTimeString(new Date(wall).toISOString().slice(0, 19)))])
  }
  // The days around the changes first: most zones differ there.
  const changes = samples.filter(
    ([wall, at], index) => index > 0 && wall - at !== samples[index - 1]![0] - samples[index - 1]![1],
  )
  const keepsTime = (zone: string): boolean =>
    [...changes, ...samples].every(([wall, instant]) => instant + offsetAt(instant, zone) === wall)
  return [location, name, home].filter(isZone).find(keepsTime) ?? candidates().find(keepsTime)
}
