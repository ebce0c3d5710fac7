import { describe, expect, it } from 'vitest'
import { blockText, textWidth, timeForms } from '../../../../src-renderer/views/calendar/layout/chip-text'

const hour = 3_600_000
const at = (hours: number): number => Date.UTC(2026, 5, 10) + hours * hour
const span = (from: number, to: number): { start: number; end: number } => ({ start: at(from), end: at(to) })

describe('time formats', () => {
  it('are one clock time and a range, each shorter than the last', () => {
    expect(timeForms(span(13, 14.5), false)).toEqual(['13:00 – 14:30', '13:00–14:30', '13:00'])
  })

  it('say am or pm once when both ends match, and drop :00', () => {
    expect(timeForms(span(13, 14), true)).toEqual(['1 – 2 pm', '1–2 pm', '1 pm'])
    expect(timeForms(span(13.5, 14), true)[0]).toBe('1:30 – 2 pm')
  })

  it('say both when they differ', () => {
    expect(timeForms(span(11, 13), true)).toEqual(['11 am – 1 pm', '11 am–1 pm', '11 am'])
    expect(timeForms(span(23, 24.5), true)[0]).toBe('11 pm – 12:30 am')
  })

  it('say both when the same half is on another day', () => {
    expect(timeForms(span(9, 33.5), true)[0]).toBe('9 am – 9:30 am')
  })
})

describe("a block's text", () => {
  it("is complete when there's room", () => {
    expect(blockText('Weekly planning', span(10, 11), { width: 126, height: 47 }, false)).toEqual({
      time: '10:00 – 11:00',
      icon: true,
      lines: 1,
    })
  })

  it('says how much of a running event is left, where that fits', () => {
    const timeAt = (width: number): string =>
      blockText('Kick-off', span(12.25, 13.75), { width, height: 60 }, false, 15.5 * 60_000).time
    expect([60, 100].map(timeAt)).toEqual(['12:15', '16 min left'])
    expect(blockText('Kick-off', span(12, 14), { width: 200, height: 60 }, false, 2 * hour).time).toBe('2 h left')
  })

  it('shortens the time before it drops it, and never overflows', () => {
    for (let width = 20; width < 200; width++) {
      for (const hour12 of [false, true]) {
        const { time } = blockText('Kick-off', span(12.25, 13.75), { width, height: 60 }, hour12)
        expect(textWidth(time)).toBeLessThanOrEqual(Math.max(0, width - 14))
      }
    }
    const timeAt = (width: number): string =>
      blockText('Kick-off', span(12.25, 13.75), { width, height: 60 }, true).time
    expect([52, 90, 102, 140].map(timeAt)).toEqual(['', '12:15 pm', '12:15–1:45 pm', '12:15 – 1:45 pm'])
  })

  it('on one line has the title first, then the time, then the series icon', () => {
    const line = (width: number): [string, boolean] => {
      const { time, icon } = blockText('Stand-up', span(9.5, 9.75), { width, height: 15 }, false)
      return [time, icon]
    }
    expect(line(60)).toEqual(['', false])
    expect(line(100)).toEqual(['', true])
    expect(line(130)).toEqual(['09:30', true])
  })

  it('uses one line when words would break', () => {
    expect(blockText('Leo: football match', span(10, 12), { width: 40, height: 95 }, false)).toEqual({
      time: '',
      icon: false,
      lines: 1,
    })
  })
})
