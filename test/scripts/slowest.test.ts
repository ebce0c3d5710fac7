import { expect, it } from 'vitest'
import { slowestOf } from '../../scripts/slowest.mjs'

const root = '/flightplan'
const file = (name: string, ms: number, ...tests: [string, number][]) => ({
  name: `${root}/test/${name}`,
  startTime: 1_000,
  endTime: 1_000 + ms,
  assertionResults: tests.map(([fullName, duration]) => ({ fullName, duration })),
})
const report = {
  testResults: [
    file('shared/quick.test.ts', 500, ['adds', 100]),
    file('page/slow.test.ts', 9_000, ['waits', 8_000], ['goes', 50]),
    file('e2e/window.test.ts', 4_000, ['opens', 3_000]),
  ],
}
const measures = [
  { kind: 'launch', file: 'test/e2e/window.test.ts', ms: 1_500 },
  { kind: 'launch', file: 'test/e2e/window.test.ts', ms: 500 },
  { kind: 'file', file: 'test/page/slow.test.ts', ms: 8_500, busy: 2_500, processor: 4_000 },
]

it('names the slowest files with their waits and app starts, and the slowest tests', () => {
  expect(slowestOf(report, measures, 2, root)).toEqual([
    'Slowest files (seconds, of these waiting, processor time with child processes, app starts):',
    '    8.5     6.0     4.0    0  test/page/slow.test.ts',
    '    4.0                    2  test/e2e/window.test.ts',
    'Processor time by folder (seconds):',
    '    4.0  test/page',
    'Slowest tests (seconds):',
    '    8.0  test/page/slow.test.ts > waits',
    '    3.0  test/e2e/window.test.ts > opens',
    '3 files, 4 tests, 13.0 s in files, of these 6.0 s waiting. 2 app starts took 2.0 s',
  ])
})
