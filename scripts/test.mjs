// `npm test`: sets up, checks types, format and lint, runs every test, and ends with one line `N passed, N failed`.
// `--now MOMENT` moves the clock: plain tests see it as the system's, windows start there. Other arguments go to vitest:
// `npm test -- test/shared`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { countsOf } from './counts.mjs'
import { ensureDisplay } from './display.mjs'
import { resolveElectron } from './electron.mjs'
import { takeNow } from './now.mjs'
import { ensureBuild, ensureModules, ensureSystem, root } from './setup.mjs'

const { now, rest: filters } = takeNow(process.argv.slice(2))
ensureModules()
ensureSystem({ display: true })
ensureBuild()
const electron = await resolveElectron()
const display = await ensureDisplay()

const bin = (name) => join(root, 'node_modules', '.bin', name)
const retriesFile = join(root, 'out', 'test-retries.json')
const env = {
  ...process.env,
  FLIGHTPLAN_ELECTRON: electron.path,
  FLIGHTPLAN_RETRIES: retriesFile,
  ...(now === undefined ? {} : { FLIGHTPLAN_NOW: now }),
}

/** Checks that count as one test each, so that a slip in types or style fails like any other. */
const checks =
  filters.length > 0
    ? []
    : [
        ['types of src-shared', bin('tsc'), ['-p', 'tsconfig.shared.json']],
        ['types of src-main', bin('tsc'), ['-p', 'tsconfig.main.json']],
        [
          'types of src-renderer',
          bin('svelte-check'),
          ['--tsconfig', 'tsconfig.renderer.json', '--threshold', 'error', '--output', 'human'],
        ],
        ['types of test', bin('tsc'), ['-p', 'tsconfig.test.json']],
        ['format', bin('prettier'), ['--check', '--log-level', 'warn', '.']],
        ['lint', bin('eslint'), ['--max-warnings', '0', '.']],
      ]

let passed = 0
let failed = 0
for (const [name, command, args] of checks) {
  const started = Date.now()
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env })
  if (status === 0) passed += 1
  else failed += 1
  console.log(`${status === 0 ? 'ok' : 'FAILED'}  ${name}  ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

const report = join(root, 'out', 'test-results.json')
mkdirSync(join(root, 'out'), { recursive: true })
for (const file of [report, retriesFile]) rmSync(file, { force: true })
const run = spawnSync(
  bin('vitest'),
  [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--reporter=${join(root, 'scripts', 'retries.mjs')}`,
    `--outputFile.json=${report}`,
    ...filters,
  ],
  { cwd: root, stdio: 'inherit', env },
)
display.stop()
if (existsSync(report)) {
  const counts = countsOf(JSON.parse(readFileSync(report, 'utf8')), filters)
  passed += counts.passed
  failed += counts.failed
} else failed += 1
if (run.status !== 0 && failed === 0) failed += 1
// A second try keeps a developer's run going; what needed one is named, and fails where nobody looks twice.
const retried = existsSync(retriesFile) ? JSON.parse(readFileSync(retriesFile, 'utf8')) : []
for (const { name, retries } of retried) console.log(`needed ${retries + 1} tries: ${name}`)
if (retried.length > 0) console.log(`${retried.length} of the tests needed more than one try`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)
