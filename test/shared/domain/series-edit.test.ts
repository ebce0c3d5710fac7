import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import {
  deleteSeries,
  editSeries,
  lostOccurrences,
  occurrenceCounts,
  type SeriesChange,
  type SeriesContext,
} from '#shared/domain/series-edit'
import { applyPatch } from '#shared/mutation/fold'
import { occurrences, type Series } from '#shared/time/recurrence'
import type { JsonObject } from '#shared/json'

const zone = 'Europe/Berlin'
const master: JsonObject = {
  id: 'series',
  iCalUID: 'series@x',
  summary: 'Stand-up',
  start: { dateTime: '2026-03-23T09:00:00+01:00', timeZone: zone },
  end: { dateTime: '2026-03-23T09:30:00+01:00', timeZone: zone },
  recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=6'],
}
const at = (date: string, time: string, offset = '+02:00'): JsonObject => ({
  dateTime: `${date}T${time}:00${offset}`,
  timeZone: zone,
})
const key = (id: string): string => recordKey('events', 'cal', id)

const context = (eventId: string, exceptions: SeriesContext['exceptions'] = [], value = master): SeriesContext => ({
  calendarId: 'cal',
  masterId: 'series',
  master: value,
  exceptions,
  eventId,
  newId: () => 'newseries',
})

const starts = (event: JsonObject): string[] =>
  occurrences(event as unknown as Series, Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)).map((one) =>
    new Date(one.start).toISOString().slice(0, 16),
  )
const patched = (changes: SeriesChange[], id = 'series'): JsonObject => {
  const change = changes.find((one) => one.kind === 'change' && one.key === key(id))
  return applyPatch(master, (change as { patch: JsonObject }).patch)
}
const created = (changes: SeriesChange[]): JsonObject =>
  (changes.find((one) => one.kind === 'create') as { value: JsonObject }).value

/** Occurrences: 23, 25 March (UTC+1); 30 March, 1, 6, 8 April (UTC+2). */
const third = 'series_20260330T070000Z'

describe('an edit of one occurrence', () => {
  it('changes only the exception', () => {
    expect(editSeries(context(third), { summary: 'Once', recurrence: null }, 'this')).toEqual([
      { kind: 'change', key: key(third), patch: { summary: 'Once' } },
    ])
    expect(deleteSeries(context(third), 'this')).toEqual([{ kind: 'delete', key: key(third) }])
  })

  it('rejects an occurrence outside the series', () => {
    expect(() => editSeries(context('series_20260331T070000Z'), {}, 'all')).toThrow(RangeError)
  })
})

describe('an edit of an occurrence on the day of a clock change', () => {
  const series = (start: JsonObject, end: JsonObject): JsonObject => ({
    ...master,
    start,
    end,
    recurrence: ['RRULE:FREQ=DAILY;COUNT=4'],
  })
  const watch = series(at('2026-10-24', '02:00'), at('2026-10-24', '03:00'))
  const night = series(at('2026-10-23', '22:00'), at('2026-10-24', '06:00'))
  it.each([
    ['moved', watch, '20261025T000000Z', ['25T04:00', '25T05:00'], ['24T04:00', '24T05:00']],
    ['made longer', watch, '20261025T000000Z', ['25T01:00+02:00', '25T03:00'], ['24T01:00', '24T04:00']],
    ['moved into the night', night, '20261025T210000Z', ['24T22:00+02:00', '25T05:00'], ['22T22:00', '23T06:00']],
    ['a night that is moved', night, '20261024T200000Z', ['24T23:00+02:00', '25T06:00'], ['23T23:00', '24T07:00']],
  ] as const)('changes the length of all only by what its author changed: %s', (_, value, suffix, to, all) => {
    const time = (text: string, offset: string): JsonObject =>
      at(`2026-10-${text.slice(0, 2)}`, text.slice(3, 8), text.slice(8) || offset)
    const patch = { start: time(to[0], '+01:00'), end: time(to[1], '+01:00') }
    const changed = { start: time(all[0], '+02:00'), end: time(all[1], '+02:00') }
    const id = `series_${suffix}`
    expect(patched(editSeries(context(id, [], value), patch, 'all'))).toMatchObject(changed)
    expect(created(editSeries(context(id, [], value), patch, 'following'))).toMatchObject(patch)
  })
})

describe('an edit of this and following occurrences', () => {
  it('trims the series, starts a new one, and keeps every occurrence', () => {
    const changes = editSeries(context(third), { summary: 'New name' }, 'following')
    expect([...starts(patched(changes)), ...starts(created(changes))]).toEqual(starts(master))
    expect(created(changes)).toMatchObject({ summary: 'New name' })
    expect(created(changes)).not.toHaveProperty('iCalUID')
    expect(changes.find((change) => change.kind === 'create')).toMatchObject({ id: 'newseries', after: key('series') })
  })

  it('shifts weekdays when the time moves by a day', () => {
    const patch = { start: at('2026-03-31', '10:00'), end: at('2026-03-31', '10:30') }
    const changes = editSeries(context(third), patch, 'following')
    expect(starts(created(changes))).toEqual([
      '2026-03-31T08:00',
      '2026-04-02T08:00',
      '2026-04-07T08:00',
      '2026-04-09T08:00',
    ])
  })

  it('transfers exceptions to the new series: edits as changes, cancellations as EXDATE', () => {
    const exceptions = [
      { id: 'series_20260325T080000Z', value: { ...master, id: 'x', summary: 'Before the cut' } },
      {
        id: 'series_20260401T070000Z',
        value: { summary: 'Retro', start: at('2026-04-01', '09:00'), end: at('2026-04-01', '09:30') },
      },
      { id: 'series_20260406T070000Z', value: null },
    ]
    const changes = editSeries(
      context(third, exceptions),
      { start: at('2026-03-30', '11:00'), end: at('2026-03-30', '11:30') },
      'following',
    )
    expect(starts(created(changes))).toEqual(['2026-03-30T09:00', '2026-04-01T09:00', '2026-04-08T09:00'])
    expect(changes).toContainEqual({
      kind: 'change',
      key: key('newseries_20260401T090000Z'),
      patch: { summary: 'Retro' },
    })
    expect(changes[0]).toMatchObject({ hides: [key('series_20260401T070000Z'), key('series_20260406T070000Z')] })
  })

  it('edits the whole series when it starts at the first', () => {
    const changes = editSeries(context('series_20260323T080000Z'), { summary: 'All' }, 'following')
    expect(changes).toEqual([{ kind: 'change', key: key('series'), patch: { summary: 'All' } }])
    expect(deleteSeries(context('series_20260323T080000Z'), 'following')).toEqual([
      { kind: 'delete', key: key('series') },
    ])
  })

  it('deletes by trimming', () => {
    const [change] = deleteSeries(context(third), 'following')
    expect(starts(applyPatch(master, (change as { patch: JsonObject }).patch))).toEqual([
      '2026-03-23T08:00',
      '2026-03-25T08:00',
    ])
  })
})

describe('occurrences that a changed series has no place for', () => {
  const wednesday = 'series_20260401T070000Z'
  const edited = { ...master, id: wednesday, start: at('2026-04-01', '09:00'), end: at('2026-04-01', '09:30') }
  const exceptions = [
    { id: wednesday, value: { ...edited, description: 'Bring the plan' } },
    { id: 'series_20260406T070000Z', value: { ...master, summary: 'Retro' } },
    { id: 'series_20260408T070000Z', value: null },
  ]
  const mondays = { recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=6'] }
  const later = { start: at('2026-03-30', '10:00'), end: at('2026-03-30', '10:30') }
  const lost = (patch: JsonObject, scope: 'this' | 'following' | 'all', eventId = third): string[] =>
    lostOccurrences(context(eventId, exceptions), patch, scope).map(({ id }) => id)

  it.each([
    ['all', mondays],
    ['all', { ...mondays, ...later }],
    ['following', mondays],
    ['following', { ...mondays, ...later }],
  ] as const)('are named, and go in %s with %o', (scope, patch) => {
    expect(lost(patch, scope)).toEqual([wednesday])
    const changes = editSeries(context(third, exceptions), patch, scope)
    expect(changes[0]).toMatchObject({ hides: expect.arrayContaining([key(wednesday)]) })
    const day = (change: SeriesChange): string => ('key' in change ? change.key.slice(-16, -8) : '')
    expect(changes.map(day)).not.toContain('20260401')
    const target = scope === 'all' ? patched(changes) : created(changes)
    expect(JSON.stringify(target.recurrence)).not.toContain('EXDATE')
  })

  it('are all of a series that no longer repeats', () => {
    expect(lost({ recurrence: [] }, 'all')).toEqual([wednesday, 'series_20260406T070000Z'])
    const changes = editSeries(context(third, exceptions), { ...later, recurrence: [] }, 'following')
    expect(created(changes).recurrence).toEqual([])
    expect(changes).toHaveLength(2)
  })

  it('can be the one that is edited', () => {
    const patch = { ...mondays, location: 'Roof' }
    expect(lost(patch, 'all', wednesday)).toEqual([wednesday])
    expect(editSeries(context(wednesday, exceptions), patch, 'all')).toHaveLength(1)
  })

  it('are named if a rule with several places in a month stays although the series moves', () => {
    const value = { ...master, recurrence: ['RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE;BYSETPOS=1,10'] }
    const own = { id: wednesday, value: { ...edited, summary: 'Review' } }
    const moved = context('series_20260323T080000Z', [own], value)
    const patch = { start: at('2026-03-24', '09:00', '+01:00'), end: at('2026-03-24', '09:30', '+01:00') }
    expect(lostOccurrences(moved, patch, 'all')).toEqual([own])
    const [, reset, ...others] = editSeries(moved, patch, 'all')
    expect(reset).toMatchObject({ key: key(wednesday), patch: { summary: 'Stand-up' } })
    expect(others).toEqual([])
  })

  it('are none if each has a place, or only one occurrence changes', () => {
    expect(lost(later, 'all')).toEqual([])
    expect(lost({ summary: 'Other' }, 'following')).toEqual([])
    expect(lost(mondays, 'this')).toEqual([])
  })
})

describe('an edit of the whole series', () => {
  it.each([
    ['2026-04-29', '-2'],
    ['2026-04-27', '-4'],
    ['2026-05-01', '1'],
  ])('on the last day of the month moves that day with it: %s', (day, date) => {
    const value = {
      ...master,
      start: at('2026-03-31', '09:00'),
      end: at('2026-03-31', '09:30'),
      recurrence: ['RRULE:FREQ=MONTHLY;BYMONTHDAY=-1'],
    }
    const patch = { start: at(day, '09:00'), end: at(day, '09:30') }
    const moved = patched(editSeries(context('series_20260430T070000Z', [], value), patch, 'all'))
    expect(moved.recurrence).toEqual([`RRULE:FREQ=MONTHLY;BYMONTHDAY=${date}`])
  })

  it('moves it by wall-clock time, across clock changes', () => {
    const changes = editSeries(
      context(third),
      { start: at('2026-03-30', '14:00'), end: at('2026-03-30', '15:00') },
      'all',
    )
    const moved = patched(changes)
    expect(starts(moved)).toEqual([
      '2026-03-23T13:00',
      '2026-03-25T13:00',
      '2026-03-30T12:00',
      '2026-04-01T12:00',
      '2026-04-06T12:00',
      '2026-04-08T12:00',
    ])
    expect(moved.end).toEqual(at('2026-03-23', '15:00', '+01:00'))
  })

  it('keeps the last occurrence when a series with UNTIL moves later', () => {
    const value = { ...master, recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20260408T070000Z'] }
    const changes = editSeries(
      context(third, [], value),
      { start: at('2026-03-30', '14:00'), end: at('2026-03-30', '14:30') },
      'all',
    )
    expect(starts(applyPatch(value, (changes[0] as { patch: JsonObject }).patch))).toHaveLength(6)
  })

  it('transfers only the known part of an exception that a pending edit restores', () => {
    const exceptions = [{ id: 'series_20260406T070000Z', value: { status: 'confirmed', summary: 'Back again' } }]
    const changes = editSeries(context(third, exceptions), { summary: 'Later' }, 'following')
    const carried = changes.filter((one) => one.kind === 'change' && one.key !== key('series'))
    expect(carried).toEqual([
      { kind: 'change', key: key('newseries_20260406T070000Z'), patch: { summary: 'Back again' } },
    ])
  })

  it.each([
    ['tentative', 'confirmed'],
    ['confirmed', 'tentative'],
  ])('keeps an occurrence %s in a series that is %s', (mine, theirs) => {
    const exceptions = [{ id: 'series_20260406T070000Z', value: { ...master, status: mine } }]
    const value = { ...master, status: theirs }
    expect(editSeries(context(third, exceptions, value), { summary: 'Later' }, 'following')).toContainEqual({
      kind: 'change',
      key: key('newseries_20260406T070000Z'),
      patch: expect.objectContaining({ status: mine }),
    })
  })

  it('moves exceptions with their occurrences', () => {
    const exceptions = [
      {
        id: 'series_20260401T070000Z',
        value: { summary: 'Retro', start: at('2026-04-01', '16:00'), end: at('2026-04-01', '17:00') },
      },
      { id: 'series_20260406T070000Z', value: { status: 'cancelled' } },
    ]
    const changes = editSeries(
      context(third, exceptions),
      { start: at('2026-03-30', '10:00'), end: at('2026-03-30', '10:30') },
      'all',
    )
    expect(changes).toContainEqual({
      kind: 'change',
      key: key('series_20260401T080000Z'),
      patch: { summary: 'Retro', start: at('2026-04-01', '16:00'), end: at('2026-04-01', '17:00') },
    })
    expect(starts(patched(changes))).not.toContain('2026-04-06T08:00')
  })

  it('resets exceptions whose day is that of another occurrence after the move', () => {
    const daily = { ...master, recurrence: ['RRULE:FREQ=DAILY;COUNT=6'] }
    const times = (day: string, hour: string): JsonObject => ({
      start: at(day, `${hour}:00`),
      end: at(day, `${hour}:30`),
    })
    const exceptions = [
      { id: third, value: { ...daily, id: third, summary: 'Retro', ...times('2026-03-30', '09') } },
      { id: 'series_20260331T070000Z', value: { ...daily, ...times('2026-03-31', '15') } },
    ]
    const longer = { ...daily, recurrence: ['RRULE:FREQ=DAILY;COUNT=20'] }
    const [series, ...others] = editSeries(context(third, exceptions, longer), times('2026-03-31', '09'), 'all')
    expect(series).toMatchObject({ hides: [] })
    expect(others).toEqual([
      { kind: 'change', key: key('series_20260401T070000Z'), patch: times('2026-03-31', '15') },
      { kind: 'change', key: key(third), patch: { summary: 'Stand-up' } },
      {
        kind: 'change',
        key: key('series_20260331T070000Z'),
        patch: { summary: 'Retro', ...times('2026-03-31', '09') },
      },
    ])
  })

  it('keeps exceptions, deleted days, and the last day in another time zone', () => {
    const until = { ...master, recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20260408T215959Z'] }
    const second = 'series_20260325T080000Z'
    const own = {
      ...until,
      id: third,
      start: at('2026-03-30', '09:00'),
      end: at('2026-03-30', '09:30'),
      location: 'Roof',
    }
    const exceptions = [
      { id: third, value: own },
      { id: second, value: null },
    ]
    const inNewYork = (time: string): JsonObject => ({
      dateTime: `2026-03-23T${time}:00-04:00`,
      timeZone: 'America/New_York',
    })
    const patch = { start: inNewYork('09:00'), end: inNewYork('09:30') }
    const changes = editSeries(context('series_20260323T080000Z', exceptions, until), patch, 'all')
    const moved = applyPatch(until, (changes[0] as { patch: JsonObject }).patch)
    expect(starts(moved)).toEqual(
      ['2026-03-23', '2026-03-30', '2026-04-01', '2026-04-06', '2026-04-08'].map((day) => `${day}T13:00`),
    )
    expect(changes[1]).toEqual({ kind: 'change', key: key('series_20260330T130000Z'), patch: { location: 'Roof' } })
  })

  it('makes all occurrences longer by as much as a moved one', () => {
    const own = { ...master, id: third, start: at('2026-03-30', '15:00'), end: at('2026-03-30', '15:30') }
    const patch = { end: at('2026-03-30', '16:00') }
    const changes = editSeries(context(third, [{ id: third, value: own }]), patch, 'all')
    expect(patched(changes)).toMatchObject({ start: master.start, end: at('2026-03-23', '10:00', '+01:00') })
    expect(changes[1]).toEqual({ kind: 'change', key: key(third), patch })
    const split = editSeries(context(third, [{ id: third, value: own }]), patch, 'following')
    expect(created(split)).toMatchObject({ start: at('2026-03-30', '09:00'), end: at('2026-03-30', '10:00') })
    expect(split.at(-1)).toEqual({
      ...{ kind: 'change', key: key('newseries_20260330T070000Z') },
      patch: { start: own.start, end: patch.end },
    })
  })

  it('moves the end of an exception with the series, unless it starts at its own time', () => {
    const longer = { ...master, id: third, start: at('2026-03-30', '09:00'), end: at('2026-03-30', '10:30') }
    const earlier = 'series_20260401T070000Z'
    const early = { ...master, id: earlier, start: at('2026-04-01', '08:30'), end: at('2026-04-01', '09:30') }
    const exceptions = [
      { id: third, value: longer },
      { id: earlier, value: early },
    ]
    const patch = { start: at('2026-03-23', '11:00', '+01:00'), end: at('2026-03-23', '11:30', '+01:00') }
    const changes = editSeries(context('series_20260323T080000Z', exceptions), patch, 'all')
    expect(changes.slice(1)).toEqual([
      { kind: 'change', key: key('series_20260330T090000Z'), patch: { end: at('2026-03-30', '12:30') } },
      { kind: 'change', key: key('series_20260401T090000Z'), patch: { start: early.start, end: early.end } },
    ])
  })

  it('takes a new rule for the day of the occurrence in which it was chosen', () => {
    const wednesday = 'series_20260401T070000Z'
    const chosen = (id: string, rule: string): string[] =>
      starts(patched(editSeries(context(id), { recurrence: [`RRULE:${rule}`] }, 'all')))
    expect(chosen(wednesday, 'FREQ=WEEKLY;COUNT=2')).toEqual(['2026-03-25T08:00', '2026-04-01T07:00'])
    expect(chosen(wednesday, 'FREQ=WEEKLY;INTERVAL=2;COUNT=2')).toEqual(['2026-04-01T07:00', '2026-04-15T07:00'])
    expect(chosen(wednesday, 'FREQ=MONTHLY;COUNT=2')).toEqual(['2026-04-01T07:00', '2026-05-01T07:00'])
    expect(chosen(wednesday, 'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=1')).toEqual(['2026-03-23T08:00'])
    const moved = editSeries(
      context(wednesday),
      { start: at('2026-04-01', '11:00'), end: at('2026-04-01', '11:30'), recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'] },
      'all',
    )
    expect(starts(patched(moved))).toEqual(['2026-03-25T10:00', '2026-04-01T09:00'])
  })

  it.each([
    // The day before the fifth Friday is the fourth Thursday here, but was the fifth one at first.
    ['MONTHLY;BYDAY=5FR', '01-30', '05-29', '05-28', ['01-22', '02-26', '03-26', '04-23', '05-28']],
    ['MONTHLY;BYDAY=3FR', '01-16', '05-15', '05-14', ['01-08', '02-12', '03-12', '04-09', '05-14']],
    ['MONTHLY;INTERVAL=2;BYDAY=1SU', '02-01', '04-05', '04-06', ['02-02', '04-06', '06-01', '08-03', '10-05']],
    ['MONTHLY;BYDAY=1SU', '02-01', '03-01', '02-28', ['01-31', '02-28', '03-28', '04-25', '05-30']],
    ['MONTHLY;BYDAY=4FR', '01-23', '08-28', '08-29', ['01-31', '02-28', '03-28', '04-25', '05-30']],
    ['MONTHLY;BYDAY=5FR', '01-30', '05-29', '05-30', ['01-31', '05-30', '08-29', '10-31']],
    ['MONTHLY;BYMONTHDAY=1', '03-01', '04-01', '03-31', ['02-28', '03-31', '04-30', '05-31', '06-30']],
    ['MONTHLY;BYMONTHDAY=1', '03-01', '04-01', '03-01', ['02-01', '03-01', '04-01', '05-01', '06-01']],
    ['MONTHLY;BYMONTHDAY=-20', '03-12', '04-11', '03-11', ['02-11', '03-11', '04-11', '05-11', '06-11']],
    ['MONTHLY;BYMONTHDAY=14,17', '03-14', '04-17', '04-15', ['03-12', '03-15', '04-12', '04-15', '05-12']],
    ['MONTHLY;BYDAY=TH;BYSETPOS=-1', '05-28', '08-27', '08-26', ['05-27', '06-24', '07-29', '08-26', '09-30']],
    ['MONTHLY;BYMONTHDAY=15,30', '01-15', '04-30', '04-29', ['01-14', '01-29', '02-14', '03-14', '03-29']],
    ['MONTHLY;BYMONTHDAY=1,15', '01-15', '04-01', '03-31', ['01-14', '01-31', '02-14', '02-28', '03-14']],
    ['MONTHLY;BYMONTHDAY=15,-1', '01-15', '01-31', '02-01', ['01-16', '02-01', '02-16', '03-01', '03-16']],
    ['MONTHLY;BYDAY=1MO,3MO', '01-05', '02-16', '02-17', ['01-06', '01-20', '02-03', '02-17', '03-03']],
    ['MONTHLY;BYMONTHDAY=31;COUNT=3', '01-31', '05-31', '05-30', ['01-30', '03-30', '04-30', '05-30']],
    ['MONTHLY;BYDAY=5FR;COUNT=2', '01-30', '05-29', '05-28', ['01-22', '02-26', '03-26', '04-23', '05-28']],
    ['MONTHLY;COUNT=2', '01-31', '03-31', '04-01', ['02-01', '03-01', '04-01']],
    ['YEARLY;BYMONTH=1,4,7;BYMONTHDAY=1', '01-01', '04-01', '04-30', ['01-30', '04-30', '07-30']],
    ['YEARLY;BYMONTH=3,5,7;BYMONTHDAY=1', '03-01', '05-01', '04-30', ['02-28', '04-30', '06-30']],
    ['MONTHLY', '02-01', '03-01', '02-28', ['01-28', '02-28', '03-28', '04-28', '05-28']],
    ['MONTHLY;BYDAY=3FR', '01-16', '02-20', '02-19', ['01-15', '02-19', '03-19', '04-16', '05-21']],
  ] as const)('moves %s from %s so that %s is on %s', (rule, first, shown, to, all) => {
    const day = (date: string, days = 0): JsonObject => ({
      date: new Date(Date.parse(`2026-${date}`) + days * 86_400_000).toISOString().slice(0, 10),
    })
    const value = { ...master, start: day(first), end: day(first, 1), recurrence: [`RRULE:FREQ=${rule}`] }
    const changes = editSeries(
      context(`series_2026${shown.replace('-', '')}`, [], value),
      { start: day(to), end: day(to, 1) },
      'all',
    )
    const moved = patched(changes)
    expect(
      starts(moved)
        .slice(0, 5)
        .map((start) => start.slice(5, 10)),
    ).toEqual(all)
    expect(moved['start']).toEqual(day(all[0]))
  })

  it.each(['YEARLY', 'YEARLY;BYMONTH=2;BYMONTHDAY=28', 'YEARLY;BYMONTH=2;COUNT=9'])(
    'moves %s to 29 February and keeps it in every year',
    (rule) => {
      const value = {
        ...master,
        start: { date: '2026-02-28' },
        end: { date: '2026-03-01' },
        recurrence: [`RRULE:FREQ=${rule}`],
      }
      const patch = { start: { date: '2028-02-29' }, end: { date: '2028-03-01' } }
      const moved = patched(editSeries(context('series_20280228', [], value), patch, 'all'))
      const all = occurrences(moved as unknown as Series, Date.UTC(2026), Date.UTC(2029))
      expect(all.map((one) => one.originalStart.date)).toEqual(['2026-02-28', '2027-02-28', '2028-02-29'])
    },
  )

  it.each([
    ['MONTHLY;BYMONTHDAY=31;COUNT=5', '01-31', '01-30'],
    ['MONTHLY;BYMONTHDAY=30;COUNT=7', '01-30', '01-31'],
    ['MONTHLY;BYMONTHDAY=15,30;COUNT=5', '01-15', '01-10'],
    ['MONTHLY;BYDAY=1MO,3MO;COUNT=4', '01-05', '01-06'],
    ['MONTHLY;BYDAY=-1FR;COUNT=3', '01-30', '01-29'],
    ['MONTHLY;COUNT=5', '01-28', '01-31'],
  ])('moves %s from %s to %s and back to the same days', (rule, first, to) => {
    const day = (date: string): JsonObject => ({
      start: { date: `2026-${date}` },
      end: { date: new Date(Date.parse(`2026-${date}`) + 86_400_000).toISOString().slice(0, 10) },
    })
    const move = (value: JsonObject, from: string, date: string): JsonObject => {
      const [change] = editSeries(context(`series_2026${from.replace('-', '')}`, [], value), day(date), 'all')
      return applyPatch(value, (change as { patch: JsonObject }).patch)
    }
    const value = { ...master, ...day(first), recurrence: [`RRULE:FREQ=${rule}`] }
    expect(starts(move(move(value, first, to), to, first))).toEqual(starts(value))
  })

  it('continues a counted series until its last day moves', () => {
    const value = {
      ...master,
      start: { date: '2026-01-31' },
      end: { date: '2026-02-01' },
      recurrence: ['RRULE:FREQ=MONTHLY;COUNT=5'],
    }
    const patch = { start: { date: '2026-06-01' }, end: { date: '2026-06-02' } }
    const next = created(editSeries(context('series_20260531', [], value), patch, 'following'))
    expect(starts(next).map((start) => start.slice(5, 10))).toEqual(['06-01', '07-01', '08-01', '09-01'])
  })

  it('makes a timed series all-day and keeps its days', () => {
    const patch = { start: { date: '2026-03-30' }, end: { date: '2026-03-31' } }
    const moved = patched(editSeries(context(third), patch, 'all'))
    expect(moved).toMatchObject({ start: { date: '2026-03-23' }, end: { date: '2026-03-24' } })
    expect(starts(moved).map((start) => start.slice(0, 10))).toEqual(starts(master).map((start) => start.slice(0, 10)))
  })

  it('leaves times alone when only text changes', () => {
    expect(editSeries(context(third), { location: 'Room 1' }, 'all')).toEqual([
      { kind: 'change', key: key('series'), patch: { location: 'Room 1' } },
    ])
  })

  it('counts the affected events per scope', () => {
    expect(occurrenceCounts(context(third))).toEqual({ this: 1, following: 4, all: 6 })
    const long = { ...master, recurrence: ['RRULE:FREQ=DAILY;COUNT=12000'] }
    expect(occurrenceCounts(context(third, [], long))).toMatchObject({ all: 12_000 })
    const endless = { ...master, recurrence: ['RRULE:FREQ=DAILY'] }
    expect(occurrenceCounts(context(third, [], endless))).toEqual({ this: 1, following: undefined, all: undefined })
  })
})
