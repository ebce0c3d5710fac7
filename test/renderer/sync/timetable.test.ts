import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { Timetable } from '../../../src-renderer/sync/timetable'
import { targetOf } from '../../../src-renderer/sync/targets'

const target = targetOf('events', 'me')

describe('the next read of a target', () => {
  it('is delayed more while nothing changes, and comes soon after a change', () => {
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

  it('is immediate after a push notification during a read', () => {
    const timetable = new Timetable(factsOf(), () => 0)
    timetable.begun(target)
    timetable.hurry((key) => key === target.key)
    timetable.pulled(target, false)
    expect(timetable.due(target)).toBe(0)
    timetable.begun(target)
    timetable.pulled(target, false)
    expect(timetable.due(target)).toBe(90_000)
  })

  it('is immediate once notifications are on, because a change before that came without one', () => {
    const timetable = new Timetable(factsOf(), () => 0)
    timetable.begun(target)
    timetable.pulled(target, false)
    expect(timetable.watch(new Set([target.key]))).toBe(true)
    expect(timetable.due(target)).toBe(0)
    timetable.begun(target)
    timetable.pulled(target, false)
    expect(timetable.watch(new Set([target.key]))).toBe(false)
    expect(timetable.due(target)).toBe(90_000)
    // They may have been off for a while.
    timetable.watch(new Set())
    expect(timetable.watch(new Set([target.key]))).toBe(true)
    expect(timetable.due(target)).toBe(0)
  })
})
