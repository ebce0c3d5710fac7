// `npm test`: installs what's missing, checks types, format, and lint, and runs the usual tests. Its last line is
// `N passed, N failed`. `npm run test:all` also runs the long tests, every case that `npm test` samples, and the page
// tests in a current Chromium.
//   --now TIME      run at another moment, such as 2026-10-25T02:30:00+02:00
//   --draw SEED     choose the sampled cases by a seed (default: the commit)
//   --slowest N     print the slowest files and tests
//   --shard 1/4     run one part, for several machines
//   --others        run the window tests that `npm test` leaves out
//   --rest          run what `npm test` leaves out, with test:all
// Other arguments go to vitest: `npm test -- test/shared`.
import './help.mjs'
import { existsSync, readFileSync } from 'node:fs'
import { allChecks, runChecks } from './checks.mjs'
import { resolveElectron } from './electron.mjs'
import { takeNow } from './now.mjs'
import { commitSeed, takeFlag, takeNumber } from './options.mjs'
import { measuresFile, runTests } from './run-tests.mjs'
import { chromiumPath, ensureBuild, ensureModules, ensureSystem, root } from './setup.mjs'
import { slowestOf } from './slowest.mjs'

const { now, rest } = takeNow(process.argv.slice(2))
const args = [...rest]
const outer = takeFlag(args, '--all')
const onlyRest = takeFlag(args, '--rest')
const others = takeFlag(args, '--others')
const slowest = takeNumber(args, '--slowest')
const draw = takeNumber(args, '--draw') ?? commitSeed(root)
const shard = args.find((arg, at) => arg.startsWith('--shard=') || args[at - 1] === '--shard')?.replace('--shard=', '')
const filters = args.filter((arg, at) => !arg.startsWith('--shard') && args[at - 1] !== '--shard')

const began = Date.now()
ensureModules()
// Only one shard includes the checks. A filter requests some tests only.
const withChecks = filters.length === 0 && !onlyRest && !others && (shard === undefined || shard.startsWith('1/'))
// The first check runs during the build, the others next to the plain tests. Windows need the processor and come later.
const checking = runChecks(withChecks ? allChecks() : [])
// Once more in what people get, because this Electron may be older.
const inChromium = outer && !onlyRest && filters.length === 0
ensureSystem({ display: 'own', tests: ['notifications', ...(inChromium ? ['chromium'] : [])] })
ensureBuild()
const electron = await resolveElectron()
const chromium = inChromium ? chromiumPath() : undefined
if (inChromium && !chromium) console.log('Page tests run in Electron only: there’s no Chromium.')

const env = {
  ...process.env,
  FLIGHTPLAN_ELECTRON: electron.path,
  FLIGHTPLAN_DRAW: String(draw),
  ...(outer ? { FLIGHTPLAN_RING: 'all' } : {}),
  ...(chromium ? { FLIGHTPLAN_CHROMIUM: chromium } : {}),
  ...(onlyRest ? { FLIGHTPLAN_REST: '1' } : {}),
  // Tests chosen by their path all run.
  ...(!outer && filters.length === 0 ? { FLIGHTPLAN_WINDOWS: others ? 'others' : 'drawn' } : {}),
  ...(now === undefined ? {} : { FLIGHTPLAN_NOW: now }),
}
if (!outer) console.log(`Sample seed: ${draw}. Repeat with: npm test -- ${others ? '--others ' : ''}--draw ${draw}`)

const [checked, tested] = await Promise.all([checking, runTests(args, env)])

if (slowest !== undefined && tested.report) {
  const lines = existsSync(measuresFile) ? readFileSync(measuresFile, 'utf8').trim().split('\n').filter(Boolean) : []
  console.log(
    slowestOf(
      tested.report,
      lines.map((line) => JSON.parse(line)),
      slowest,
      root,
    ).join('\n'),
  )
}
const passed = checked.passed + tested.passed
const failed = checked.failed + tested.failed
console.log(`${((Date.now() - began) / 1000).toFixed(0)} s`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)
