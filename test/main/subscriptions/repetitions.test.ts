import { expect, it } from 'vitest'
import { repetitionsADay } from '../../../src-main/subscriptions/repetitions'

const now = Date.parse('2026-06-10T08:00:00Z')
const times = (...rules: string[]): number =>
  Math.round(repetitionsADay([{ recurrence: rules.map((rule) => `RRULE:${rule}`) }], now) * 100) / 100

it('counts what a rule can produce on a usual day, without expanding it', () => {
  expect(times('FREQ=HOURLY')).toBe(24)
  expect(times('FREQ=DAILY', 'FREQ=DAILY;INTERVAL=2')).toBe(1.5)
  expect(times('FREQ=DAILY;BYHOUR=8,12')).toBe(2)
  expect(times('FREQ=WEEKLY')).toBe(0.14)
  expect(times('FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR')).toBe(0.71)
  expect(times('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU')).toBe(1)
  expect(times('FREQ=YEARLY')).toBe(0.04)
})

it('leaves out series that have ended', () => {
  expect(times('FREQ=DAILY;UNTIL=20260609T080000Z', 'FREQ=DAILY;UNTIL=20260610')).toBe(1)
  expect(repetitionsADay([{}, { recurrence: ['EXDATE:20260610T080000Z'] }], now)).toBe(0)
})
