// `npm run -s simulate -- [options]`: runs simulated computers and a service with random edits and every kind of fault.
// An auditor then looks for anything that was lost, duplicated, or overwritten. Exits with 1 if a seed fails.
//   --seeds N       number of random schedules
//   --from N|new    first seed, or `new` for one that hasn't run
//   --steps N       length of each schedule
//   --minutes N     try new schedules of every kind for this long
//   --quarrel       everyone edits the same few records and resolves conflicts
//   --campaigns     adds drafts and downloads
//   --typing        people type while others change the same field
//   --restoring     people delete, restore, and undo how they resolved conflicts
//   --reverting     people revert finished changes
//   --basic         only the simplest edits
//   --strict        known gaps count as failures
//   --json          print one JSON line
// To see one schedule:
//   --seed N        run only this seed
//   --trace         print what happens in it
//   --shrink        print its shortest version that still fails
import './help.mjs'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureModules, root } from './setup.mjs'
import { useTemporaryFolder } from './temporary.mjs'

ensureModules()
const { build } = await import('vite')
const cache = join(root, 'node_modules/.cache')
mkdirSync(cache, { recursive: true })
const outDir = mkdtempSync(join(cache, 'simulate-'))
const removeTemporary = useTemporaryFolder()
let status = 1
try {
  // A bundle runs a quarter faster than the modules that tsx makes.
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: { ssr: 'test/flows/simulate.ts', outDir, target: 'node20', rollupOptions: { output: { format: 'es' } } },
  })
  const script = join(outDir, 'simulate.js')
  ;({ status } = spawnSync(process.execPath, [script, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' }))
} finally {
  rmSync(outDir, { recursive: true, force: true })
  removeTemporary()
}
process.exit(status ?? 1)
