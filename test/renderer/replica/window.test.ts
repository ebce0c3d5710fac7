import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { searchEvents } from '../../../src-renderer/replica/search'
import { behaviors } from '../../../src-renderer/behaviors'
import { itemsBetween } from '../../../src-renderer/behaviors/calendar-items'
import { Memory } from '../../../src-renderer/replica/memory'
import { storedRow } from '../../../src-renderer/replica/records'

const put = (memory: Memory, id: string, value: JsonObject, parent = 'cal'): void => {
  memory.setStored(
    recordKey('events', parent, id),
    storedRow(behaviors.of('events'), { collection: 'events', parent, id, value: { id, ...value } }),
  )
}
const timed = (start: string, end: string): JsonObject => ({
  start: { dateTime: start, timeZone: 'UTC' },
  end: { dateTime: end, timeZone: 'UTC' },
})
const days = (start: string, end: string): JsonObject => ({ start: { date: start }, end: { date: end } })
const read = (memory: Memory, from: string, to: string): string[] => {
  const [a, b] = [Date.parse(from), Date.parse(to)]
  return itemsBetween(memory, a, b, { from: a, to: b }).map((item) => item.title)
}

describe('the window of events', () => {
  it('finds events that overlap a range, once each, across months and years', () => {
    const memory = new Memory(behaviors)
    put(memory, 'a', { summary: 'in', ...timed('2026-03-10T09:00:00Z', '2026-03-10T10:00:00Z') })
    put(memory, 'b', { summary: 'over the end of the month', ...timed('2026-03-31T23:00:00Z', '2026-04-01T01:00:00Z') })
    put(memory, 'c', { summary: 'years', ...days('2020-01-01', '2030-01-01') })
    put(memory, 'd', { summary: 'ends where it begins', ...timed('2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z') })
    put(memory, 'e', { summary: 'before', ...timed('2026-02-28T23:00:00Z', '2026-03-01T00:00:00Z') })
    expect(read(memory, '2026-03-01', '2026-04-01').sort()).toEqual([
      'ends where it begins',
      'in',
      'over the end of the month',
      'years',
    ])
    expect(
      read(memory, '2026-02-01', '2026-05-01').filter((title) => title === 'over the end of the month'),
    ).toHaveLength(1)
    expect(read(memory, '2026-04-01', '2026-04-02')).toEqual(['years', 'over the end of the month'])
  })

  it("never shifts an all-day event by the view's time zone", () => {
    const memory = new Memory(behaviors)
    put(memory, 'a', { summary: 'holiday', ...days('2026-03-10', '2026-03-11') })
    const dayOf = (offset: number, date: string): number => Date.parse(date) - offset * 3_600_000
    for (const offset of [-11, 0, 14]) {
      const range = { from: Date.parse('2026-03-10'), to: Date.parse('2026-03-11') }
      expect(itemsBetween(memory, dayOf(offset, '2026-03-10'), dayOf(offset, '2026-03-11'), range)).toHaveLength(1)
      const next = { from: Date.parse('2026-03-11'), to: Date.parse('2026-03-12') }
      expect(itemsBetween(memory, dayOf(offset, '2026-03-11'), dayOf(offset, '2026-03-12'), next)).toHaveLength(0)
    }
  })

  it('draws a series with its exceptions: moved, edited, canceled, and late ones', () => {
    const memory = new Memory(behaviors)
    put(memory, 'm', {
      summary: 'Daily',
      recurrence: ['RRULE:FREQ=DAILY;COUNT=4'],
      ...timed('2026-03-10T09:00:00Z', '2026-03-10T10:00:00Z'),
    })
    expect(read(memory, '2026-03-01', '2026-04-01')).toHaveLength(4)
    put(memory, 'm_20260311T090000Z', {
      summary: 'Moved',
      recurringEventId: 'm',
      ...timed('2026-05-11T09:00:00Z', '2026-05-11T10:00:00Z'),
    })
    put(memory, 'm_20260312T090000Z', { status: 'cancelled', recurringEventId: 'm' })
    expect(read(memory, '2026-03-01', '2026-04-01')).toEqual(['Daily', 'Daily'])
    expect(read(memory, '2026-05-01', '2026-06-01')).toEqual(['Moved'])
    memory.setStored(recordKey('events', 'cal', 'm_20260312T090000Z'), null)
    expect(read(memory, '2026-03-01', '2026-04-01')).toEqual(['Daily', 'Daily', 'Daily'])
    memory.setStored(recordKey('events', 'cal', 'm'), null)
    expect(read(memory, '2026-03-01', '2026-04-01')).toEqual([])
  })

  it('shows an occurrence over the end of a month once', () => {
    const memory = new Memory(behaviors)
    put(memory, 'm', {
      summary: 'Night shift',
      recurrence: ['RRULE:FREQ=DAILY;COUNT=2'],
      ...timed('2026-03-31T23:00:00Z', '2026-04-01T01:00:00Z'),
    })
    expect(read(memory, '2026-03-01', '2026-05-01')).toHaveLength(2)
    expect(read(memory, '2026-04-01', '2026-05-01')).toHaveLength(2)
  })

  it('skips an event with an unreadable time but draws all others', () => {
    const memory = new Memory(behaviors)
    put(memory, 'a', {
      summary: 'broken rule',
      recurrence: ['RRULE:FREQ=SOMETIMES'],
      ...timed('2026-03-10T09:00:00Z', '2026-03-10T10:00:00Z'),
    })
    put(memory, 'b', { summary: 'broken time', start: { dateTime: 'soon' }, end: { dateTime: 'later' } })
    put(memory, 'c', { summary: 'fine', ...timed('2026-03-10T09:00:00Z', '2026-03-10T10:00:00Z') })
    expect(read(memory, '2026-03-01', '2026-04-01')).toEqual(['broken rule', 'fine'])
  })

  it('keeps the bodies of single events out of memory', () => {
    const memory = new Memory(behaviors)
    put(memory, 'a', { summary: 'single', ...timed('2026-03-10T09:00:00Z', '2026-03-10T10:00:00Z') })
    put(memory, 'm', {
      summary: 'Daily',
      recurrence: ['RRULE:FREQ=DAILY'],
      ...timed('2026-03-10T09:00:00Z', '2026-03-10T10:00:00Z'),
    })
    memory.letGo()
    expect([...memory.stored.keys()]).toEqual([recordKey('events', 'cal', 'm')])
    expect(read(memory, '2026-03-10', '2026-03-11').sort()).toEqual(['Daily', 'single'])
  })

  it('returns one month of 20,000 events and 300 series, in order', () => {
    const memory = new Memory(behaviors)
    for (let i = 0; i < 20_000; i++) {
      const start = Date.UTC(2026, 0, 1) + i * 1_576_800
      put(memory, `e${i}`, {
        summary: `Event ${i}`,
        ...timed(new Date(start).toISOString(), new Date(start + 3_600_000).toISOString()),
      })
    }
    for (let i = 0; i < 300; i++) {
      put(memory, `m${i}`, {
        summary: `Series ${i}`,
        recurrence: ['RRULE:FREQ=WEEKLY'],
        ...timed('2026-01-05T09:00:00Z', '2026-01-05T10:00:00Z'),
      })
    }
    memory.letGo()
    const range = [Date.UTC(2026, 5, 1), Date.UTC(2026, 6, 13)] as const
    const found = itemsBetween(memory, ...range, { from: range[0], to: range[1] })
    const single = found.filter(({ recurring }) => !recurring)
    const expected = Array.from({ length: 20_000 }, (_unused, i) => Date.UTC(2026, 0, 1) + i * 1_576_800).filter(
      (start) => start < range[1] && start + 3_600_000 > range[0],
    )
    expect(single.map(({ start }) => start)).toEqual(expected)
    expect(found.length - single.length).toBe(300 * 6)
    expect(found.every((item, index) => index === 0 || item.start >= found[index - 1]!.start)).toBe(true)
  })
})

describe('a series with an unsupported rule', () => {
  const tooOften = 'RRULE:FREQ=MINUTELY'
  const broken = { ...timed('2026-03-10T09:00:00Z', '2026-03-10T10:00:00Z'), summary: 'explodes' }

  it('is shown once, at its start', () => {
    const memory = new Memory(behaviors)
    put(memory, 'a', { ...broken, recurrence: [tooOften] })
    put(memory, 'b', { ...broken, summary: 'well', recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
    expect(read(memory, '2026-03-01', '2026-04-01').sort()).toEqual(['explodes', 'well', 'well'])
    expect(read(memory, '2026-04-01', '2026-05-01')).toEqual([])
    const [item] = searchEvents(memory, 'explodes', 8, 0)
    expect(item).toMatchObject({ eventId: 'a', rowKey: recordKey('events', 'cal', 'a'), recurring: true })
    expect(item).not.toHaveProperty('masterId')
  })
})

describe('a search', () => {
  const now = Date.parse('2026-03-10T12:00:00Z')
  const found = (memory: Memory, text: string): string[] =>
    searchEvents(memory, text, 8, now).map(
      ({ title, start }) => `${title} ${new Date(start).toISOString().slice(0, 10)}`,
    )

  it("shows a series as its next occurrence, or its last if it's over", () => {
    const memory = new Memory(behaviors)
    const at = timed('2026-01-05T09:00:00Z', '2026-01-05T10:00:00Z')
    put(memory, 'w', { ...at, summary: 'Choir weekly', recurrence: ['RRULE:FREQ=WEEKLY'] })
    put(memory, 'y', { ...at, summary: 'Choir yearly', recurrence: ['RRULE:FREQ=YEARLY'] })
    put(memory, 'o', { ...at, summary: 'Choir over', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] })
    expect(found(memory, 'choir')).toEqual([
      'Choir weekly 2026-03-16',
      'Choir yearly 2027-01-05',
      'Choir over 2026-01-19',
    ])
  })

  it('skips canceled occurrences and returns a moved one and its series as one result', () => {
    const memory = new Memory(behaviors)
    const at = timed('2026-01-05T09:00:00Z', '2026-01-05T10:00:00Z')
    put(memory, 'w', { ...at, summary: 'Choir', recurrence: ['RRULE:FREQ=WEEKLY'] })
    expect(found(memory, 'choir')).toEqual(['Choir 2026-03-16'])
    put(memory, 'w_20260316T090000Z', {
      status: 'cancelled',
      recurringEventId: 'w',
      originalStartTime: timed('2026-03-16T09:00:00Z', '').start,
    })
    expect(found(memory, 'choir')).toEqual(['Choir 2026-03-23'])
    put(memory, 'w_20260323T090000Z', {
      summary: 'Choir',
      recurringEventId: 'w',
      originalStartTime: timed('2026-03-23T09:00:00Z', '').start,
      ...timed('2026-03-25T09:00:00Z', '2026-03-25T10:00:00Z'),
    })
    expect(found(memory, 'choir')).toEqual(['Choir 2026-03-25'])
  })

  it('finds matches despite a typo, also among 20,000 events', () => {
    const memory = new Memory(behaviors)
    for (let i = 0; i < 20_000; i++) {
      const start = Date.UTC(2026, 0, 1) + i * 1_576_800
      put(memory, `e${i}`, {
        summary: i % 50 === 0 ? `Dentist ${i}` : `Event ${i}`,
        description: 'A text of some length that is looked through as well, as people write it. '.repeat(3),
        ...timed(new Date(start).toISOString(), new Date(start + 3_600_000).toISOString()),
      })
    }
    memory.letGo()
    expect(found(memory, 'dentist')).toHaveLength(8)
    expect(found(memory, 'dentsit')).toEqual(found(memory, 'dentist'))
  })
})
