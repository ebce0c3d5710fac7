import { describe, expect, it } from 'vitest'
import {
  clampedDay,
  extentOf,
  fitOf,
  narrowestDay,
  wallAt,
  widestDay,
  widthOf,
  xOf,
} from '../../../../../src-renderer/views/campaigns/timeline/scale'

const dayMs = 86_400_000
const day = (text: string): number => Date.parse(text)
const span = (start: string, end: string): { start: number; end: number } => ({ start: day(start), end: day(end) })
const text = (wall: number): string => new Date(wall).toISOString().slice(0, 10)
const today = day('2026-06-10')

describe('days and pixels', () => {
  const scale = { first: day('2026-01-01'), last: day('2027-01-01'), perDay: 3 }
  it('convert both ways', () => {
    expect(xOf(scale, scale.first)).toBe(0)
    expect(xOf(scale, day('2026-01-11'))).toBe(30)
    expect(text(wallAt(scale, 30))).toBe('2026-01-11')
    expect(wallAt(scale, xOf(scale, today + 5 * 3_600_000))).toBe(today + 5 * 3_600_000)
    expect(widthOf(scale)).toBe(365 * 3)
  })

  it('keep the width of a day within limits', () => {
    expect([clampedDay(0.01), clampedDay(12), clampedDay(900)]).toEqual([narrowestDay, 12, widestDay])
  })
})

describe('the extent of the axis', () => {
  const extent = (flights?: ReturnType<typeof span>, minDays = 0): string[] => {
    const { first, last } = extentOf(flights, today, minDays)
    return [text(first), text(last)]
  }
  it('is whole years with a quarter to spare at either end', () => {
    expect(extent()).toEqual(['2026-01-01', '2027-01-01'])
    expect(extent(span('2026-05-01', '2026-09-01'))).toEqual(['2026-01-01', '2027-01-01'])
    expect(extent(span('2026-02-01', '2026-11-01'))).toEqual(['2025-01-01', '2028-01-01'])
  })

  it('stays drawable with a mistyped year', () => {
    expect(extent(span('0026-05-01', '9026-09-01'))).toEqual(['2011-01-01', '2042-01-01'])
  })

  it('fills the window at the smallest zoom', () => {
    expect(extent(undefined, 800)).toEqual(['2026-01-01', '2029-01-01'])
  })
})

describe('fitting', () => {
  const width = 1000
  const inSight = (spans: readonly { start: number; end: number }[]): boolean => {
    const { perDay, from } = fitOf(spans, today, width)
    const to = from + (width / perDay) * dayMs
    return [...spans, { start: today, end: today }].every(({ start, end }) => start > from && end < to)
  }
  it('shows all flights and today', () => {
    expect(inSight([])).toBe(true)
    expect(inSight([span('2026-06-10', '2026-06-11')])).toBe(true)
    expect(inSight([span('2026-07-01', '2026-08-01'), span('2026-05-01', '2026-05-08')])).toBe(true)
    expect(inSight([span('2025-10-01', '2025-12-01')])).toBe(true)
  })

  it('leaves room for the label of the last one', () => {
    const { perDay, from } = fitOf([span('2026-06-01', '2026-12-01')], today, width)
    expect(((day('2026-12-01') - from) / dayMs) * perDay).toBeLessThan(900)
  })

  it('shows what is around today where flights lie too far apart', () => {
    const { perDay, from } = fitOf([span('2016-06-01', '2016-12-01')], today, width)
    expect(perDay).toBeGreaterThan(narrowestDay)
    expect(from).toBeLessThan(today)
    expect(from + (width / perDay) * dayMs).toBeGreaterThan(today)
  })
})
