// `npm run -s simulate -- --seeds N --from S [--steps K] --json`: random schedules of devices and one service under all kinds
// of faults, judged by an auditor. `--from new` begins at a new seed. Exits with 1 if a seed failed.
// `--minutes M` tries new seeds of all kinds for that long, with an equal share for each.
// `--quarrel`: devices edit the same few records and resolve conflicts. `--campaigns`: adds campaigns. `--typing`: people type
// into fields while others change them. `--restoring`: people restore what was deleted, and undo how they resolved conflicts.
// `--reverting`: people revert finished changes. `--basic`: only the edits of the first version. `--strict`: known gaps of the engine fail, too.
// `npm run -s simulate -- --seed S [--steps K] --trace` prints the story of one seed, `--shrink` its shortest failing form.
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
