import { describe, expect, it } from 'vitest'
import {
  stepsFor,
  ticksOf,
  weekendsOf,
  type Step,
  type TickStyle,
} from '../../../../../src-renderer/views/campaigns/timeline/ticks'

const day = (text: string): number => Date.parse(text)
const text = (wall: number): string => new Date(wall).toISOString().slice(0, 10)
const style: TickStyle = { weekStart: 1, weekNumbers: false, perDay: 24 }
const labels = (step: Step, from: string, to: string, more: Partial<TickStyle> = {}): string[] =>
  ticksOf(step, day(from), day(to), { ...style, ...more }).map(({ label }) => label)
const starts = (step: Step, from: string, to: string, more: Partial<TickStyle> = {}): string[] =>
  ticksOf(step, day(from), day(to), { ...style, ...more }).map(({ start }) => text(start))

describe('parts of the axis', () => {
  it('get larger as days get narrower', () => {
    const lower = [40, 17, 16, 4, 3, 0.9, 0.8].map((perDay) => stepsFor(perDay).lower)
    expect(lower).toEqual(['day', 'day', 'week', 'week', 'month', 'month', 'quarter'])
    expect([40, 4, 3, 0.8].map((perDay) => stepsFor(perDay).upper)).toEqual(['month', 'month', 'year', 'year'])
  })

  it('reach into the stretch at both ends', () => {
    expect(starts('day', '2026-02-27', '2026-03-02')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
    expect(starts('month', '2026-01-31', '2026-03-01')).toEqual(['2026-01-01', '2026-02-01'])
    expect(starts('quarter', '2025-12-31', '2026-04-02')).toEqual(['2025-10-01', '2026-01-01', '2026-04-01'])
    expect(starts('year', '2024-06-01', '2026-01-01')).toEqual(['2024-01-01', '2025-01-01'])
  })

  it('begin weeks on the chosen day', () => {
    expect(starts('week', '2026-06-10', '2026-06-16')).toEqual(['2026-06-08', '2026-06-15'])
    expect(starts('week', '2026-06-10', '2026-06-16', { weekStart: 0 })).toEqual(['2026-06-07', '2026-06-14'])
    expect(starts('week', '2026-06-10', '2026-06-16', { weekStart: 6 })).toEqual(['2026-06-06', '2026-06-13'])
  })

  it('have labels that fit', () => {
    expect(labels('day', '2026-06-10', '2026-06-11')).toEqual(['10'])
    expect(labels('day', '2026-06-10', '2026-06-11', { perDay: 50 })).toEqual(['Wed 10'])
    expect(labels('week', '2026-06-10', '2026-06-11', { perDay: 5 })).toEqual(['8'])
    expect(labels('week', '2026-06-10', '2026-06-11', { perDay: 10 })).toEqual(['8 Jun'])
    expect(labels('month', '2026-06-10', '2026-06-11', { perDay: 1 })).toEqual(['Jun'])
    expect(labels('month', '2026-06-10', '2026-06-11')).toEqual(['June 2026'])
    expect(labels('quarter', '2026-06-10', '2026-06-11')).toEqual(['Q2'])
    expect(labels('year', '2026-06-10', '2026-06-11')).toEqual(['2026'])
  })

  it('number weeks by their Thursday, whichever day they begin on', () => {
    for (const weekStart of [0, 1, 6])
      expect(labels('week', '2026-12-31', '2027-01-01', { weekNumbers: true, weekStart })).toEqual(['W53'])
    expect(labels('week', '2027-01-04', '2027-01-05', { weekNumbers: true })).toEqual(['W1'])
  })
})

describe('weekends', () => {
  const weekends = (from: string, to: string, perDay = 24): string[] =>
    weekendsOf(day(from), day(to), perDay).map(({ start, end }) => `${text(start)} ${text(end)}`)
  it('are Saturday and Sunday', () => {
    expect(weekends('2026-06-10', '2026-06-21')).toEqual(['2026-06-13 2026-06-15', '2026-06-20 2026-06-22'])
    expect(weekends('2026-06-14', '2026-06-15')).toEqual(['2026-06-13 2026-06-15'])
    expect(weekends('2026-06-13', '2026-06-14')).toEqual(['2026-06-13 2026-06-15'])
  })

  it('are left out where days are narrow', () => {
    expect(weekends('2026-06-10', '2026-06-21', 2)).toEqual([])
  })
})
