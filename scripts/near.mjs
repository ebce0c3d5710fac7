// `npm run test:near`: tests what your changes reach, in less than a minute. Checks the types, lint, and format of the
// changed files, then runs the tests that load or show them, nearest first. Lists what doesn't fit into the minute.
import './help.mjs'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checksOf, runChecks } from './checks.mjs'
import { resolveElectron } from './electron.mjs'
import { graphOf, pagesOf, reachedBy, within } from './nearest.mjs'
import { runTests } from './run-tests.mjs'
import { ensureBuild, ensureModules, ensureSystem, root } from './setup.mjs'

/** Milliseconds for plain tests on two workers, while the checks run. */
const budget = 20_000
/** Milliseconds for a file that hasn't been measured. */
const usualCost = 1_500

ensureModules()
const began = Date.now()
const changed = changedFiles()
if (changed.length === 0) {
  console.log('Nothing changed since the last commit\n0 passed, 0 failed')
  process.exit(0)
}
const graph = graphOf(root)
const timesFile = join(root, 'out', 'test-times.json')
const times = existsSync(timesFile) ? JSON.parse(readFileSync(timesFile, 'utf8')) : {}
const reached = reachedBy(graph, changed)
const plain = reached.filter(({ file }) => !/^test\/(page|e2e)\//.test(file) && !file.endsWith('.all.test.ts'))
const near = within(plain, (file) => times[file] ?? usualCost, budget)
const pages = [
  ...new Set([
    ...reached.filter(({ file, steps }) => steps <= 1 && file.startsWith('test/page/')).map(({ file }) => file),
    ...pagesOf(graph, changed),
  ]),
]

const env = { ...process.env, FLIGHTPLAN_DRAW: process.env.FLIGHTPLAN_DRAW ?? '1' }
const checking = runChecks(checksOf(changed.filter((file) => existsSync(join(root, file)))), env)
const tested =
  near.length === 0
    ? nothing()
    : await runTests(['--project', 'plain', '--project', 'apart', ...near.map(({ file }) => file)], env)
if (tested.report) remember(tested.report)
let shown = nothing()
if (pages.length > 0) {
  ensureSystem({ display: 'own', tests: ['notifications'] })
  ensureBuild()
  const { path } = await resolveElectron()
  shown = await runTests(['--project', 'page', ...pages], { ...env, FLIGHTPLAN_ELECTRON: path })
}
const checked = await checking

const left = plain.length - near.length
if (left > 0) console.log(`Skipped ${left} files further from the change. Run npm test to include them.`)
console.log(`${((Date.now() - began) / 1000).toFixed(0)} s for ${changed.length} changed files`)
const failed = checked.failed + tested.failed + shown.failed
console.log(`${checked.passed + tested.passed + shown.passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function nothing() {
  return { passed: 0, failed: 0, report: undefined }
}

/** Changed and new files since the last commit. */
function changedFiles() {
  const lines = (...args) =>
    spawnSync('git', args, { cwd: root, encoding: 'utf8' })
      .stdout.split('\n')
      .filter((line) => line !== '')
  return [
    ...new Set([
      ...lines('diff', '--name-only', '--relative', 'HEAD'),
      ...lines('ls-files', '--others', '--exclude-standard'),
    ]),
  ]
}

/** Stores how long each file took, for the next choice. */
function remember({ testResults }) {
  for (const { name, startTime, endTime } of testResults)
    times[name.slice(root.length + 1)] = Math.round(endTime - startTime)
  writeFileSync(timesFile, JSON.stringify(times))
}
