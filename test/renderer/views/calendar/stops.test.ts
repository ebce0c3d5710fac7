import { describe, expect, it } from 'vitest'
import { dayMs, minuteMs } from '../../../../src-renderer/ui/dates'
import type { Entry } from '../../../../src-renderer/views/calendar/layout/entry'
import {
  monthStops,
  nearest,
  sameStop,
  stopAt,
  timeStops,
  type Stop,
} from '../../../../src-renderer/views/calendar/layout/stops'

const day = Date.UTC(2026, 6, 13)
const entry = (key: string, from: number, to: number, bar = false): Entry => ({
  key,
  title: key,
  allDay: bar,
  start: day + from * minuteMs,
  end: day + to * minuteMs,
  firstDay: day,
  lastDay: day,
  bar,
  mark: 'synced',
})
const words = (stop: Stop): string =>
  stop.kind === 'entry' ? stop.key : stop.kind === 'slot' ? String(stop.minute) : stop.kind

describe('keyboard stops on a day of a time grid', () => {
  const stops = timeStops([entry('b', 600, 660), entry('a', 545, 605), entry('bar', 0, 1440, true)], day)

  it('are the all-day cell, bars, then free half hours and entries by time', () => {
    const all = stops.map(words)
    expect(all.slice(0, 3)).toEqual(['cell', 'bar', '0'])
    expect(all.slice(all.indexOf('510'), all.indexOf('690'))).toEqual(['510', 'a', 'b', '660'])
  })
  it('cover every half hour of an empty day', () => {
    expect(timeStops([], day)).toHaveLength(49)
  })
  it('reach every entry of the day', () => {
    const crowd = Array.from({ length: 40 }, (_, index) => entry(`e${index}`, index * 20, index * 20 + 90))
    const keys = timeStops(crowd, day).flatMap((stop) => (stop.kind === 'entry' ? [stop.key] : []))
    expect(new Set(keys).size).toBe(40)
  })
  it('move sideways to the event at that time', () => {
    const end = (key: string): number => ({ a: 605, b: 660 })[key] ?? 0
    expect(words(stopAt(stops, 570, end))).toBe('a')
    expect(words(stopAt(stops, 620, end))).toBe('b')
    expect(words(stopAt(stops, 700, end))).toBe('690')
    expect(words(stopAt(stops, 0, end))).toBe('0')
  })
  it('fall back to the nearest time when one is gone', () => {
    expect(words(stops[nearest(stops, { kind: 'entry', key: 'gone', day, minute: 598 })]!)).toBe('b')
    expect(words(stops[nearest(stops, { kind: 'slot', day, minute: 540 })]!)).toBe('a')
  })
})

describe('keyboard stops in a month', () => {
  it('are the cell, visible entries, then the rest', () => {
    expect(monthStops(day, ['x', 'y'], true).map(words)).toEqual(['cell', 'x', 'y', 'more'])
    expect(monthStops(day, [], false).map(words)).toEqual(['cell'])
  })
  it("keep an entry's identity at any position, on the same day only", () => {
    expect(sameStop({ kind: 'entry', day, minute: 0, key: 'x' }, { kind: 'entry', day, minute: 3, key: 'x' })).toBe(
      true,
    )
    expect(
      sameStop({ kind: 'entry', day, minute: 0, key: 'x' }, { kind: 'entry', day: day + dayMs, minute: 0, key: 'x' }),
    ).toBe(false)
  })
})
