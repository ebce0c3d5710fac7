// Runs vitest and counts what its report says, for `npm test`, `npm run test:all` and `npm run test:near`.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bin } from './checks.mjs'
import { countsOf } from './counts.mjs'
import { root } from './setup.mjs'

/** Report of the last run. */
export const reportFile = join(root, 'out', 'test-results.json')

/** One JSON line per app start, written by test/helpers/measures.ts. */
export const measuresFile = join(root, 'out', 'test-measures.jsonl')

/** @returns {Promise<{ passed: number, failed: number, report: object | undefined }>} */
export async function runTests(args, env) {
  mkdirSync(join(root, 'out'), { recursive: true })
  for (const file of [reportFile, measuresFile]) rmSync(file, { force: true })
  const child = spawn(
    bin('vitest'),
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`, ...args],
    { cwd: root, stdio: 'inherit', env: { ...env, FLIGHTPLAN_MEASURES: measuresFile } },
  )
  const status = await new Promise((resolve) => {
    child.on('error', () => resolve(1))
    child.on('close', (code) => resolve(code ?? 1))
  })
  const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : undefined
  const { passed, failed } = report ? countsOf(report, args) : { passed: 0, failed: 1 }
  // An error outside of tests isn't counted as a failed test, but fails the run.
  return { passed, failed: status !== 0 && failed === 0 ? 1 : failed, report }
}
