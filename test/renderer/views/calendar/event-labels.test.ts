import { describe, expect, it } from 'vitest'
import type { CalendarItem, Row } from '../../../../src-renderer/replica/api'
import { isHtml, textHtml } from '../../../../src-renderer/views/calendar/description'
import { addGuests, countGuests, guestName, parseGuests } from '../../../../src-renderer/views/calendar/guests'
import { byPlace, eventEntry, taskEntry } from '../../../../src-renderer/views/calendar/layout/entry'
import {
  aheadWords,
  dayTimeWords,
  distanceWords,
  dueWords,
  entryName,
  reminderWhen,
} from '../../../../src-renderer/views/calendar/event-labels'
import { someItem } from '../../../helpers/some-item'

const context = { hour12: false, thisYear: 2026 }
const entry = (more: Partial<CalendarItem> = {}) => eventEntry(someItem(more), (instant) => instant)

describe('a description', () => {
  it('is checked for HTML in linear time', () => {
    for (const part of ['<a ', '<', '</', '<b<', '<a href="', 'http://', 'https://a.', '<!--'])
      expect([isHtml(part.repeat(300_000)), textHtml(part.repeat(300_000)).length > 0]).toEqual([false, true])
    expect(isHtml(`<a href="https://a.example/${'x'.repeat(5_000)}">`)).toBe(true)
  })
})

describe("an event's label", () => {
  it('has title, time, calendar, and state', () => {
    expect(entryName(entry(), 'Team', 0, context)).toBe('Stand-up, Tuesday 14 July, 14:00 to 14:30, Team, Synced')
  })
  it('has response, recurrence, overlaps, and pending state', () => {
    const name = entryName(
      entry({ response: 'tentative', recurring: true, mark: 'local', transparent: true }),
      'Team',
      2,
      context,
    )
    expect(name).toBe(
      'Stand-up, Tuesday 14 July, 14:00 to 14:30, Team, repeats, replied maybe, shown as free, overlaps 2 other entries, Pending',
    )
  })
  it('names an event without a title', () => {
    expect(entryName(entry({ title: '  ', mark: 'needsYou' }), 'Team', 1, context)).toMatch(
      /^\(No title\), .*overlaps 1 other entry, Needs attention$/,
    )
  })
  it('identifies a task', () => {
    const row: Row = {
      key: 't',
      collection: 'tasks',
      parent: 'l',
      id: 't',
      value: { title: 'Send tags', due: '2026-07-14T00:00:00.000Z', status: 'completed' },
      base: null,
      complete: true,
      mark: 'sending',
      remoteSeq: 0,
    }
    expect(entryName(taskEntry(row)!, 'Tasks', 0, context)).toBe(
      'Completed task, Send tags, Tuesday 14 July, all day, Tasks, Sending…',
    )
    const timed = taskEntry({ ...row, value: { ...row.value, status: 'needsAction', notes: 'at 15:00 · #work' } })!
    expect(entryName(timed, 'Tasks', 0, context)).toContain('due at 15:00')
    expect(dueWords(timed, Date.UTC(2026, 6, 15), context)).toBe('Due Tuesday 14 July, 15:00 · 1 day late')
    const others = ['at 09:30', 'Look at 07:00', ''].map((notes) =>
      taskEntry({ ...row, value: { ...row.value, notes } })!,
    )
    expect([timed, ...others].sort(byPlace).map(({ dueTime }) => dueTime)).toEqual([570, 900, undefined, undefined])
  })
  it('says which day of a longer event it is', () => {
    const night = entry({ start: Date.UTC(2026, 6, 14, 22), end: Date.UTC(2026, 6, 16, 7) })
    const days = [14, 15, 16].map((date) => dayTimeWords(night, Date.UTC(2026, 6, date), context))
    expect(days).toEqual(['from 22:00', 'all day', 'until 07:00'])
  })
})

describe('guests', () => {
  it('parse from addresses, names, and lists', () => {
    const { guests, unread } = parseGuests('mina@a.example, "Jo K" <Jo@B.example>; nobody')
    expect(guests.map((guest) => [guest.email, guest.displayName])).toEqual([
      ['mina@a.example', undefined],
      ['jo@b.example', 'Jo K'],
    ])
    expect(unread).toEqual(['nobody'])
  })
  it('are added only once', () => {
    expect(
      addGuests(
        [{ email: 'Mina@a.example' }],
        [{ email: 'mina@a.example' }, { email: 'jo@b.example' }, { email: 'jo@b.example' }],
      ),
    ).toHaveLength(2)
  })
  it('have a name, and are “You” by flag or by address', () => {
    const own = 'Me@a.example'
    expect(guestName({ self: true, email: 'me@b.example', displayName: 'Me' }, own)).toBe('You')
    expect(guestName({ email: 'me@a.example' }, own)).toBe('You')
    expect(guestName({ email: 'jo@a.example' }, own, 'Jo')).toBe('Jo')
    expect(guestName({}, '')).toBe('Unknown guest')
  })
  it("get an email if they're someone else and haven't declined", () => {
    expect(
      countGuests({
        attendees: [
          { email: 'me@a.example', self: true },
          { email: 'a@a.example' },
          { email: 'b@a.example', responseStatus: 'declined' },
          { email: 'room@a.example', resource: true },
        ],
      }),
    ).toBe(1)
  })
})

describe('descriptions', () => {
  it('escape plain text and link its addresses', () => {
    expect(textHtml('a < b & https://x.example/p?q=1. "ok"')).toBe(
      'a &lt; b &amp; <a href="https://x.example/p?q=1">https://x.example/p?q=1</a>. &quot;ok&quot;',
    )
  })
  it('count as HTML only with real markup', () => {
    expect(isHtml('a<br>b')).toBe(true)
    expect(isHtml('if a < b and c > d')).toBe(false)
  })
})

describe('a reminder of an all-day event', () => {
  const day = Date.UTC(2026, 6, 14)
  it.each([
    [0, 'Tue 14 Jul 09:00, in the morning'],
    [10, 'Tue 14 Jul 09:00, in the morning'],
    [15 * 60, 'Mon 13 Jul 09:00, the morning before'],
    [10 * 60, 'Mon 13 Jul 14:00, the afternoon before'],
    [1440, 'Mon 13 Jul 17:00, the evening before'],
    [1440 + 360, 'Sun 12 Jul 18:00, 2 days before, in the evening'],
    [7 * 1440, 'Tue 7 Jul 17:00, 7 days before, in the evening'],
  ])('of %i minutes doesn’t ring at night', (minutes, words) => {
    expect(reminderWhen(day, minutes, context)).toBe(words)
  })
  it.each([
    [0, 'Tue 14 Jul 00:00, at the start of the day'],
    [10, 'Mon 13 Jul 23:50, the evening before'],
    [7 * 1440, 'Tue 7 Jul 00:00, 7 days before, at night'],
  ])('by email %i minutes before its midnight comes at that time', (minutes, words) => {
    expect(reminderWhen(day, minutes, context, 'email')).toBe(words)
  })
})

describe('how far an event is from now', () => {
  const hour = 3_600_000
  const today = Date.UTC(2026, 5, 10)
  const now = today + 12 * hour
  const words = (from: number, to: number, allDay = false): string => {
    const [start, end] = [today + from * hour, today + to * hour]
    const lastDay = Math.floor((end - 1) / (24 * hour)) * 24 * hour
    return distanceWords({ start, end, allDay, lastDay }, now)
  }
  it.each([
    [11, 13, 'Now, 1 h left'],
    [12.5, 13, 'In 30 min'],
    [9, 10, 'Earlier today'],
    [33, 34, 'Tomorrow'],
    [-14, -13, 'Yesterday'],
    [57, 58, 'In 2 days'],
    [-62, -61, '3 days ago'],
    [-30, 40, 'Now, 28 h left'],
  ])('of %s to %s h is “%s” at noon', (from, to, said) => {
    expect(words(from, to)).toBe(said)
  })
  it('counts days of an all-day event', () => {
    expect(words(-24, 48, true)).toBe('Today')
    expect(words(24, 48, true)).toBe('Tomorrow')
    expect(words(-48, -24, true)).toBe('2 days ago')
  })
})

describe('aheadWords', () => {
  it('says how far another city is ahead on a day', () => {
    expect(aheadWords('New York', -300)).toBe('New York is 5 h behind on this day')
    expect(aheadWords('Delhi', 210)).toBe('Delhi is 3 h 30 min ahead on this day')
    expect(aheadWords('Madrid', 0)).toBe('No time difference with Madrid on this day')
  })
})
