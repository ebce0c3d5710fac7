import { describe, expect, it } from 'vitest'
import { freeGaps as gaps } from '#shared/domain/free-gaps'
import { usualHours, type DayHours, type WorkingHours } from '#shared/domain/working-hours'

const at = (text: string): number => Date.parse(`2026-06-${text}Z`)
const times = (gaps: { start: number; end: number }[]): string[] =>
  gaps.map(
    ({ start, end }) => `${new Date(start).toISOString().slice(8, 16)}-${new Date(end).toISOString().slice(11, 16)}`,
  )
const half = 30 * 60_000
const from8to18 = usualHours.map((hours): DayHours | null => hours && { from: 480, to: 1080 })
const freeGaps = (
  busy: { start: number; end: number }[],
  now: number,
  length: number,
  count: number,
  hours: WorkingHours = from8to18,
): { start: number; end: number }[] => gaps(busy, now, length, count, hours)

describe('free gaps', () => {
  it('are the next ones in working hours, one per half day', () => {
    expect(times(freeGaps([], at('10T08:05'), half, 3))).toEqual(['10T08:15-08:45', '10T12:00-12:30', '11T08:00-08:30'])
  })

  it('keep clear of what takes time', () => {
    const busy = [
      { start: at('10T13:00'), end: at('10T17:45') },
      { start: at('10T08:30'), end: at('10T12:50') },
    ]
    expect(times(freeGaps(busy, at('10T08:05'), half, 2))).toEqual(['11T08:00-08:30', '11T12:00-12:30'])
    expect(times(freeGaps(busy, at('10T08:05'), 15 * 60_000, 2))).toEqual(['10T08:15-08:30', '10T17:45-18:00'])
  })

  it('follow the hours of each weekday, also at night', () => {
    const late = Array.from({ length: 7 }, (_unused, day): DayHours | null =>
      day === 6 ? { from: 1080, to: 1440 } : null,
    )
    expect(times(freeGaps([], at('10T08:00'), half, 3, late))).toEqual([
      '13T18:00-18:30',
      '13T21:00-21:30',
      '20T18:00-18:30',
    ])
  })

  it('skip the weekend, and end after two weeks', () => {
    expect(times(freeGaps([], at('12T17:45'), half, 1))).toEqual(['15T08:00-08:30'])
    expect(times(freeGaps([], at('12T16:45'), half, 1, usualHours))).toEqual(['15T09:00-09:30'])
    expect(freeGaps([{ start: at('01T00:00'), end: at('30T00:00') }], at('10T08:00'), half, 3)).toEqual([])
  })
})
