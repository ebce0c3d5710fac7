import { describe, expect, it } from 'vitest'
import { dayMs, minuteMs } from '../../../../src-renderer/ui/dates'
import {
  dragged,
  nudged,
  shifted,
  shiftOf,
  type Span,
  type Spot,
} from '../../../../src-renderer/views/calendar/layout/drag'

const day = Date.UTC(2026, 6, 13)
const time = (minute: number, days = 0): Spot => ({ day: day + days * dayMs, lane: 'time', minute })
const lane = (days: number): Spot => ({ day: day + days * dayMs, lane: 'allDay', minute: 0 })
const cell = (days: number): Spot => ({ day: day + days * dayMs, lane: 'day', minute: 0 })
const span = (from: number, to: number): Span => ({
  start: day + from * minuteMs,
  end: day + to * minuteMs,
  allDay: false,
})
const dates = (from: number, to: number): Span => ({ start: day + from * dayMs, end: day + to * dayMs, allDay: true })
const show = ({ start, end, allDay }: Span): (number | string)[] =>
  allDay ? ['days', (start - day) / dayMs, (end - day) / dayMs] : [(start - day) / minuteMs, (end - day) / minuteMs]

describe('drawing a new event', () => {
  it('snaps to quarter hours and is at least one long', () => {
    expect(show(dragged('create', span(0, 0), time(543), time(544), 60))).toEqual([540, 555])
    expect(show(dragged('create', span(0, 0), time(543), time(611), 60))).toEqual([540, 615])
  })
  it('works upwards, too', () => {
    expect(show(dragged('create', span(0, 0), time(611), time(543), 60))).toEqual([540, 615])
  })
  it('crosses midnight into the next day', () => {
    expect(show(dragged('create', span(0, 0), time(1380), time(60, 1), 60))).toEqual([1380, 1515])
  })
  it('uses whole days in the all-day row and in a month', () => {
    expect(show(dragged('create', span(0, 0), lane(1), lane(3), 60))).toEqual(['days', 1, 4])
    expect(show(dragged('create', span(0, 0), cell(3), cell(1), 60))).toEqual(['days', 1, 4])
  })
})

describe('moving', () => {
  it('keeps the length and snaps to the grid', () => {
    expect(show(dragged('move', span(547, 607), time(560), time(582), 60))).toEqual([570, 630])
  })
  it('works across days', () => {
    expect(show(dragged('move', span(540, 600), time(550), time(550, 2), 60))).toEqual([540 + 2880, 600 + 2880])
  })
  it('keeps the time of day in a month', () => {
    expect(show(dragged('move', span(547, 607), cell(0), cell(-7), 60))).toEqual([547 - 10080, 607 - 10080])
  })
  it('into the all-day row covers each day it touched', () => {
    expect(show(dragged('move', span(540, 600), time(550), lane(1), 60))).toEqual(['days', 1, 2])
    expect(show(dragged('move', span(1380, 1500), time(1390), lane(0), 60))).toEqual(['days', 0, 2])
  })
  it('out of the all-day row uses the default length', () => {
    expect(show(dragged('move', dates(0, 2), lane(0), time(617, 1), 45))).toEqual([1440 + 615, 1440 + 660])
  })
  it('shifts an all-day event by days', () => {
    expect(show(dragged('move', dates(0, 2), lane(1), lane(4), 60))).toEqual(['days', 3, 5])
  })
  it('keeps the times of a long event within the all-day row, wherever it was grabbed', () => {
    const trip = span(1320, 480 + 2880)
    expect(dragged('move', trip, lane(1), lane(1), 60)).toEqual(trip)
    expect(show(dragged('move', trip, lane(1), lane(2), 60))).toEqual([1320 + 1440, 480 + 4320])
  })
})

describe('resizing', () => {
  it('moves the end by quarter hours, never before the start', () => {
    expect(show(dragged('end', span(540, 600), time(600), time(652), 60))).toEqual([540, 645])
    expect(show(dragged('end', span(540, 600), time(600), time(300), 60))).toEqual([540, 555])
  })
  it('moves the start the same way', () => {
    expect(show(dragged('start', span(540, 600), time(540), time(500), 60))).toEqual([495, 600])
    expect(show(dragged('start', span(540, 600), time(540), time(900), 60))).toEqual([585, 600])
  })
  it('resizes a bar by days', () => {
    expect(show(dragged('end', dates(0, 2), lane(1), lane(4), 60))).toEqual(['days', 0, 5])
    expect(show(dragged('end', dates(0, 2), lane(1), lane(-3), 60))).toEqual(['days', 0, 1])
    expect(show(dragged('start', dates(0, 2), lane(0), lane(5), 60))).toEqual(['days', 1, 2])
  })
})

describe('by keyboard', () => {
  it('moves by a quarter hour or a day', () => {
    expect(show(nudged(span(540, 600), 'move', 15, 0))).toEqual([555, 615])
    expect(show(nudged(dates(0, 1), 'move', 0, -1))).toEqual(['days', -1, 0])
  })
  it('shortens to no less than a quarter hour or a day', () => {
    expect(show(nudged(span(540, 560), 'end', -15, 0))).toEqual([540, 555])
    expect(show(nudged(dates(0, 1), 'end', 0, -1))).toEqual(['days', 0, 1])
  })
})

describe('several entries', () => {
  const day = Date.UTC(2026, 5, 10)
  const hour = 3_600_000
  it('move by the same time, and those of whole days by whole days', () => {
    const by = shiftOf({ start: day + 22 * hour }, { start: day + 27 * hour })
    const timed = { start: day + 9 * hour, end: day + 10 * hour, allDay: false }
    expect(shifted(timed, by)).toEqual({ start: day + 14 * hour, end: day + 15 * hour, allDay: false })
    const allDay = { start: day, end: day + 48 * hour, allDay: true }
    expect(shifted(allDay, by)).toEqual({ start: day + 24 * hour, end: day + 72 * hour, allDay: true })
  })
})
