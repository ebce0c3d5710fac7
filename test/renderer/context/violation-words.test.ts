import { expect, it } from 'vitest'
import { headOfConversion } from '../../../src-shared/search-ads/conversion-columns'
import { violationWords } from '../../../src-renderer/context/violation-words'

const heads: Readonly<Record<string, string>> = { startDate: 'Start date', endDate: 'End date' }
const headOf = (path: string): string => heads[path] ?? path

it.each([
  [{ path: 'startDate', rule: 'required', message: 'Required field: startDate' }, '“Start date” is missing'],
  [{ path: 'endDate', rule: 'format', message: 'endDate is no date' }, '“End date” has an invalid value'],
  [
    { path: 'startDate', rule: 'maxLength', message: 'startDate may have at most 10 characters' },
    '“Start date” may have at most 10 characters',
  ],
  [
    { path: 'startDate', rule: 'exclusive', message: 'startDate excludes endDate', others: ['endDate'] },
    '“Start date” can’t be combined with “End date”',
  ],
  [{ path: 'sizes[2]', rule: 'mustNotContain', message: 'Contains a comma' }, '“sizes.2”: contains a comma'],
] as const)('names fields by their headings: %j', (violation, words) => {
  expect(violationWords(violation, headOf)).toBe(words)
})

it('names the fields of conversions', () => {
  const violation = { path: 'criterionId', rule: 'format', message: 'criterionId must be a number' } as const
  expect(violationWords(violation, headOfConversion)).toBe('“Keyword ID” has an invalid value')
})
