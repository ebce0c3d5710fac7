import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { movedAhead, startPassed } from '../../../../src-renderer/views/campaigns/future-start'

const ads = factsOf().of('ads')
const now = Date.parse('2026-03-08T10:20:00.000Z')
const began = { startTime: '2026-02-01T06:00:00.000Z', endTime: '2026-04-01T21:59:59.000Z' }

describe('a start in the past', () => {
  it('moves to the next full hour in a copy, and a future end stays', () => {
    expect(startPassed(ads, began, now)).toBe('startTime')
    expect(movedAhead(ads, began, now)).toEqual({ startTime: '2026-03-08T11:00:00.000Z' })
  })

  it('leaves time to post before the hour', () => {
    expect(movedAhead(ads, began, now + 39 * 60_000)).toEqual({ startTime: '2026-03-08T12:00:00.000Z' })
  })

  it('moves a past end along to keep the duration', () => {
    const over = { startTime: '2026-01-01T00:00:00.000Z', endTime: '2026-01-02T12:00:00.000Z' }
    expect(movedAhead(ads, over, now)).toEqual({
      startTime: '2026-03-08T11:00:00.000Z',
      endTime: '2026-03-09T23:00:00.000Z',
    })
  })

  it("isn't changed if it's in the future, missing, or not required", () => {
    const ahead = { ...began, startTime: '2026-03-08T10:20:00.001Z' }
    expect(movedAhead(ads, ahead, now)).toEqual({})
    expect(movedAhead(ads, {}, now)).toEqual({})
    expect(movedAhead(factsOf().of('campaigns'), { startDate: '2020-01-01' }, now)).toEqual({})
  })
})
