import fc from 'fast-check'
import { expect, it } from 'vitest'
import { firstUnsettled, isUnsettled } from '#shared/pacing/settled'
import type { CellKind } from '#shared/results/result-columns'

const open = (text: string, kind: CellKind, from: string, field?: string): boolean =>
  isUnsettled(text, firstUnsettled({ kind, ...(field !== undefined && { field }) }, from))

it("every day from the first provisional one may change, and invalid days don't count", () => {
  expect(['2026-03-07', '2026-03-08', '2026-03-09'].map((day) => open(day, 'day', '2026-03-08'))).toEqual([
    false,
    true,
    true,
  ])
  expect(['(not set)', '', 'Others', '---'].some((text) => open(text, 'day', '2026-03-08'))).toBe(false)
  expect(open('2026 Games', 'text', '2026-03-08')).toBe(false)
})

it('a longer period may change if its last day may', () => {
  const text = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)
  const stretches = {
    weekStart: 7,
    monthStart: (year: number, month: number) => [year, month + 1],
    quarterStart: (year: number, month: number) => [year, month - (month % 3) + 3],
    yearStart: (year: number) => [year + 1, 0],
  } as const
  fc.assert(
    fc.property(fc.integer({ min: 18_000, max: 25_000 }), fc.integer({ min: -400, max: 400 }), (from, apart) => {
      const day = from + apart
      const date = new Date(day * 86_400_000)
      const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
      const begins: Record<keyof typeof stretches, string> = {
        weekStart: text(day),
        monthStart: text(Date.UTC(year, month) / 86_400_000),
        quarterStart: text(Date.UTC(year, month - (month % 3)) / 86_400_000),
        yearStart: text(Date.UTC(year, 0) / 86_400_000),
      }
      for (const [field, length] of Object.entries(stretches)) {
        const [nextYear = 0, nextMonth = 0] = typeof length === 'number' ? [] : length(year, month)
        const last = typeof length === 'number' ? day + length - 1 : Date.UTC(nextYear, nextMonth) / 86_400_000 - 1
        expect(open(begins[field as keyof typeof begins], 'day', text(from), field)).toBe(last >= from)
      }
    }),
  )
})
