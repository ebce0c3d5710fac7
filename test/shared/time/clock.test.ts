import { describe, expect, it } from 'vitest'
import { offsetClock, offsetTo, readMoment, systemClock } from '#shared/time/clock'

describe('a time argument', () => {
  it('is a date and a time with a UTC offset', () => {
    expect(readMoment('2026-06-10T08:00:00+02:00')).toBe(Date.UTC(2026, 5, 10, 6))
    expect(readMoment('2026-06-10T08:00+05:30')).toBe(Date.UTC(2026, 5, 10, 2, 30))
    expect(readMoment('2028-02-29T23:59:59.250Z')).toBe(Date.UTC(2028, 1, 29, 23, 59, 59, 250))
  })

  it('is rejected with a message if invalid', () => {
    const wrong = ['', 'tomorrow', '2026-06-10', '2026-06-10T08:00:00', '2026-02-30T08:00:00Z', '2026-06-10T24:00:00Z']
    for (const text of wrong) expect(() => readMoment(text), text).toThrow(/such as 2026-06-10T08:00:00\+02:00/)
  })
})

describe('a shifted clock', () => {
  it("starts at its time and runs like the system's", () => {
    const moment = Date.UTC(2028, 1, 29, 12)
    const clock = offsetClock(offsetTo(moment))
    const [wall, elapsed] = [clock.now(), clock.elapsed()]
    expect(wall - moment).toBeGreaterThanOrEqual(0)
    while (systemClock.elapsed() < elapsed + 5) expect(clock.now()).toBeGreaterThanOrEqual(wall)
    expect(clock.now()).toBeGreaterThan(wall)
    expect(clock.elapsed()).toBeGreaterThanOrEqual(elapsed + 5)
  })
})
