import { expect, it } from 'vitest'
import { spanLine } from '../../../../src-renderer/views/reports/builder/range-words'
import { doubtWords, usualWidth } from '../../../../src-renderer/views/reports/grid/cell-words'
import type { ColumnAbout } from '#shared/results/result-columns'

it('numbers that don’t match the totals are formatted like the cells of their column', () => {
  const columns: ColumnAbout[] = [
    { head: 'Impressions', kind: 'count', adds: 'sum' },
    { head: 'Media Cost', kind: 'money', adds: 'sum' },
  ]
  const counts = { head: 'Impressions', sum: '1210096', said: '1210097' }
  const cost = { head: 'Media Cost', sum: '1234567.5', said: '-3.10' }
  expect(doubtWords([counts], columns)).toBe(
    'The rows of Impressions add up to 1,210,096, but the report says 1,210,097.',
  )
  expect(doubtWords([cost, counts], columns)).toBe(
    'The rows of Media Cost add up to 1,234,567.50, but the report says −3.10. 1 other metric differs, too.',
  )
})

it('a column of IDs is as wide as the longest of them', () => {
  const widthOf = (longest: number): number => usualWidth({ head: 'ID', kind: 'id', adds: null, longest })
  expect(widthOf(9)).toBe(120)
  expect(widthOf(20)).toBeGreaterThan(widthOf(17))
  expect(widthOf(17)).toBeGreaterThan(160)
  expect(widthOf(1_000)).toBe(220)
})

it('the days of a report are those of its account, also before it’s downloaded', () => {
  const span = { from: 20_000, to: 20_006 }
  expect(spanLine(span, 'Europe/Berlin')).toMatch(/, 7 days in Europe\/Berlin$/)
  expect(spanLine(span, undefined)).toMatch(/, 7 days in the account’s time zone$/)
})
