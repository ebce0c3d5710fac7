import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { Timetable } from '../../../src-renderer/sync/timetable'
import { targetOf } from '../../../src-renderer/sync/targets'

const target = targetOf('events', 'me')

describe('when a target is due again', () => {
  it('is ever later while nothing changes, and soon again once something has', () => {
    let now = 0
    const timetable = new Timetable(factsOf(), () => now)
    const waits = [false, false, false, true].map((changed) => {
      timetable.begun(target)
      timetable.pulled(target, changed)
      const wait = timetable.due(target) - now
      now += wait
      return wait
    })
    expect(waits).toEqual([60_000, 90_000, 135_000, 60_000])
  })

  it('is at once when the service spoke of a change while it was being read', () => {
    const timetable = new Timetable(factsOf(), () => 0)
    timetable.begun(target)
    timetable.hurry((key) => key === target.key)
    timetable.pulled(target, false)
    expect(timetable.due(target)).toBe(0)
    timetable.begun(target)
    timetable.pulled(target, false)
    expect(timetable.due(target)).toBe(90_000)
  })
})
