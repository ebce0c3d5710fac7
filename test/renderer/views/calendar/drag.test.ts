import { describe, expect, it } from 'vitest'
import { dayMs, minuteMs } from '../../../../src-renderer/ui/dates'
import { dragged, nudged, type Span, type Spot } from '../../../../src-renderer/views/calendar/layout/drag'

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
  it('snaps to quarters and is at least one long', () => {
    expect(show(dragged('create', span(0, 0), time(543), time(544), 60))).toEqual([540, 555])
    expect(show(dragged('create', span(0, 0), time(543), time(611), 60))).toEqual([540, 615])
  })
  it('upwards is as good as downwards', () => {
    expect(show(dragged('create', span(0, 0), time(611), time(543), 60))).toEqual([540, 615])
  })
  it('over midnight into the next day', () => {
    expect(show(dragged('create', span(0, 0), time(1380), time(60, 1), 60))).toEqual([1380, 1515])
  })
  it('in the all-day lane and in a month it takes whole days', () => {
    expect(show(dragged('create', span(0, 0), lane(1), lane(3), 60))).toEqual(['days', 1, 4])
    expect(show(dragged('create', span(0, 0), cell(3), cell(1), 60))).toEqual(['days', 1, 4])
  })
})

describe('moving', () => {
  it('keeps the length and snaps where it lands', () => {
    expect(show(dragged('move', span(547, 607), time(560), time(582), 60))).toEqual([570, 630])
  })
  it('across days', () => {
    expect(show(dragged('move', span(540, 600), time(550), time(550, 2), 60))).toEqual([540 + 2880, 600 + 2880])
  })
  it('in a month the time of day stays', () => {
    expect(show(dragged('move', span(547, 607), cell(0), cell(-7), 60))).toEqual([547 - 10080, 607 - 10080])
  })
  it('up into the all-day lane it becomes a day, and as many as it touched', () => {
    expect(show(dragged('move', span(540, 600), time(550), lane(1), 60))).toEqual(['days', 1, 2])
    expect(show(dragged('move', span(1380, 1500), time(1390), lane(0), 60))).toEqual(['days', 0, 2])
  })
  it('down from the all-day lane it gets the usual length', () => {
    expect(show(dragged('move', dates(0, 2), lane(0), time(617, 1), 45))).toEqual([1440 + 615, 1440 + 660])
  })
  it('an all-day event moves by days', () => {
    expect(show(dragged('move', dates(0, 2), lane(1), lane(4), 60))).toEqual(['days', 3, 5])
  })
})

describe('stretching', () => {
  it('the end follows in quarters and never passes the start', () => {
    expect(show(dragged('end', span(540, 600), time(600), time(652), 60))).toEqual([540, 645])
    expect(show(dragged('end', span(540, 600), time(600), time(300), 60))).toEqual([540, 555])
  })
  it('so does the start', () => {
    expect(show(dragged('start', span(540, 600), time(540), time(500), 60))).toEqual([495, 600])
    expect(show(dragged('start', span(540, 600), time(540), time(900), 60))).toEqual([585, 600])
  })
  it('a bar is stretched by days', () => {
    expect(show(dragged('end', dates(0, 2), lane(1), lane(4), 60))).toEqual(['days', 0, 5])
    expect(show(dragged('end', dates(0, 2), lane(1), lane(-3), 60))).toEqual(['days', 0, 1])
    expect(show(dragged('start', dates(0, 2), lane(0), lane(5), 60))).toEqual(['days', 1, 2])
  })
})

describe('by key', () => {
  it('moves a quarter of an hour or a day', () => {
    expect(show(nudged(span(540, 600), 'move', 15, 0))).toEqual([555, 615])
    expect(show(nudged(dates(0, 1), 'move', 0, -1))).toEqual(['days', -1, 0])
  })
  it('shortens to a quarter of an hour or a day and no further', () => {
    expect(show(nudged(span(540, 560), 'end', -15, 0))).toEqual([540, 555])
    expect(show(nudged(dates(0, 1), 'end', 0, -1))).toEqual(['days', 0, 1])
  })
})
