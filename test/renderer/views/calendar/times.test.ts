import { describe, expect, it } from 'vitest'
import { Temporal } from 'temporal-polyfill'
import { readQuickAdd } from '#shared/domain/quick-add/event-line'
import { instantOf } from '#shared/time/event-time'
import { offsetAt, wallOfText } from '#shared/time/zones'
import type { Event } from '#shared/wire/calendar/types'
import type { CalendarItem } from '../../../../src-renderer/replica/api'
import type { Entry } from '../../../../src-renderer/views/calendar/layout/entry'
import {
  landing,
  nudgedIn,
  placesOf,
  spanOfTimes,
  timePatch,
  timesOfSpan,
} from '../../../../src-renderer/views/calendar/times'
import { cases } from '../../../helpers/ring'
import { numbers } from '../../../helpers/numbers'

const berlin = 'Europe/Berlin'
const span = (start: string, end: string) => ({ start: wallOfText(start), end: wallOfText(end), allDay: false })

describe('a drawn, pasted, or copied range keeps its wall-clock length across a clock change', () => {
  it.each([
    ['2027-03-28T01:00', '2027-03-28T04:00', '2027-03-28T01:00:00+01:00', '2027-03-28T04:00:00+02:00'],
    ['2027-03-27T22:00', '2027-03-28T06:00', '2027-03-27T22:00:00+01:00', '2027-03-28T06:00:00+02:00'],
    ['2027-10-30T22:00', '2027-10-31T06:00', '2027-10-30T22:00:00+02:00', '2027-10-31T06:00:00+01:00'],
    ['2027-10-31T01:00', '2027-10-31T05:00', '2027-10-31T01:00:00+02:00', '2027-10-31T05:00:00+01:00'],
    // Of the repeated hour, the pass that keeps the length.
    ['2027-10-31T02:00', '2027-10-31T03:00', '2027-10-31T02:00:00+01:00', '2027-10-31T03:00:00+01:00'],
    ['2027-10-31T01:30', '2027-10-31T02:30', '2027-10-31T01:30:00+02:00', '2027-10-31T02:30:00+02:00'],
    ['2027-10-31T02:00', '2027-10-31T02:30', '2027-10-31T02:00:00+02:00', '2027-10-31T02:30:00+02:00'],
    // Its start is skipped, and its end moves along.
    ['2027-03-28T02:30', '2027-03-28T03:00', '2027-03-28T03:30:00+02:00', '2027-03-28T04:00:00+02:00'],
  ])('%s to %s', (from, to, start, end) => {
    expect(timesOfSpan(span(from, to), berlin)).toEqual({
      start: { dateTime: start, timeZone: berlin },
      end: { dateTime: end, timeZone: berlin },
    })
  })
})

it('keeps the time zones of an event that gets an offered time', () => {
  const flight = { start: { timeZone: berlin }, end: { timeZone: 'America/New_York' } }
  expect(timesOfSpan(span('2027-06-01T10:00', '2027-06-01T11:00'), berlin, flight)).toEqual({
    start: { dateTime: '2027-06-01T10:00:00+02:00', timeZone: berlin },
    end: { dateTime: '2027-06-01T05:00:00-04:00', timeZone: 'America/New_York' },
  })
})

describe('a dragged event', () => {
  const entryOf = (body: Event): Entry => {
    const drawn = spanOfTimes({ start: body.start!, end: body.end! }, berlin)
    const item = { start: instantOf(body.start!), end: instantOf(body.end!) } as CalendarItem
    return { ...drawn, bar: drawn.end - drawn.start >= 24 * 3_600_000, event: item } as Entry
  }

  it.each([
    ['a night into the spring change', ['20T22:00+01', '21T06:00+01'], '27T22:00', ['27T22:00+01', '28T07:00+02']],
    ['an hour out of the spring change', ['28T01:00+01', '28T03:00+02'], '29T10:00', ['29T10:00+02', '29T11:00+02']],
    ['an hour onto the skipped one', ['27T02:30+01', '27T03:30+01'], '28T02:30', ['28T03:30+02', '28T04:30+02']],
    ['days into the spring change', ['19T09:00+01', '21T18:00+01'], '26T09:00', ['26T09:00+01', '28T18:00+02']],
  ] as const)(
    'keeps its length if it’s shorter than a day, and ends as drawn: %s',
    (_, [start, end], to, [first, last]) => {
      const at = (time: string) => ({ dateTime: `2027-03-${time.replace('+', ':00+')}:00`, timeZone: berlin })
      const event: Event = { start: at(start), end: at(end) }
      const entry = entryOf(event)
      const from = wallOfText(`2027-03-${to}`)
      const target = { start: from, end: from + entry.end - entry.start, allDay: false }
      const patch = timePatch(event, entry, target, berlin)
      expect(patch).toEqual({ start: at(first), end: at(last) })
      expect(landing(entry, target, berlin)).toEqual(spanOfTimes(patch as never, berlin))
    },
  )

  it.each([
    ['move', ['28T03:00+02', '28T04:00+02'], -15, ['28T01:45+01', '28T03:45+02']],
    ['end', ['28T01:00+01', '28T03:00+02'], -15, ['28T01:00+01', '28T01:45+01']],
    ['move', ['28T01:45+01', '28T03:45+02'], 15, ['28T03:00+02', '28T04:00+02']],
    ['end', ['28T01:00+01', '28T01:45+01'], 15, ['28T01:00+01', '28T03:00+02']],
  ] as const)('passes the skipped hour by key: %s', (grip, [start, end], minutes, [first, last]) => {
    const at = (time: string) => ({ dateTime: `2027-03-${time.replace('+', ':00+')}:00`, timeZone: berlin })
    const event: Event = { start: at(start), end: at(end) }
    const entry = entryOf(event)
    const to = nudgedIn(berlin, entry, grip, minutes, 0)
    expect(timePatch(event, entry, to, berlin)).toEqual({ start: at(first), end: at(last) })
  })

  it('without moving a fixed end to the other pass of a repeated hour', () => {
    const second: Event = {
      start: { dateTime: '2027-10-31T01:00:00+02:00', timeZone: berlin },
      end: { dateTime: '2027-10-31T02:30:00+01:00', timeZone: berlin },
    }
    expect(timePatch(second, entryOf(second), span('2027-10-31T00:30', '2027-10-31T02:30'), berlin)).toEqual({
      start: { dateTime: '2027-10-31T00:30:00+02:00', timeZone: berlin },
      end: { dateTime: '2027-10-31T02:30:00+01:00', timeZone: berlin },
    })
  })

  it.each([
    ['an hour onto the repeated one', ['01:00+02', '02:00+02'], ['02:00', '03:00'], ['02:00+01', '03:00+01']],
    ['within the second pass', ['02:30+01', '02:45+01'], ['02:15', '02:30'], ['02:15+01', '02:30+01']],
    ['within the first pass', ['02:30+02', '02:45+02'], ['02:15', '02:30'], ['02:15+02', '02:30+02']],
    ['with a longer end in the second pass', ['02:00+01', '02:15+01'], ['02:00', '02:30'], ['02:00+01', '02:30+01']],
    [
      'with an earlier start in the second pass',
      ['02:30+01', '02:45+01'],
      ['02:15', '02:45'],
      ['02:15+01', '02:45+01'],
    ],
  ] as const)('in autumn, %s', (_, [start, end], [from, to], [first, last]) => {
    const at = (hour: string) => ({ dateTime: `2027-10-31T${hour.replace('+', ':00+')}:00`, timeZone: berlin })
    const event: Event = { start: at(start), end: at(end) }
    const drawn = span(`2027-10-31T${from}`, `2027-10-31T${to}`)
    expect(timePatch(event, entryOf(event), drawn, berlin)).toEqual({ start: at(first), end: at(last) })
  })

  it('in its own time zone', () => {
    const tokyo: Event = {
      start: { dateTime: '2027-03-20T22:00:00+09:00', timeZone: 'Asia/Tokyo' },
      end: { dateTime: '2027-03-20T23:00:00+09:00', timeZone: 'Asia/Tokyo' },
    }
    expect(timePatch(tokyo, entryOf(tokyo), span('2027-03-21T14:00', '2027-03-21T15:00'), berlin)).toEqual({
      start: { dateTime: '2027-03-21T22:00:00+09:00', timeZone: 'Asia/Tokyo' },
      end: { dateTime: '2027-03-21T23:00:00+09:00', timeZone: 'Asia/Tokyo' },
    })
  })
})

it("shows the local time at the event's location", () => {
  const at = (hour: string, timeZone: string) => ({ dateTime: `2026-12-03T${hour}`, timeZone })
  const tokyo = { start: at('09:00:00+09:00', 'Asia/Tokyo'), end: at('10:00:00+09:00', 'Asia/Tokyo') }
  expect(placesOf(tokyo, berlin, false)).toBe('09:00 in Tokyo')
  expect(placesOf(tokyo, 'Asia/Tokyo', false)).toBe('')
  const delhi = { start: at('09:00:00+05:30', 'Asia/Kolkata'), end: at('10:00:00+05:30', 'Asia/Kolkata') }
  // The name that `Intl` has for the zone of a computer there.
  expect(placesOf(delhi, 'Asia/Calcutta', false)).toBe('')
  const flight = { start: at('10:00:00+01:00', berlin), end: at('13:00:00-05:00', 'America/New_York') }
  expect(placesOf(flight, berlin, false)).toBe('13:00 in New York')
})

/** Time zones with a clock change in each of these years, and the type of change. */
const zones: readonly [string, number, number][] = [
  ['Europe/Berlin', 2025, 2028],
  ['America/New_York', 2025, 2028],
  ['Australia/Lord_Howe', 2025, 2028],
  ['Pacific/Auckland', 2025, 2028],
  ['Asia/Kathmandu', 1985, 1987],
  ['Africa/Casablanca', 2025, 2028],
  ['America/Sao_Paulo', 2016, 2019],
  ['Pacific/Apia', 2010, 2013],
  ['Europe/Dublin', 2025, 2028],
  ['Asia/Tehran', 2019, 2022],
]
const hourMs = 3_600_000
const dayMs = 24 * hourMs

function changesOf(zone: string, from: number, to: number): number[] {
  const found: number[] = []
  for (let at = Date.UTC(from, 0, 1); at < Date.UTC(to, 0, 1); at += hourMs)
    if (offsetAt(at, zone) !== offsetAt(at + hourMs, zone)) found.push(at + hourMs)
  return found
}

const two = (value: number): string => String(value).padStart(2, '0')
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const monate = 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' ')

/** The expected start and end instants, computed with Temporal and none of the app's code. */
function expected(
  zone: string,
  start: Temporal.PlainDateTime,
  end: Temporal.PlainDateTime | number,
): { start: number; end: number } {
  const first = start.toZonedDateTime(zone, { disambiguation: 'compatible' })
  if (typeof end === 'number') return { start: first.epochMilliseconds, end: first.epochMilliseconds + end * 60_000 }
  const moved = start.until(first.toPlainDateTime())
  const last = end.add(moved).toZonedDateTime(zone, { disambiguation: 'compatible' })
  return { start: first.epochMilliseconds, end: Math.max(first.epochMilliseconds, last.epochMilliseconds) }
}

describe('quick add around every clock change in ten time zones', () => {
  it('creates what you typed, and previews what it creates, for thousands of lines', () => {
    const pick = numbers(7)
    let [lines, skipped, changes] = [0, 0, 0]
    const all = zones.map(([zone, from, to]) => ({ zone, at: changesOf(zone, from, to) }))
    for (const { at } of all) changes += at.length
    while (lines < cases(2_000, 10_000)) {
      const { zone, at } = all[lines % all.length]!
      const change = at[pick(at.length)]!
      const wall = change + offsetAt(change - 1, zone)
      const day = Math.floor((wall + (pick(3) - 1) * dayMs) / dayMs) * dayMs
      const date = new Date(day)
      const [year, month, number] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
      const from = pick(96) * 15
      const length = 5 * (1 + pick(200))
      const clock = (minutes: number): string => `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`
      const said = [
        `${number} ${months[month]} ${year}`,
        `${year}-${two(month + 1)}-${two(number)}`,
        `${months[month]} ${number}, ${year}`,
        `am ${number}. ${monate[month]} ${year}`,
        `${two(number)}.${two(month + 1)}.${year}`,
      ][year < 2000 ? 1 + 3 * pick(2) : pick(5)]!
      const start = new Temporal.PlainDateTime(year, month + 1, number, Math.floor(from / 60), from % 60)
      const kind = pick(4)
      const end = kind === 1 ? length : start.add({ minutes: kind === 0 ? 1 + ((length - 1) % 1439) : length })
      const last = typeof end === 'number' ? from : end.hour * 60 + end.minute
      const line = [
        `Wache ${said} ${clock(from)}-${clock(last)}`,
        `Watch ${said} ${clock(from)} for ${length} min`,
        `Watch ${said} ${clock(from)} - ${typeof end === 'number' ? '' : `${end.year}-${two(end.month)}-${two(end.day)}`} ${clock(last)}`,
        `Wache ${said} von ${clock(from)} bis ${clock(last)} Uhr`,
      ][kind]!
      // After a time of day, the end is the next such time, within a day.
      const ends =
        kind === 3 && typeof end !== 'number' ? start.add({ minutes: ((last - from + 1439) % 1440) + 1 }) : end
      if (typeof ends !== 'number' && kind !== 2 && last === from) continue
      const wanted = expected(zone, start, ends)
      const { event, problem } = readQuickAdd(line, {
        now: change - 40 * dayMs,
        zone,
        defaultMinutes: 30,
        calendars: [],
      })
      lines++
      if (wanted.end <= wanted.start) {
        expect([line, zone, problem]).toEqual([line, zone, 'The end is before the start'])
        skipped++
        continue
      }
      // 11:30-10:00 is almost a day or a typo, so quick add asks.
      const odd = kind !== 1 && kind !== 2 && last < from && last >= 600 && from < 780
      if (odd) {
        expect([line, problem]).toEqual([line, expect.stringMatching(/could be morning or afternoon/)])
        continue
      }
      if (!event) throw new Error(`${line} in ${zone}: ${problem}`)
      expect([line, zone, instantOf(event.start), instantOf(event.end)]).toEqual([line, zone, wanted.start, wanted.end])
      // The dialog shows these instants' local times.
      const shown = spanOfTimes(event, zone)
      const read = (instant: number): number =>
        Date.parse(
          `${Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDateTime().toString()}Z`,
        )
      expect([line, shown.start, shown.end]).toEqual([line, read(wanted.start), read(wanted.end)])
    }
    expect(changes).toBeGreaterThan(45)
    expect(skipped).toBeLessThan(50)
  })
})
