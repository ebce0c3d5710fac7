import { expect, it } from 'vitest'
import { countsOf } from '../../scripts/counts.mjs'

const test = (fullName: string, status: string) => ({ fullName, status })
const file = (...assertionResults: ReturnType<typeof test>[]) => ({
  status: assertionResults.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
  assertionResults,
})
const results = (...testResults: ReturnType<typeof file>[]) => ({
  testResults,
  numPassedTests: testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter((one) => one.status === 'passed').length,
})

const some = results(file(test('a list is sorted', 'passed'), test('a list is filtered', 'skipped')))

it.each([[['-t', 'is sorted']], [['--testNamePattern=sorted', 'test/shared']], [['-t=^a list is s']]])(
  "tests that %j excludes don't fail",
  (args) => expect(countsOf(some, args)).toEqual({ passed: 1, failed: 0 }),
)

it('a skipped test fails, even with a name filter', () => {
  expect(countsOf(some, [])).toEqual({ passed: 1, failed: 1 })
  expect(countsOf(some, ['-t', 'list'])).toEqual({ passed: 1, failed: 1 })
  expect(countsOf(results(file(test('later', 'todo'))), [])).toEqual({ passed: 0, failed: 1 })
})

it('an unreadable file fails as one test', () => {
  const broken = { status: 'failed', assertionResults: [] }
  expect(countsOf(results(broken, file(test('one', 'failed'), test('two', 'passed'))), [])).toEqual({
    passed: 1,
    failed: 2,
  })
})
