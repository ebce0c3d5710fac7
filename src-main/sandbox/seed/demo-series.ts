import { occurrences } from '#shared/time/recurrence'
import { weekdayCodes } from '#shared/time/recurrence-lines'
import { wallOfInstant } from '#shared/time/zones'
import { seriesOf, type EventDoc } from '../calendar/event-row'
import type { Person } from '../operation'
import { Book, dayMs, guests, homeZone, timed, videoCall, wholeDays } from './book'
import type { Chance } from './chance'
import { birthdays, colleagues, rooms } from './sample-names'

export interface DemoCalendars {
  primary: string
  team: string
  launches: string
  partners: string
  family: string
  holidays: string
}

export interface Span {
  /** UTC midnights: the first day, and the day after the last. */
  from: number
  to: number
  today: number
}

const weekday = (day: number): number => new Date(day).getUTCDay()

/** The first `wanted` weekday (0 is Sunday) on or after `day`. */
export const nextWeekday = (day: number, wanted: number): number => day + ((wanted - weekday(day) + 7) % 7) * dayMs

/** Recurring events of the demo, with exceptions. Calls `busy` for every instance in the range. */
export function seedSeries(
  book: Book,
  chance: Chance,
  you: Person,
  ids: DemoCalendars,
  span: Span,
  busy: (doc: EventDoc, start: number, end: number) => void,
): void {
  const weekly = (day: number, extra = ''): string[] => [`RRULE:FREQ=WEEKLY${extra};BYDAY=${weekdayCodes[day]}`]
  const first = (day: number): number => nextWeekday(span.from, day)
  const mina = colleagues[0]
  const jonas = colleagues[1]
  const team = guests(chance, you.email, colleagues.slice(0, 5))
  const put = (calendar: string, event: Parameters<Book['add']>[2], wild = 0): { id: string; doc: EventDoc } => {
    const series = book.add(calendar, you, event)
    for (const at of occurrences(seriesOf(series.doc), span.from, span.to)) {
      if (Math.abs(at.start - span.today) > 2 * dayMs && chance.yes(wild)) {
        const kind = chance.int(3)
        const length = at.end - at.start
        const later = wallOfInstant(at.start, homeZone) + 3_600_000
        const day = Math.floor(later / dayMs) * dayMs
        if (kind === 0) book.except(calendar, series, at, 'cancelled')
        else if (kind === 1) book.except(calendar, series, at, timed(day, (later - day) / 60_000, length / 60_000))
        else
          book.except(calendar, series, at, { summary: `${series.doc.summary} (short)`, location: chance.pick(rooms) })
      }
      busy(series.doc, at.start, at.end)
    }
    return series
  }
  put(
    ids.team,
    {
      summary: 'Stand-up',
      ...timed(first(1), 9 * 60 + 30, 15),
      recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
      attendees: team,
      ...videoCall(chance),
    },
    0.03,
  )
  put(
    ids.team,
    {
      summary: 'Weekly planning',
      ...timed(first(1), 10 * 60, 60),
      recurrence: weekly(1),
      location: rooms[0],
      description: '<p>Flights that start or end this week, open trafficking, holidays.</p>',
      attendees: team,
    },
    0.06,
  )
  put(
    ids.primary,
    {
      summary: '1:1 Mina',
      ...timed(first(2), 14 * 60, 30),
      recurrence: weekly(2),
      attendees: guests(chance, you.email, [mina]),
      ...videoCall(chance),
      visibility: 'private',
    },
    0.08,
  )
  put(
    ids.primary,
    {
      summary: '1:1 Jonas',
      ...timed(first(4), 11 * 60, 30),
      recurrence: weekly(4, ';INTERVAL=2'),
      attendees: guests(chance, you.email, [jonas]),
    },
    0.08,
  )
  put(
    ids.primary,
    {
      summary: 'New York sync',
      ...timed(first(3), 10 * 60, 45, 'America/New_York'),
      recurrence: weekly(3),
      ...videoCall(chance),
      attendees: guests(chance, you.email, [colleagues[3], colleagues[5]]),
      colorId: '9',
    },
    0.05,
  )
  put(
    ids.primary,
    {
      summary: 'Tokyo check-in',
      ...timed(first(4), 17 * 60, 30, 'Asia/Tokyo'),
      recurrence: weekly(4, ';INTERVAL=2'),
      ...videoCall(chance),
      attendees: guests(chance, you.email, [colleagues[6]]),
    },
    0.05,
  )
  put(
    ids.team,
    {
      summary: 'Campaign review',
      ...timed(first(5), 13 * 60, 60),
      recurrence: weekly(5),
      location: rooms[1],
      attendees: team,
      description: '<ul><li>Pacing</li><li>Creative wear-out</li><li>Make-goods</li></ul>',
    },
    0.05,
  )
  put(
    ids.primary,
    {
      summary: 'Focus: media plans',
      ...timed(first(3), 13 * 60, 120),
      recurrence: weekly(3),
      eventType: 'focusTime',
      focusTimeProperties: {
        autoDeclineMode: 'declineOnlyNewConflictingInvitations',
        declineMessage: 'Planning time, please suggest another slot.',
        chatStatus: 'doNotDisturb',
      },
      colorId: '3',
    },
    0.04,
  )
  put(ids.primary, {
    summary: 'Home',
    ...wholeDays(first(5)),
    recurrence: weekly(5),
    eventType: 'workingLocation',
    transparency: 'transparent',
    visibility: 'public',
    workingLocationProperties: { type: 'homeOffice', homeOffice: {} },
  })
  put(ids.launches, {
    summary: 'Budget close',
    ...timed(nextWeekday(span.from + 24 * dayMs, 5), 15 * 60, 60),
    recurrence: ['RRULE:FREQ=MONTHLY;BYDAY=-1FR'],
    colorId: '11',
    reminders: {
      useDefault: false,
      overrides: [
        { method: 'popup', minutes: 1440 },
        { method: 'email', minutes: 4320 },
      ],
    },
  })
  put(ids.team, {
    summary: 'Quarterly review',
    ...timed(nextWeekday(span.from + 14 * dayMs, 2), 15 * 60, 120),
    recurrence: ['RRULE:FREQ=MONTHLY;INTERVAL=3;BYDAY=3TU'],
    location: rooms[2],
    attendees: guests(chance, you.email, colleagues),
  })
  put(ids.family, { summary: 'Pick up Leo', ...timed(first(2), 16 * 60 + 30, 30), recurrence: weekly(2) }, 0.05)
  put(
    ids.family,
    { summary: 'Yoga', ...timed(first(4), 18 * 60 + 30, 75), recurrence: weekly(4), location: 'Studio Lindenhof' },
    0.05,
  )
  put(ids.partners, {
    summary: 'Partner newsletter goes out',
    ...wholeDays(first(3)),
    recurrence: weekly(3, ';INTERVAL=4'),
    transparency: 'transparent',
  })
  for (const [name, date] of birthdays) {
    book.add(ids.primary, you, {
      summary: `${name}’s birthday`,
      ...wholeDays(Date.parse(`${new Date(span.from).getUTCFullYear()}-${date}T00:00:00Z`)),
      recurrence: ['RRULE:FREQ=YEARLY'],
      eventType: 'birthday',
      transparency: 'transparent',
      visibility: 'private',
      birthdayProperties: { type: 'birthday' },
    })
  }
}

const fixedHolidays = [
  ['01-01', 'New Year’s Day'],
  ['05-01', 'Labour Day'],
  ['10-03', 'Unity Day'],
  ['12-25', 'Christmas Day'],
  ['12-26', 'Boxing Day'],
] as const

/** Public holidays as single all-day events. Movable ones are computed from Easter. */
export function seedHolidays(book: Book, you: Person, calendar: string, span: Span): void {
  const add = (day: number, summary: string): void => {
    if (day >= span.from && day < span.to)
      book.add(calendar, you, { summary, ...wholeDays(day), transparency: 'transparent', visibility: 'public' })
  }
  for (let year = new Date(span.from).getUTCFullYear(); year <= new Date(span.to).getUTCFullYear(); year++) {
    for (const [date, name] of fixedHolidays) add(Date.parse(`${year}-${date}T00:00:00Z`), name)
    const easter = easterOf(year)
    add(easter - 2 * dayMs, 'Good Friday')
    add(easter + dayMs, 'Easter Monday')
    add(easter + 39 * dayMs, 'Ascension Day')
    add(easter + 50 * dayMs, 'Whit Monday')
  }
}

/** Easter Sunday by the anonymous Gregorian computus, as a UTC midnight. */
export function easterOf(year: number): number {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const sum = h + l - 7 * m + 114
  return Date.UTC(year, Math.floor(sum / 31) - 1, (sum % 31) + 1)
}
