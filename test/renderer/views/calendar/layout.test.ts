import { describe, expect, it } from 'vitest'
import { instantOfWall } from '#shared/time/zones'
import type { CalendarItem, Row } from '../../../../src-renderer/replica/api'
import { dayMs } from '../../../../src-renderer/ui/dates'
import { busyHours, heatOf } from '../../../../src-renderer/views/calendar/layout/busy-hours'
import { dayLayout } from '../../../../src-renderer/views/calendar/layout/day-columns'
import {
  byMonthPlace,
  draftEntry,
  entriesByKey,
  eventEntry,
  leftOf,
  overlapCount,
  withoutCopies,
  type Entry,
} from '../../../../src-renderer/views/calendar/layout/entry'
import { packLanes } from '../../../../src-renderer/views/calendar/layout/lanes'
import { shortTitle, stretchOf, turned } from '../../../../src-renderer/views/calendar/layout/stretch'
import { slotNear } from '../../../../src-renderer/views/calendar/layout/stops'
import { dayTimeWords, whenWords } from '../../../../src-renderer/views/calendar/event-labels'
import { timeForms } from '../../../../src-renderer/views/calendar/layout/chip-text'
import { aheadOn, usualDays, ZoneWindow } from '../../../../src-renderer/views/calendar/layout/zone-window'

const day = Date.UTC(2026, 6, 13) // a Monday
const week = Array.from({ length: 7 }, (_, column) => day + column * dayMs)
const wall = (text: string): number => Date.parse(`${text}Z`)

function timed(key: string, from: string, to: string): Entry {
  const [start, end] = [wall(from), wall(to)]
  const firstDay = Math.floor(start / dayMs) * dayMs
  return {
    key,
    title: key,
    allDay: false,
    start,
    end,
    firstDay,
    lastDay: Math.max(firstDay, Math.floor((end - 1) / dayMs) * dayMs),
    bar: end - start >= dayMs,
    mark: 'synced',
  }
}
function allDay(key: string, first: number, days = 1): Entry {
  const start = day + first * dayMs
  return {
    key,
    title: key,
    allDay: true,
    start,
    end: start + days * dayMs,
    firstDay: start,
    lastDay: start + (days - 1) * dayMs,
    bar: true,
    mark: 'synced',
  }
}
const at = (key: string, from: string, to: string): Entry => timed(key, `2026-07-13T${from}:00`, `2026-07-13T${to}:00`)
const places = (entries: Entry[]): string[] =>
  dayLayout(entries, day).blocks.map((block) => `${block.entry.key} ${block.column}+${block.span}/${block.columns}`)

describe('columns of a day', () => {
  it('are full width without overlap', () => {
    expect(places([at('a', '09:00', '10:00'), at('b', '10:00', '11:00')])).toEqual(['a 0+1/1', 'b 0+1/1'])
  })
  it('split for overlaps, and a third event reuses a free column', () => {
    expect(places([at('a', '09:00', '10:00'), at('b', '09:30', '11:00'), at('c', '10:00', '10:30')])).toEqual([
      'a 0+1/2',
      'b 1+1/2',
      'c 0+1/2',
    ])
  })
  it('expand over columns free at that time', () => {
    const found = places([
      at('a', '09:00', '12:00'),
      at('b', '09:00', '10:00'),
      at('c', '09:30', '10:00'),
      at('d', '11:00', '12:00'),
    ])
    expect(found).toEqual(['a 0+1/3', 'b 1+1/3', 'c 2+1/3', 'd 1+2/3'])
  })
  it("count short entries as tall as they're drawn", () => {
    expect(places([at('a', '09:00', '09:05'), at('b', '09:10', '09:15')])).toEqual(['a 0+1/2', 'b 1+1/2'])
  })
  it('cut an entry at midnight without adding an end there', () => {
    const night = timed('night', '2026-07-12T22:00:00', '2026-07-13T06:30:00')
    expect(dayLayout([night], day).blocks).toMatchObject([{ from: 0, to: 390, head: false, tail: true }])
    expect(dayLayout([night], day - dayMs).blocks).toMatchObject([{ from: 1320, to: 1440, head: true, tail: false }])
  })
  it('stay readable in a crowd and count the rest in place', () => {
    const crowd = ['a', 'b', 'c', 'd', 'e'].map((key) => at(key, '09:00', '10:00'))
    const { blocks, rests } = dayLayout([...crowd, at('x', '12:00', '13:00')], day, 3)
    expect(blocks.map((block) => [block.entry.key, block.column, block.columns])).toEqual([
      ['a', 0, 3],
      ['b', 1, 3],
      ['x', 0, 1],
    ])
    expect(rests).toEqual([{ from: 540, to: 600, count: 3, keys: new Set(['c', 'd', 'e']), column: 2, columns: 3 }])
  })
  it('never let two blocks overlap', () => {
    const entries = Array.from({ length: 120 }, (_, index) => {
      const from = (index * 97) % 1380
      const start = day + from * 60_000
      return { ...at(`e${index}`, '00:00', '00:30'), start, end: start + (15 + ((index * 31) % 120)) * 60_000 }
    })
    const blocks = dayLayout(entries, day).blocks
    for (const a of blocks) {
      for (const b of blocks) {
        if (a === b || a.from >= Math.max(b.to, b.from + 20) || b.from >= Math.max(a.to, a.from + 20)) continue
        const apart =
          a.column / a.columns >= (b.column + b.span) / b.columns ||
          b.column / b.columns >= (a.column + a.span) / a.columns
        expect(apart, `${a.entry.key} and ${b.entry.key}`).toBe(true)
      }
    }
  })
})

describe('lanes of a row of days', () => {
  const row = (entries: Entry[], most?: number): string[] =>
    packLanes(entries, week, most)
      .slots.flat()
      .map((slot) => `${slot.entry.key} ${slot.from}-${slot.to}@${slot.lane}`)

  it('put longer bars on top and cut bars at the edge', () => {
    const packed = packLanes([allDay('short', 0), allDay('long', 0, 3), allDay('before', -3, 5)], week)
    expect(
      packed.slots.flat().map((slot) => [slot.entry.key, slot.from, slot.to, slot.lane, slot.head, slot.tail]),
    ).toEqual([
      ['before', 0, 1, 0, false, true],
      ['long', 0, 2, 1, true, true],
      ['short', 0, 0, 2, true, true],
    ])
  })
  it('put single entries below bars, by time', () => {
    expect(row([at('late', '15:00', '16:00'), at('early', '08:00', '09:00'), allDay('bar', 0, 2)])).toEqual([
      'bar 0-1@0',
      'early 0-0@1',
      'late 0-0@2',
    ])
  })
  it('reuse a free lane', () => {
    expect(row([allDay('a', 0, 2), allDay('b', 1, 2), allDay('c', 2, 1)])).toEqual(['a 0-1@0', 'b 1-2@1', 'c 2-2@0'])
  })
  it('reserve a crowded day\'s last lane for "more" with its count', () => {
    const entries = ['a', 'b', 'c', 'd'].map((key, index) => at(key, `0${index + 8 > 9 ? 9 : index + 8}:00`, '10:00'))
    const packed = packLanes(entries, week, 3)
    expect(packed.slots[0]!.map((slot) => slot.entry.key)).toEqual(['a', 'b'])
    expect(packed.hidden[0]).toBe(2)
    expect(packed.hidden[1]).toBe(0)
  })
  it('show three entries in three lanes', () => {
    const packed = packLanes([at('a', '08:00', '09:00'), at('b', '09:00', '10:00'), at('c', '10:00', '11:00')], week, 3)
    expect(packed.slots[0]).toHaveLength(3)
    expect(packed.hidden[0]).toBe(0)
  })
  it('show completed tasks of a month last, and leave them out of the count', () => {
    const done = { ...allDay('done', 0), task: {} as Row, done: true }
    const open = { ...allDay('open', 0), task: {} as Row, done: false }
    const meeting = at('meeting', '09:00', '10:00')
    const place = (most: number) => {
      const packed = packLanes([done, open, meeting, allDay('trip', 0, 2)], week, most, byMonthPlace)
      return [packed.slots[0]!.map(({ entry }) => entry.key), packed.hidden[0]]
    }
    expect(place(4)).toEqual([['trip', 'meeting', 'open', 'done'], 0])
    expect(place(3)).toEqual([['trip', 'meeting', 'open'], 0])
    expect(place(2)).toEqual([['trip'], 2])
  })
  it('draw or count every entry of a day', () => {
    const entries = Array.from({ length: 60 }, (_, index) =>
      index % 3
        ? timed(`t${index}`, `2026-07-${13 + (index % 7)}T09:00:00`, `2026-07-${13 + (index % 7)}T10:00:00`)
        : allDay(`d${index}`, (index % 9) - 2, 1 + (index % 4)),
    )
    for (const most of [1, 2, 4, 9]) {
      const packed = packLanes(entries, week, most)
      for (let column = 0; column < 7; column++) {
        const here = day + column * dayMs
        const all = entries.filter((entry) => entry.firstDay <= here && entry.lastDay >= here).length
        const drawn = packed.slots.flat().filter((slot) => slot.from <= column && slot.to >= column).length
        expect(drawn + packed.hidden[column]!).toBe(all)
        expect(drawn).toBeLessThanOrEqual(most - Number(packed.hidden[column]! > 0))
      }
    }
  })
})

describe('days without 24 hours', () => {
  const zone = 'Europe/Berlin'
  const window = (text: string): ZoneWindow => {
    const first = wall(`${text}T00:00:00`)
    return new ZoneWindow(zone, instantOfWall(first - dayMs, zone), instantOfWall(first + 2 * dayMs, zone))
  }
  const item = (start: string, end: string): CalendarItem => ({
    itemKey: 'x',
    rowKey: 'x',
    calendarId: 'c',
    eventId: 'x',
    title: 'x',
    allDay: false,
    start: Date.parse(start),
    end: Date.parse(end),
    eventType: 'default',
    status: 'confirmed',
    transparent: false,
    recurring: false,
    mark: 'synced',
  })

  it('show the clock change to the second and say which day is shorter or longer', () => {
    const spring = window('2026-03-29')
    expect(spring.transitions).toEqual([
      { at: Date.parse('2026-03-29T01:00:00Z'), before: 3_600_000, after: 7_200_000 },
    ])
    expect(spring.shiftOn(wall('2026-03-29T00:00:00'))).toBe(-60)
    expect(spring.shiftOn(wall('2026-03-30T00:00:00'))).toBe(0)
    expect(window('2026-10-25').shiftOn(wall('2026-10-25T00:00:00'))).toBe(60)
  })
  it('map every instant as the time zone does', () => {
    for (const text of ['2026-03-29', '2026-10-25', '2026-07-13']) {
      const here = window(text)
      for (let at = here.from; at < here.to; at += 17 * 60_000) {
        const parts = new Intl.DateTimeFormat('sv-SE', {
          timeZone: zone,
          dateStyle: 'short',
          timeStyle: 'medium',
        }).format(at)
        expect(new Date(here.wall(at)).toISOString().slice(0, 19)).toBe(parts.replace(' ', 'T'))
      }
    }
  })
  it('let an hour that starts before the gap end after it on the clock', () => {
    const here = window('2026-03-29')
    const entry = eventEntry(item('2026-03-29T01:30:00+01:00', '2026-03-29T03:30:00+02:00'), (instant) =>
      here.wall(instant),
    )
    expect(dayLayout([entry], wall('2026-03-29T00:00:00')).blocks).toMatchObject([{ from: 90, to: 210 }])
  })
  it('leave an event the time that passes, not what the clock says', () => {
    const here = window('2026-03-29')
    const entry = eventEntry(item('2026-03-29T01:30:00+01:00', '2026-03-29T03:30:00+02:00'), (instant) =>
      here.wall(instant),
    )
    const at = (time: string): number | undefined => leftOf(entry, Date.parse(`2026-03-29T${time}+01:00`))
    expect([at('01:29:59'), at('01:30:00'), at('02:30:00')]).toEqual([undefined, 3_600_000, undefined])
  })
  it('give half an hour in the repeated hour its length, though the clock goes back', () => {
    const here = window('2026-10-25')
    const entry = eventEntry(item('2026-10-25T02:45:00+02:00', '2026-10-25T02:15:00+01:00'), (instant) =>
      here.wall(instant),
    )
    const [block] = dayLayout([entry], wall('2026-10-25T00:00:00')).blocks
    expect([block!.from, block!.to]).toEqual([165, 195])
    expect(whenWords(entry, { hour12: false, thisYear: 2026 })).toBe('Sunday 25 October, 02:45 to 02:15 (30 min)')
    expect(dayTimeWords(entry, entry.firstDay, { hour12: false, thisYear: 2026 })).toBe('02:45 – 02:15')
    expect(timeForms(entry, false)[0]).toBe('02:45 – 02:15')
  })
  it('keep an event until midnight off the next day, and give an empty one its day', () => {
    const here = window('2026-07-13')
    const evening = eventEntry(item('2026-07-13T22:00:00+02:00', '2026-07-14T00:00:00+02:00'), (instant) =>
      here.wall(instant),
    )
    expect(evening.lastDay).toBe(evening.firstDay)
    const none = eventEntry(item('2026-07-13T22:00:00+02:00', '2026-07-13T22:00:00+02:00'), (instant) =>
      here.wall(instant),
    )
    expect(none.lastDay).toBe(none.firstDay)
  })
  it('never shift an all-day event by time zone', () => {
    const dates = { ...item('2026-07-13T00:00:00Z', '2026-07-14T00:00:00Z'), allDay: true }
    for (const name of ['Pacific/Honolulu', 'Pacific/Kiritimati', 'Asia/Kolkata']) {
      const here = new ZoneWindow(name, day - dayMs, day + 2 * dayMs)
      const entry = eventEntry(dates, (instant) => here.wall(instant))
      expect([entry.firstDay, entry.lastDay]).toEqual([day, day])
    }
  })
})

describe('overlaps', () => {
  it('count only timed neighbors', () => {
    const a = at('a', '09:00', '10:00')
    expect(overlapCount(a, [a, at('b', '09:30', '11:00'), at('c', '10:00', '11:00'), allDay('d', 0)])).toBe(1)
    expect(overlapCount(allDay('d', 0), [a])).toBe(0)
  })
})

describe('copies of an event in several calendars', () => {
  const copy = (calendarId: string, own: Partial<Entry> = {}, event: Partial<CalendarItem> = {}): Entry => ({
    ...at('Stand-up', '09:00', '09:30'),
    key: `${calendarId} a`,
    event: { eventId: 'a', calendarId, itemKey: `${calendarId} a`, ...event } as CalendarItem,
    ...own,
  })
  const without = (...entries: Entry[]): Entry[] => {
    const order = ['read-only', 'mine', 'team', 'family']
    return withoutCopies(
      entries,
      (id) => order.indexOf(id),
      (id) => id !== 'read-only',
    )
  }
  const shown = (...entries: Entry[]): unknown[] =>
    without(...entries).map(({ key, alsoIn }) => [key, alsoIn?.map(({ calendarId }) => calendarId)])

  it('are drawn once, as that of the first calendar', () => {
    expect(shown(copy('family'), copy('team'), copy('mine'), at('Other', '09:00', '09:30'))).toEqual([
      ['mine a', ['team', 'family']],
      ['Other', undefined],
    ])
  })

  it('are drawn each if they differ, and a change that isn’t sent shows', () => {
    expect(shown(copy('mine'), copy('team', {}, { title: 'Weekly' }))).toHaveLength(2)
    expect(shown(copy('mine'), copy('team', {}, { start: wall('2026-07-13T08:00:00') }))).toHaveLength(2)
    expect(shown(copy('mine'), copy('team', { mark: 'local' }))).toEqual([['team a', ['mine']]])
  })

  it('are drawn as the one that can be edited, with the reply of any', () => {
    const team = copy('team')
    const shownReply = (...entries: Entry[]): unknown[] =>
      without(...entries).map(({ key, event, invitation }) => [key, event?.response, invitation?.calendarId])
    expect(shown(copy('read-only'), copy('family'))).toEqual([['family a', ['read-only']]])
    for (const response of ['needsAction', 'accepted', 'tentative', 'declined'] as const)
      expect(shownReply(copy('mine', {}, { fixed: 'guest', response }), team)).toEqual([['team a', response, 'mine']])
    const accepted = copy('mine', {}, { fixed: 'guest', response: 'accepted' })
    const unanswered = copy('family', {}, { fixed: 'guest', response: 'needsAction' })
    expect(shownReply(accepted, unanswered)).toEqual([['mine a', 'accepted', undefined]])
    expect(shownReply(copy('read-only', {}, { response: 'accepted' }), team)).toEqual([
      ['team a', undefined, undefined],
    ])
    expect(shownReply(copy('mine', { mark: 'local' }, { response: 'accepted' }), team)).toEqual([
      ['mine a', 'accepted', undefined],
    ])
  })

  it('are all found', () => {
    const entries = without(copy('mine'), copy('team'))
    const found = ['mine a', 'team a'].map((key) => entriesByKey(entries).get(key)?.key)
    expect(found).toEqual(['mine a', 'mine a'])
  })
})

describe('the days on screen', () => {
  const date = (value: number): string => new Date(value).toISOString().slice(0, 10)
  it.each([
    ['month', '2026-07-15', 1, '2026-06-29', '2026-08-02', 'July 2026'],
    ['month', '2026-02-15', 0, '2026-02-01', '2026-02-28', 'February 2026'],
    ['month', '2026-08-01', 1, '2026-07-27', '2026-09-06', 'August 2026'],
    ['week', '2026-07-15', 1, '2026-07-13', '2026-07-19', '13 – 19 July 2026'],
    ['week', '2026-07-15', 0, '2026-07-12', '2026-07-18', '12 – 18 July 2026'],
    ['week', '2026-12-30', 1, '2026-12-28', '2027-01-03', '28 Dec 2026 – 3 Jan 2027'],
    ['day', '2026-07-15', 1, '2026-07-15', '2026-07-15', 'Wednesday 15 July 2026'],
    ['agenda', '2026-07-15', 1, '2026-07-15', '2026-08-11', '15 Jul – 11 Aug 2026'],
    ['days', '2026-07-15', 1, '2026-07-15', '2026-07-17', '15 – 17 July 2026'],
    ['workWeek', '2026-07-15', 1, '2026-07-13', '2026-07-17', '13 – 17 July 2026'],
    ['workWeek', '2026-07-12', 0, '2026-07-13', '2026-07-17', '13 – 17 July 2026'],
    ['twoWeeks', '2026-07-15', 1, '2026-07-13', '2026-07-26', '13 – 26 July 2026'],
    ['year', '2028-07-15', 1, '2028-01-01', '2028-12-31', '2028'],
  ] as const)('%s of %s, week from %i', (layout, from, weekStart, first, last, title) => {
    const stretch = stretchOf(layout, wall(`${from}T00:00:00`), { weekStart, dayCount: 3, hideWeekends: false })
    expect([date(stretch.first), date(stretch.last), stretch.title]).toEqual([first, last, title])
  })
  it("a month after the 31st end on the shorter month's last day", () => {
    expect(date(turned('month', wall('2026-01-31T00:00:00'), 1, 3))).toBe('2026-02-28')
    expect(date(turned('week', wall('2026-03-27T00:00:00'), 1, 3))).toBe('2026-04-03')
  })
  it('turn by what they show', () => {
    const from = wall('2028-02-29T00:00:00')
    expect(
      (['days', 'workWeek', 'twoWeeks', 'year'] as const).map((layout) => date(turned(layout, from, 1, 4))),
    ).toEqual(['2028-03-04', '2028-03-07', '2028-03-14', '2029-02-28'])
  })
  it('leave out weekends if wanted, and put bars of the days around them side by side', () => {
    const options = { weekStart: 1, dayCount: 3, hideWeekends: true }
    const { days } = stretchOf('twoWeeks', day, options)
    expect(days.map((one) => new Date(one).getUTCDate())).toEqual([13, 14, 15, 16, 17, 20, 21, 22, 23, 24])
    expect(stretchOf('days', day + 4 * dayMs, options).days).toHaveLength(3)
    const { slots } = packLanes([allDay('over', 3, 5), allDay('weekend', 5, 2), allDay('next', 8)], days)
    expect(slots.flat().map(({ entry, from, to, head, tail }) => [entry.key, from, to, head, tail])).toEqual([
      ['over', 3, 5, true, true],
      ['next', 6, 6, true, true],
    ])
  })
})

describe('the event being created', () => {
  const span = (from: string, to: string, allDay = false) => ({
    start: wall(`2026-07-13T${from}:00`),
    end: wall(`2026-07-13T${to}:00`),
    allDay,
  })

  it('has its own column next to overlapping events', () => {
    const draft = draftEntry(span('09:30', '10:30'), 'Budget', '#7986cb')
    expect(places([at('a', '09:00', '10:00'), draft])).toEqual(['a 1+1/2', 'draft 0+1/2'])
  })

  it('is never hidden in a crowd', () => {
    const crowd = Array.from({ length: 9 }, (_, index) => at(`e${index}`, '09:00', '11:00'))
    const draft = draftEntry(span('10:00', '10:30'), 'Budget', '#7986cb')
    const { blocks, rests } = dayLayout([...crowd, draft], day, 4)
    expect(blocks.map(({ entry }) => entry.key)).toContain('draft')
    expect(rests.map(({ count }) => count)).toEqual([7])
  })

  it('takes the first all-day lane and pushes the others down', () => {
    const draft = draftEntry({ start: day, end: day + 2 * dayMs, allDay: true }, 'Conference', '#7986cb')
    const { slots } = packLanes([allDay('a', 0, 3), allDay('b', 1), draft], week, 3)
    expect(slots.flat().map(({ entry, lane }) => `${entry.key} ${lane}`)).toEqual(['draft 0', 'a 1', 'b 2'])
  })
})

describe('short titles', () => {
  const title = (layout: 'day' | 'week' | 'month' | 'agenda', of: string, year = 2026): string => {
    const at = wall(`${of}T00:00:00`)
    return shortTitle(stretchOf(layout, at, { weekStart: 1, dayCount: 3, hideWeekends: false }), at, year)
  }
  it('show the year only when it differs', () => {
    expect(title('week', '2026-06-10')).toBe('8 – 14 Jun')
    expect(title('week', '2026-07-01')).toBe('29 Jun – 5 Jul')
    expect(title('week', '2026-06-10', 2025)).toBe('8 – 14 Jun ’26')
    expect(title('week', '2026-12-30')).toBe('28 Dec – 3 Jan ’27')
    expect(title('month', '2026-06-10')).toBe('June')
    expect(title('month', '2027-06-10')).toBe('Jun 2027')
    expect(title('day', '2026-06-10')).toBe('Wed 10 Jun')
  })
})

describe('the first free slot for the keyboard', () => {
  it('is the next half hour today', () => {
    expect(slotNear(day, wall('2026-07-13T10:55:00'))).toEqual({ kind: 'slot', day, minute: 11 * 60 })
    expect(slotNear(day, wall('2026-07-13T11:00:00'))).toEqual({ kind: 'slot', day, minute: 11 * 60 })
    expect(slotNear(day, wall('2026-07-13T23:50:00'))).toEqual({ kind: 'slot', day, minute: 23 * 60 + 30 })
  })
  it("is nine o'clock on other days", () => {
    expect(slotNear(day, wall('2026-07-10T10:55:00'))).toEqual({ kind: 'slot', day, minute: 9 * 60 })
  })
})

describe('busy hours of a day', () => {
  const event = (key: string, from: string, to: string, more: Partial<CalendarItem> = {}): Entry => ({
    ...at(key, from, to),
    event: { transparent: false, ...more } as CalendarItem,
  })
  it('count each time once, and neither free time nor tasks nor declined events', () => {
    const hours = busyHours([
      event('a', '09:00', '11:00'),
      event('b', '10:00', '12:00'),
      event('inside', '09:30', '10:00'),
      event('free', '14:00', '16:00', { transparent: true }),
      event('no', '16:00', '18:00', { response: 'declined' }),
      at('task', '18:00', '19:00'),
    ])
    expect([...hours]).toEqual([[day, 3]])
  })
  it('are split at midnight', () => {
    const night = { ...timed('n', '2026-07-13T22:00:00', '2026-07-14T03:00:00'), event: {} as CalendarItem }
    expect([...busyHours([night])]).toEqual([
      [day, 2],
      [day + dayMs, 3],
    ])
    expect([0, 0.5, 2, 3, 6, 9].map(heatOf)).toEqual([0, 1, 1, 2, 3, 4])
  })
})

describe('another time zone next to the hours', () => {
  it('is counted for each day, because clocks change on different days', () => {
    const ahead = (zone: string): number[] =>
      ['2026-03-07', '2026-03-08', '2026-03-28', '2026-03-29'].map((day) =>
        aheadOn(Date.parse(day), zone, 'Europe/Berlin'),
      )
    expect(ahead('America/New_York')).toEqual([-360, -300, -300, -360])
    expect(ahead('Asia/Tokyo')).toEqual([480, 480, 480, 420])
  })

  it('is shown as on most days', () => {
    const week = (first: string): number[] =>
      Array.from({ length: 7 }, (_, day) => Date.parse(first) + day * 86_400_000)
    const usual = (days: readonly number[], zone: string): string[] =>
      usualDays(days, [zone, 'Asia/Tokyo'], 'Europe/Berlin').map((day) => new Date(day).toISOString().slice(0, 10))
    expect(usual(week('2026-10-19'), 'America/New_York')).toEqual(
      week('2026-10-19')
        .slice(0, 6)
        .map((day) => new Date(day).toISOString().slice(0, 10)),
    )
    expect(usual(week('2026-10-25').slice(0, 4), 'America/New_York')).toHaveLength(4)
    const two = week('2026-10-24').slice(0, 2)
    expect(usual(two, 'America/New_York')).toEqual(['2026-10-24'])
  })
})
