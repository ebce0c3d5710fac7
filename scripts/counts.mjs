/**
 * Counts for the last line of `npm test`, from vitest's report.
 * @param {{ numPassedTests: number, testResults: { status: string, assertionResults: { status: string, fullName: string }[] }[] }} results
 * @param {readonly string[]} args passed on to vitest
 */
export function countsOf({ numPassedTests, testResults }, args) {
  const pattern = namePatternOf(args)
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const ran = new Set(['passed', 'failed'])
  // Tests excluded by a name filter don't count. A test skipped by its own file fails, because it would go unnoticed.
  const skipped = tests.filter(({ status, fullName }) => !ran.has(status) && (pattern?.test(fullName) ?? true))
  const failedTests = tests.filter(({ status }) => status === 'failed')
  // A file that doesn't load has no tests that could fail, so it fails as one. So does an error outside any test.
  const failedFiles = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  return { passed: numPassedTests, failed: failedTests.length + failedFiles.length + skipped.length }
}

/** Pattern of the requested names. Undefined if all are requested. */
function namePatternOf(args) {
  for (const [at, arg] of args.entries()) {
    const [, flag, value] = /^(-t|--testNamePattern|--test-name-pattern)(?:=(.*))?$/s.exec(arg) ?? []
    if (flag !== undefined) return new RegExp(value ?? args[at + 1] ?? '')
  }
  return undefined
}
