import { describe, expect, it } from 'vitest'
import type { EventTime } from '#shared/time/event-time'
import {
  formOf,
  lineOf,
  presetOf,
  presets,
  previewDates,
  recurrenceWords,
  type RuleForm,
  withPart,
} from '../../../../src-renderer/views/calendar/recurrence-form'

const zone = 'Europe/Berlin'
const start = { dateTime: '2026-07-14T09:30:00+02:00', timeZone: zone } // the second Tuesday
const end = { dateTime: '2026-07-14T10:00:00+02:00', timeZone: zone }
const last = { dateTime: '2026-07-31T09:30:00+02:00', timeZone: zone } // the fifth and last Friday
const allDay = { date: '2026-07-14' }

describe('the recurrence form', () => {
  it('skips the weeks that the calendar shows', () => {
    const line = (rule: string, part: Partial<RuleForm>, weekStart: number): string =>
      lineOf(withPart(formOf([rule], start)!, part, weekStart), start)
    const weekly = 'RRULE:FREQ=WEEKLY;BYDAY=SU,MO'
    expect(line(weekly, { interval: 2 }, 0)).toBe('RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU')
    expect(line(weekly, { interval: 2 }, 1)).toBe('RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU')
    expect(line(`${weekly};INTERVAL=2`, { interval: 3 }, 0)).toBe('RRULE:FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,SU')
  })
  it.each([
    ['RRULE:FREQ=DAILY', 'daily', 'every day'],
    ['RRULE:FREQ=WEEKLY', 'weekly', 'every week on Tuesday'],
    ['RRULE:FREQ=WEEKLY;BYDAY=TU', 'weekly', 'every week on Tuesday'],
    ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'weekdays', 'every weekday'],
    ['RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH', 'custom', 'every 2 weeks on Tuesday and Thursday'],
    ['RRULE:FREQ=WEEKLY;BYDAY=SU,SA', 'custom', 'every week on Saturday and Sunday'],
    ['RRULE:FREQ=MONTHLY', 'monthly', 'every month on day 14'],
    ['RRULE:FREQ=MONTHLY;BYDAY=2TU', 'nth', 'every month on the second Tuesday'],
    ['RRULE:FREQ=YEARLY', 'yearly', 'every year on 14 July'],
    ['RRULE:FREQ=DAILY;COUNT=10', 'custom', 'every day, 10 times'],
    ['RRULE:FREQ=WEEKLY;UNTIL=20260731T215959Z', 'custom', 'every week on Tuesday, until Fri 31 Jul 2026'],
  ])('%s', (line, preset, words) => {
    expect(presetOf([line], start)).toBe(preset)
    expect(recurrenceWords([line], start)).toBe(words)
    const form = formOf([line], start)!
    expect(formOf([lineOf(form, start)], start)).toEqual(form)
  })
  it.each(['RDATE:20260801T073000Z', 'EXRULE:FREQ=WEEKLY;INTERVAL=2'])("can't edit a rule with %s", (more) => {
    expect(formOf(['RRULE:FREQ=WEEKLY', more], start)).toBeNull()
    expect(formOf(['RRULE:FREQ=WEEKLY', 'EXDATE:20260721T073000Z'], start)).not.toBeNull()
  })
  it("doesn't repeat without rules", () => {
    expect(presetOf(undefined, start)).toBe('none')
    expect(presetOf([], start)).toBe('none')
  })
  it.each([
    ['RRULE:FREQ=MONTHLY;BYDAY=1MO', 'every month on the first Monday'],
    ['RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=3', 'every month on day 1 and day 15, 3 times'],
    ['RRULE:FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU', 'custom recurrence'],
    ['RRULE:FREQ=HOURLY', 'custom recurrence'],
    ['RRULE:FREQ=YEARLY;BYWEEKNO=20', 'custom recurrence'],
  ])("keeps %s, which it can't edit, and describes it", (line, words) => {
    expect(formOf([line], start)).toBeNull()
    expect(presetOf([line], start)).toBe('custom')
    expect(recurrenceWords([line], start)).toBe(words)
  })
  it('keeps the week start that every second week depends on', () => {
    const line = 'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU'
    const form = formOf([line], start)!
    expect(lineOf(form, start)).toBe(line)
    expect(lineOf({ ...form, end: { kind: 'count', count: 4 } }, start)).toBe(`${line};COUNT=4`)
    expect(presetOf(['RRULE:FREQ=WEEKLY;WKST=MO'], start)).toBe('weekly')
  })
  it("doesn't add a day when a rule ends before its time of day", () => {
    const form = formOf(['RRULE:FREQ=DAILY;UNTIL=20260731T000000Z'], start)!
    expect(form.end).toEqual({ kind: 'until', day: Date.UTC(2026, 6, 30) })
    expect(lineOf(form, start)).toBe('RRULE:FREQ=DAILY;UNTIL=20260730T215959Z')
  })
  it('offers a fifth weekday as the last', () => {
    const nth = presets(last).find((preset) => preset.value === 'nth')!
    expect(nth.label).toBe('Every month on the last Friday')
    expect(lineOf(nth.form!, last)).toBe('RRULE:FREQ=MONTHLY;BYDAY=-1FR')
  })
  it("ends UNTIL on its day in the series' time zone, or on a date for all-day ones", () => {
    const form = {
      ...formOf(['RRULE:FREQ=DAILY'], start)!,
      end: { kind: 'until' as const, day: Date.UTC(2026, 6, 31) },
    }
    expect(lineOf(form, start)).toBe('RRULE:FREQ=DAILY;UNTIL=20260731T215959Z')
    expect(lineOf(form, allDay)).toBe('RRULE:FREQ=DAILY;UNTIL=20260731')
    expect(formOf(['RRULE:FREQ=DAILY;UNTIL=20260731'], allDay)!.end).toEqual({
      kind: 'until',
      day: Date.UTC(2026, 6, 31),
    })
  })
})

describe('the preview of next dates', () => {
  const text = (wall: number): string => new Date(wall).toISOString().slice(0, 16)

  it("shows each date's offset across a clock change", () => {
    const dates = previewDates(
      {
        start: { dateTime: '2026-10-20T09:30:00+02:00', timeZone: zone },
        end: { dateTime: '2026-10-20T10:00:00+02:00', timeZone: zone },
        recurrence: ['RRULE:FREQ=WEEKLY'],
      },
      3,
      text,
    )
    expect(dates.map(({ text, offset }) => `${text} ${offset}`)).toEqual([
      '2026-10-20T09:30 +02:00',
      '2026-10-27T09:30 +01:00',
      '2026-11-03T09:30 +01:00',
    ])
  })
  it('shows no offset while it stays the same', () => {
    const series = {
      start: { dateTime: '2026-07-14T09:30:00+02:00', timeZone: zone },
      end: { dateTime: '2026-07-14T10:00:00+02:00', timeZone: zone },
      recurrence: ['RRULE:FREQ=WEEKLY'],
    }
    expect(previewDates(series, 3, text).map(({ offset }) => offset)).toEqual(['', '', ''])
  })
  it("marks the day whose local time doesn't exist", () => {
    const dates = previewDates(
      {
        start: { dateTime: '2026-03-27T02:30:00+01:00', timeZone: zone },
        end: { dateTime: '2026-03-27T02:45:00+01:00', timeZone: zone },
        recurrence: ['RRULE:FREQ=DAILY'],
      },
      4,
      text,
    )
    expect(dates.map(({ text, skipped }) => `${text}${skipped ? ' skipped' : ''}`)).toEqual([
      '2026-03-27T02:30',
      '2026-03-28T02:30',
      '2026-03-29T02:30 skipped',
      '2026-03-30T02:30',
    ])
  })
  it('marks a start that the rule leaves out, but not one that was deleted', () => {
    const series = {
      start: { dateTime: '2026-07-15T09:30:00+02:00', timeZone: zone },
      end: { dateTime: '2026-07-15T10:00:00+02:00', timeZone: zone },
    }
    const skips = (recurrence: string[], days: { start: EventTime; end: EventTime } = series) =>
      previewDates({ ...days, recurrence }, 2, text).map(({ text, skipped }) => [text.slice(0, 10), skipped])
    const wanted = [
      ['2026-07-15', 'start'],
      ['2026-07-20', undefined],
    ]
    expect(skips(['RRULE:FREQ=WEEKLY;BYDAY=MO'])).toEqual(wanted)
    const days = { start: { date: '2026-07-15' }, end: { date: '2026-07-16' } }
    expect(skips(['RRULE:FREQ=WEEKLY;BYDAY=MO'], days)).toEqual(wanted)
    expect(skips(['RRULE:FREQ=DAILY', 'EXDATE;TZID=Europe/Berlin:20260715T093000'])[0]).toEqual([
      '2026-07-16',
      undefined,
    ])
  })
  it('ends with the series', () => {
    expect(previewDates({ start, end, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }, 6, text)).toHaveLength(2)
  })
  it('shows no offset for all-day dates', () => {
    expect(
      previewDates({ start: allDay, end: { date: '2026-07-15' }, recurrence: ['RRULE:FREQ=DAILY'] }, 1, text),
    ).toMatchObject([{ text: '2026-07-14T00:00', offset: '' }])
  })
})
