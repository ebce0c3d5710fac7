import { instantOfWall, wallOfInstant } from '#shared/time/zones'
import type { Event } from '#shared/wire/calendar/types'
import { putRule } from '../calendar/acl'
import { putEntry } from '../calendar/calendar-list'
import { putCalendar } from '../calendar/calendars'
import type { Role } from '../calendar/access'
import { isAllDay } from '#shared/time/event-time'
import type { Person, Service } from '../operation'
import { people } from '../people'
import { Book, dayMs, guests, homeZone, timed, videoCall, wholeDays } from './book'
import { Chance } from './chance'
import { nextWeekday, seedHolidays, seedSeries, type DemoCalendars, type Span } from './demo-series'
import { seedTasks } from './demo-tasks'
import * as words from './sample-names'

const baseEvents = 1_000
const perDay = { weekday: 6, weekend: 2 }

/**
 * A realistic year of a campaign planner, from its first day to a year from now. Deterministic for a clock. Above scale
 * 1, spreads the additional events over the calendars and half a year in both directions.
 * @returns useful IDs
 */
export function seedDemo(service: Service, scale: number): Record<string, string> {
  const chance = new Chance(20_260_105)
  const [you, mina, jonas] = people as [Person, Person, Person]
  const { store } = service
  const today = Math.floor(wallOfInstant(store.now, homeZone) / dayMs) * dayMs
  const from = Date.UTC(new Date(today).getUTCFullYear(), 0, 1)
  const span: Span = { from, to: today + 366 * dayMs, today }
  const calendar = (
    key: string,
    owner: Person,
    summary: string,
    colorId: string,
    extra: Event = {},
    roles: Array<[string, Role]> = [],
  ): string => {
    const id = `c_${key}0000000000000000000000`.slice(0, 28) + '@group.calendar.flightplan.example'
    putCalendar(service, {
      id,
      owner: owner.email,
      primary: false,
      data: { summary, timeZone: homeZone, ...(extra.description ? { description: extra.description } : {}) },
    })
    putRule(service, id, `user:${owner.email}`, 'owner')
    for (const [rule, role] of roles) putRule(service, id, rule, role)
    for (const person of people) {
      const shared =
        person.email === owner.email || roles.some(([rule]) => rule === `user:${person.email}` || rule === 'default')
      if (shared) putEntry(store, person, id, { colorId, selected: true, hidden: false, defaultReminders: [] })
    }
    return id
  }
  putCalendar(service, {
    id: you.email,
    owner: you.email,
    primary: true,
    data: { summary: you.name, timeZone: homeZone },
  })
  const ids: DemoCalendars = {
    primary: you.email,
    team: calendar('team', you, 'Team', '7', { description: 'Stand-ups, reviews, who is where' }, [
      [`user:${mina.email}`, 'writer'],
      [`user:${jonas.email}`, 'writer'],
    ]),
    launches: calendar('launches', you, 'Campaign launches', '6', { description: 'Flights, deadlines, milestones' }, [
      [`user:${mina.email}`, 'writer'],
    ]),
    partners: calendar('partners', jonas, 'Media partners', '24', {}, [[`user:${you.email}`, 'writer']]),
    family: calendar('family', you, 'Family', '22'),
    holidays: calendar('holidays', jonas, 'Holidays', '14', { description: 'Public holidays' }, [
      ['default', 'reader'],
    ]),
  }
  const book = new Book(service, chance)
  const planner = new Planner(book, chance, you, ids)
  seedSeries(book, chance, you, ids, span, (doc, start, end) => {
    if (!isAllDay(doc.start)) planner.block(wallOfInstant(start, homeZone), wallOfInstant(end, homeZone))
  })
  seedHolidays(book, you, ids.holidays, span)
  planner.thisWeek(span)
  planner.travel(span)
  const days = (span.to - span.from) / dayMs
  while (book.count < baseEvents * Math.min(scale, 1)) planner.single(span.from + chance.int(days) * dayMs, true)
  const spread = { from: today - 183 * dayMs, days: 366 }
  while (book.count < baseEvents * scale) planner.single(spread.from + chance.int(spread.days) * dayMs, false)
  const lists = seedTasks(service, chance, you, today)
  return {
    teamCalendarId: ids.team,
    launchesCalendarId: ids.launches,
    partnersCalendarId: ids.partners,
    familyCalendarId: ids.family,
    holidaysCalendarId: ids.holidays,
    ...lists,
  }
}

/** Finds free times for single events, so that the demo's days are full but not absurd. */
class Planner {
  readonly #book: Book
  readonly #chance: Chance
  readonly #you: Person
  readonly #ids: DemoCalendars
  /** Occupied quarters of an hour, by day. */
  readonly #taken = new Map<number, Set<number>>()
  readonly #items = new Map<number, number>()

  constructor(book: Book, chance: Chance, you: Person, ids: DemoCalendars) {
    this.#book = book
    this.#chance = chance
    this.#you = you
    this.#ids = ids
  }

  /** Marks wall times as occupied. */
  block(start: number, end: number): void {
    const day = Math.floor(start / dayMs) * dayMs
    const quarters = this.#quarters(day)
    for (let at = start; at < end; at += 900_000) quarters.add(Math.floor((at - day) / 900_000))
    this.#items.set(day, (this.#items.get(day) ?? 0) + 1)
  }

  /** Creates an event of a kind that fits the day. `tidy` avoids overlaps and overly full days. */
  single(day: number, tidy: boolean): void {
    const chance = this.#chance
    const weekend = [0, 6].includes(new Date(day).getUTCDay())
    if (tidy && (this.#items.get(day) ?? 0) >= (weekend ? perDay.weekend : perDay.weekday)) return
    const { primary, launches, partners, team, family } = this.#ids
    if (weekend) return this.#meeting(day, family, words.familyEvents, [9, 19], [60, 90, 120], tidy)
    const roll = chance.next()
    if (roll < 0.42) this.#meeting(day, primary, words.meetings, [9, 17], [30, 30, 45, 60, 60, 90], tidy)
    else if (roll < 0.58) this.#meeting(day, partners, words.partnerMeetings, [10, 17], [30, 60, 60], tidy)
    else if (roll < 0.68) this.#meeting(day, team, words.teamMeetings, [11, 17], [60, 90], tidy)
    else if (roll < 0.8) this.#milestone(day)
    else if (roll < 0.9) this.#flight(day, launches)
    else this.#meeting(day, family, words.familyEvents, [17, 20], [45, 60, 90], tidy)
  }

  /** Creates good examples in the week around today, independent of random choices. */
  thisWeek({ today }: Span): void {
    const monday = nextWeekday(today - 6 * dayMs, 1)
    const { primary, launches, partners, family } = this.#ids
    const chance = this.#chance
    const at = (offset: number, hour: number, minutes: number, length: number): ReturnType<typeof timed> => {
      const day = monday + offset * dayMs
      this.block(day + (hour * 60 + minutes) * 60_000, day + (hour * 60 + minutes + length) * 60_000)
      return timed(day, hour * 60 + minutes, length)
    }
    const self = this.#you.email
    for (const week of [0, 7]) {
      const brand = week === 0 ? 'Brightwell Tea' : 'Marlowe Bikes'
      this.#book.add(launches, this.#you, {
        summary: `${brand} — holiday flight`,
        ...wholeDays(monday + (week + 1) * dayMs, 9),
        colorId: '10',
        transparency: 'transparent',
        description: '<p>Video, display and out of home. Budget <b>120,000</b>.</p>',
      })
      this.#book.add(primary, this.#you, {
        summary: `Kick-off: ${brand} holiday flight`,
        ...at(week, 13, 0, 60),
        location: words.rooms[0],
        attendees: guests(chance, self, [...words.colleagues.slice(0, 3), words.outsiders[0]]),
        ...videoCall(chance),
        description: fill(words.descriptions[0]!, chance),
      })
      this.#book.add(primary, this.#you, {
        summary: `${brand}: placement list sign-off`,
        ...at(week, 15, 30, 30),
        attendees: guests(chance, self, [words.colleagues[2]]),
      })
      this.#book.add(partners, this.#you, {
        summary: 'Lumen Outdoor: rate card update',
        ...at(week + 1, 11, 0, 60),
        organizer: { email: words.outsiders[1][1], displayName: words.outsiders[1][0] },
        attendees: [
          { email: words.outsiders[1][1], displayName: words.outsiders[1][0], responseStatus: 'accepted' },
          { email: self, responseStatus: 'needsAction' },
        ],
      })
      this.#book.add(primary, this.#you, {
        summary: `Pacing call ${brand}`,
        ...at(week + 1, 15, 0, 30),
        ...videoCall(chance),
        attendees: guests(chance, self, words.outsiders.slice(0, 2)),
      })
      this.#book.add(primary, this.#you, {
        summary: 'Invitation: measurement round table',
        ...at(week + 2, 11, 30, 60),
        organizer: { email: words.outsiders[5][1], displayName: words.outsiders[5][0] },
        attendees: [
          { email: words.outsiders[5][1], displayName: words.outsiders[5][0], responseStatus: 'accepted' },
          { email: self, responseStatus: 'needsAction' },
          { email: words.colleagues[0][1], displayName: words.colleagues[0][0], responseStatus: 'tentative' },
        ],
        guestsCanInviteOthers: true,
      })
      this.#book.add(primary, this.#you, {
        summary: 'Report template review',
        ...at(week + 3, 13, 30, 60),
        location: words.rooms[3],
      })
      this.#book.add(launches, this.#you, {
        summary: `Trafficking due: ${brand}`,
        ...wholeDays(monday + (week + 3) * dayMs),
        colorId: '6',
        transparency: 'transparent',
      })
      this.#book.add(primary, this.#you, {
        summary: 'Lunch with Priya',
        ...at(week + 4, 12, 0, 45),
        location: 'Canteen',
      })
      this.#book.add(primary, this.#you, {
        summary: `Wrap-up: ${week === 0 ? 'Oatfield autumn flight' : 'Nordküche launch burst'}`,
        ...at(week + 4, 14, 30, 60),
        attendees: guests(chance, self, words.colleagues.slice(1, 4)),
        ...videoCall(chance),
      })
      this.#book.add(family, this.#you, {
        summary: week === 0 ? 'Leo: football match' : 'Farmers’ market',
        ...at(week + 5, 10, 0, 120),
        location: week === 0 ? 'Sports ground West' : undefined,
      })
      this.#book.add(family, this.#you, { summary: 'Dinner at Grandma’s', ...at(week + 6, 18, 0, 150) })
    }
  }

  /** Trips: out of office, days away, and a flight that starts in one zone and ends in another. */
  travel({ from, to }: Span): void {
    const { primary, team } = this.#ids
    for (let day = from + 40 * dayMs; day < to; day += (45 + this.#chance.int(30)) * dayMs) {
      const start = nextWeekday(day, 1)
      const city = this.#chance.pick(words.cities)
      const zone = city === 'New York' ? 'America/New_York' : city === 'Tokyo' ? 'Asia/Tokyo' : 'Europe/London'
      this.#book.add(primary, this.#you, {
        summary: `Trip to ${city}`,
        ...wholeDays(start, 4),
        location: city,
        transparency: 'transparent',
        colorId: '7',
      })
      const away = timed(start, 7 * 60, 120)
      const landing = instantOfWall(start + 7 * 3_600_000, homeZone) + 9 * 3_600_000
      this.#book.add(primary, this.#you, {
        summary: `Flight to ${city}`,
        start: away.start,
        end: timed(
          Math.floor(wallOfInstant(landing, zone) / dayMs) * dayMs,
          (wallOfInstant(landing, zone) % dayMs) / 60_000,
          0,
          zone,
        ).start,
        colorId: '8',
      })
      this.#book.add(team, this.#you, {
        summary: `Alex in ${city}`,
        ...wholeDays(start, 4),
        transparency: 'transparent',
      })
      const off = nextWeekday(start + 20 * dayMs, 5)
      this.#book.add(primary, this.#you, {
        summary: 'Out of office',
        ...timed(off, 12 * 60, 6 * 60),
        eventType: 'outOfOffice',
        outOfOfficeProperties: {
          autoDeclineMode: 'declineOnlyNewConflictingInvitations',
          declineMessage: 'I am away this afternoon.',
        },
      })
    }
  }

  #meeting(
    day: number,
    calendar: string,
    titles: readonly string[],
    hours: readonly [number, number],
    lengths: readonly number[],
    tidy: boolean,
  ): void {
    const chance = this.#chance
    const length = chance.pick(lengths)
    const minutes = this.#slot(day, hours, length, tidy)
    if (minutes === undefined) return
    const brand = chance.pick(words.brands)
    const work = calendar !== this.#ids.family
    const others =
      work && chance.yes(0.6)
        ? [
            ...chance.some(words.colleagues, 1 + chance.int(3)),
            ...(chance.yes(0.35) ? chance.some(words.outsiders, 1) : []),
          ]
        : []
    const zone = work && chance.yes(0.06) ? chance.pick(['America/New_York', 'Europe/London', 'Asia/Tokyo']) : homeZone
    const instant = instantOfWall(day + minutes * 60_000, homeZone)
    const wall = wallOfInstant(instant, zone)
    const localDay = Math.floor(wall / dayMs) * dayMs
    this.#book.add(calendar, this.#you, {
      summary: fill(chance.pick(titles), chance, brand),
      ...timed(localDay, (wall - localDay) / 60_000, length, zone),
      ...(chance.yes(0.35) && work ? { description: fill(chance.pick(words.descriptions), chance, brand) } : {}),
      ...(chance.yes(0.4) && work ? { location: chance.pick(words.rooms) } : {}),
      ...(others.length > 0 ? { attendees: guests(chance, this.#you.email, others) } : {}),
      ...(others.length > 1 ? videoCall(chance) : {}),
      ...(chance.yes(0.08) ? { colorId: String(1 + chance.int(11)) } : {}),
      ...(chance.yes(0.05) ? { status: 'tentative' as const } : {}),
      ...(chance.yes(0.1)
        ? { reminders: { useDefault: false, overrides: [{ method: 'popup' as const, minutes: 30 }] } }
        : {}),
    })
  }

  #milestone(day: number): void {
    const chance = this.#chance
    this.#book.add(this.#ids.launches, this.#you, {
      summary: fill(chance.pick(words.milestones), chance),
      ...wholeDays(day),
      transparency: 'transparent',
      colorId: chance.pick(['5', '6', '10', '11']),
    })
  }

  #flight(day: number, calendar: string): void {
    const chance = this.#chance
    const brand = chance.pick(words.brands)
    this.#book.add(calendar, this.#you, {
      summary: `${brand} — ${chance.pick(words.flights)}`,
      ...wholeDays(day, 3 + chance.int(9)),
      transparency: 'transparent',
      description: `<p>Budget <b>${20 + chance.int(180)},000</b>, with ${chance.pick(words.partners)} and ${chance.pick(words.partners)}.</p>`,
      extendedProperties: { shared: { campaign: slug(brand) } },
    })
  }

  #quarters(day: number): Set<number> {
    let quarters = this.#taken.get(day)
    if (!quarters) this.#taken.set(day, (quarters = new Set()))
    return quarters
  }

  /** Minutes of the day where an event of this length fits. */
  #slot(day: number, [first, last]: readonly [number, number], length: number, tidy: boolean): number | undefined {
    const pick = (): number => first * 60 + this.#chance.int((last - first) * 4) * 15
    if (!tidy) return pick()
    const quarters = this.#quarters(day)
    for (let attempt = 0; attempt < 8; attempt++) {
      const minutes = pick()
      const wanted = Array.from({ length: Math.ceil(length / 15) }, (_, index) => minutes / 15 + index)
      if (wanted.some((quarter) => quarters.has(quarter))) continue
      this.block(day + minutes * 60_000, day + (minutes + length) * 60_000)
      return minutes
    }
    return undefined
  }
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z]+/g, '-')

function fill(template: string, chance: Chance, brand = chance.pick(words.brands)): string {
  return template
    .replaceAll('{brand}', brand)
    .replaceAll('{slug}', slug(brand))
    .replaceAll('{flight}', chance.pick(words.flights))
    .replaceAll('{partner}', chance.pick(words.partners))
    .replaceAll('{person}', chance.pick(words.colleagues)[0])
}
