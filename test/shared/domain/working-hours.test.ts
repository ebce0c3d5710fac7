import { describe, expect, it } from 'vitest'
import { hoursOn, usualHours, withEnd, workingHoursSchema } from '#shared/domain/working-hours'

describe('working hours', () => {
  it('are those of the weekday', () => {
    const days = ['2026-06-12', '2026-06-13'].map((day) => hoursOn(usualHours, Date.parse(day)))
    expect(days).toEqual([{ from: 540, to: 1020 }, null])
  })

  it('never end before they start', () => {
    const hours = { from: 540, to: 1020 }
    expect(withEnd(hours, 'from', 1200)).toEqual({ from: 1200, to: 1215 })
    expect(withEnd(hours, 'from', 1440)).toEqual({ from: 1425, to: 1440 })
    expect(withEnd(hours, 'to', 480)).toEqual({ from: 465, to: 480 })
    expect(withEnd(hours, 'to', 0)).toEqual({ from: 540, to: 1440 })
  })

  it('are read as stored, and not if they are damaged', () => {
    expect(workingHoursSchema.parse(usualHours)).toEqual(usualHours)
    for (const damaged of [[], null, usualHours.slice(1), usualHours.map(() => ({ from: 600, to: 540 }))])
      expect(workingHoursSchema.safeParse(damaged).success).toBe(false)
  })
})
