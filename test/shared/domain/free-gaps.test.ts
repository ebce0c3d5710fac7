import { describe, expect, it } from 'vitest'
import { freeGaps } from '#shared/domain/free-gaps'

const at = (text: string): number => Date.parse(`2026-06-${text}Z`)
const times = (gaps: { start: number; end: number }[]): string[] =>
  gaps.map(
    ({ start, end }) => `${new Date(start).toISOString().slice(8, 16)}-${new Date(end).toISOString().slice(11, 16)}`,
  )
const half = 30 * 60_000

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

  it('skip the weekend, and end after two weeks', () => {
    expect(times(freeGaps([], at('12T17:45'), half, 1))).toEqual(['15T08:00-08:30'])
    expect(freeGaps([{ start: at('01T00:00'), end: at('30T00:00') }], at('10T08:00'), half, 3)).toEqual([])
  })
})
