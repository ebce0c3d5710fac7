import { describe, expect, it } from 'vitest'
import type { FieldKind } from '#shared/fields/kind'
import { formulaText } from '#shared/fields/formula'
import type { Json } from '#shared/json'

const made = (
  kind: FieldKind,
  typed: string,
  current: Json | undefined,
  zone = 'Europe/Berlin',
  whole = true,
): unknown => {
  const found = formulaText(kind, whole, typed, current, zone)
  return found && ('text' in found ? found.text : found)
}

describe('a formula', () => {
  it.each([
    ['+7d', '2026-06-10', '2026-06-17'],
    ['-1d', '2026-03-01', '2026-02-28'],
    ['+2w', '2026-12-24', '2027-01-07'],
    ['- 1 W', '2026-06-10', '2026-06-03'],
    ['eom', '2028-02-03', '2028-02-29'],
    ['EOM', '2026-12-31', '2026-12-31'],
  ])('%s from the day %s is %s', (typed, current, day) => expect(made('date', typed, current)).toBe(day))

  it('keeps the time of day across a clock change', () => {
    expect(made('moment', '+7d', '2026-03-25T08:00:00Z')).toBe('2026-04-01 09:00')
    expect(made('moment', '+7d', '2026-03-25T08:00:00Z', 'America/Phoenix')).toBe('2026-04-01 01:00')
    expect(made('moment', 'eom', '2026-06-10T21:59:00Z')).toBe('2026-06-30 23:59')
  })

  it.each([
    ['*1.1', '1000', '1100'],
    ['*1,5', '3', '5'],
    ['+10%', '250', '275'],
    ['-2.5%', '1000', '975'],
    ['-100%', '7', '0'],
    ['*2', '9007199254740993', '18014398509481986'],
  ])('%s of %s is %s', (typed, current, number) => expect(made('number', typed, current)).toBe(number))

  it('computes money exactly, with fractions if allowed', () => {
    expect(made('money', '*1.1', '7250000000')).toBe('7.975')
    expect(made('money', '+10%', '1')).toBe('0.000000001')
    expect(made('money', '*1000', '9007199254740993123456789')).toBe('9007199254740993123.456789')
    expect(made('number', '*1.5', 0.5, 'UTC', false)).toBe('0.75')
  })

  it('is rejected with a message without a current value', () => {
    for (const value of [undefined, null, ''] as const) {
      expect(made('date', '+7d', value)).toEqual({ problem: 'No date to calculate from' })
      expect(made('moment', 'eom', value ?? undefined)).toEqual({ problem: 'No date to calculate from' })
      expect(made('number', '*2', value)).toEqual({ problem: 'No number to calculate from' })
    }
  })

  it('leaves other text to other parsers', () => {
    for (const typed of ['7', '+3', 'tomorrow', '2026-06-10', '*', '+%', '7d']) {
      expect(made('date', typed, '2026-06-10')).toBeUndefined()
      expect(made('number', typed, '5')).toBeUndefined()
    }
    expect(made('text', '+7d', 'x')).toBeUndefined()
  })
})
