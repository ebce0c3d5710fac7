import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import { valueAt } from '#shared/fields/path'
import {
  barLabel,
  barOf,
  dayCount,
  daysOf,
  inOrder,
  movedBar,
  phaseOfBar,
  stretchOf,
  type Bar,
} from '../../../../../src-renderer/views/campaigns/timeline/bars'

const facts = factsOf()
const wall = (text: string): number => Date.parse(`${text}Z`)
const bar = (kind: 'campaigns' | 'placements' | 'ads', value: JsonObject, zone = 'UTC'): Bar | undefined =>
  barOf(facts.of(kind).flight!, (path) => valueAt(value, path), zone)
const days = (start: string, end: string): Bar => ({ start: wall(`${start}T00:00`), end: wall(`${end}T00:00`) })

describe('the bar of a flight', () => {
  it('contains the last day', () => {
    expect(bar('campaigns', { startDate: '2026-06-10', endDate: '2026-06-12' })).toEqual(
      days('2026-06-10', '2026-06-13'),
    )
    const pricingSchedule = { startDate: '2026-06-10', endDate: '2026-06-10' }
    expect(bar('placements', { pricingSchedule })).toEqual(days('2026-06-10', '2026-06-11'))
  })

  it('shows moments in the zone', () => {
    const ad = { startTime: '2026-06-09T22:00:00.000Z', endTime: '2026-06-12T21:59:00.000Z' }
    expect(bar('ads', ad, 'Europe/Berlin')).toEqual({ start: wall('2026-06-10T00:00'), end: wall('2026-06-12T23:59') })
    expect(bar('ads', ad, 'America/New_York')).toEqual({
      start: wall('2026-06-09T18:00'),
      end: wall('2026-06-12T17:59'),
    })
  })

  it('needs both ends', () => {
    expect(bar('campaigns', { startDate: '2026-06-10' })).toBeUndefined()
    expect(bar('campaigns', { startDate: '2026-06-10', endDate: 'soon' })).toBeUndefined()
  })

  it('moves as a whole or at one end', () => {
    const before = days('2026-06-10', '2026-06-13')
    expect(movedBar(before, 'move', -2)).toEqual(days('2026-06-08', '2026-06-11'))
    expect(movedBar(before, 'start', 1)).toEqual(days('2026-06-11', '2026-06-13'))
    expect(movedBar(before, 'end', 7)).toEqual(days('2026-06-10', '2026-06-20'))
  })

  it('counts the days that it touches', () => {
    expect(dayCount(days('2026-06-10', '2026-06-13'))).toBe(3)
    const [start, end] = [wall('2026-06-10T23:00'), wall('2026-06-12T01:00')]
    expect(dayCount({ start, end })).toBe(3)
    expect(daysOf({ start, end })).toEqual([wall('2026-06-10T00:00'), wall('2026-06-12T00:00')])
  })

  it('is named by its first and last day', () => {
    expect(barLabel(days('2026-06-10', '2026-06-13'), 2026)).toBe('10 – 12 Jun')
    expect(barLabel(days('2026-12-10', '2027-01-13'), 2026)).toBe('10 Dec – 12 Jan ’27')
    expect(barLabel(days('2026-06-10', '2026-06-11'), 2026)).toBe('Wed 10 Jun')
  })

  it('is drawn and named even if it ends before it starts', () => {
    const reversed = bar('campaigns', { startDate: '2026-06-12', endDate: '2026-06-10' })!
    expect(reversed).toEqual({ start: wall('2026-06-12T00:00'), end: wall('2026-06-11T00:00') })
    expect(inOrder(reversed)).toEqual(days('2026-06-10', '2026-06-13'))
    expect(barLabel(reversed, 2026)).toBe('Fri 12 Jun – Wed 10 Jun')
    expect(dayCount(reversed)).toBeLessThan(1)
  })

  it('widens the stretch of all flights', () => {
    const stretch = (...rows: JsonObject[]): (string | undefined)[] => {
      const found = stretchOf(facts.of('ads').flight!, {
        columns: ['name', 'endTime', 'startTime'],
        length: rows.length,
        cell: (row, column) => rows[row]![['name', 'endTime', 'startTime'][column]!],
      })
      return [found?.start, found?.end].map((at) => at && new Date(at).toISOString().slice(0, 10)) as string[]
    }
    expect(stretch({ name: 'No dates' })).toEqual([undefined, undefined])
    expect(
      stretch(
        { name: '2020-01-01', startTime: '2026-06-09T22:00:00.000Z', endTime: '2026-06-12T21:59:00.000Z' },
        { startTime: '2026-05-03T22:00:00.000Z' },
        { endTime: '2026-07-12T21:59:00.000Z' },
      ),
    ).toEqual(['2026-05-02', '2026-07-14'])
  })

  it('is upcoming, live, or ended', () => {
    const one = days('2026-06-10', '2026-06-13')
    const phase = (now: string): string => phaseOfBar(one, wall(now))
    expect(phase('2026-06-09T23:59')).toBe('upcoming')
    expect([phase('2026-06-10T00:00'), phase('2026-06-12T23:59')]).toEqual(['live', 'live'])
    expect(phase('2026-06-13T00:00')).toBe('ended')
  })
})
