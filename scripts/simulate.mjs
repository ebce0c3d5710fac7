// `npm run -s simulate -- --seeds N --from S [--steps K] --json`: random schedules of devices, one service and trouble of
// every kind, judged by an auditor. `--from new` begins at a seed nobody has tried. Ends with 1 when a seed failed.
// `--minutes M` tries new seeds of all kinds of people that long, with an equal share for each.
// `--quarrel`: they write to the same few records and decide about them. `--campaigns`: they traffic, too.
// `--basic`: they do only what the first seeds did. `--strict`: what the engine doesn't do yet fails, too.
// `npm run -s simulate -- --seed S [--steps K] --trace` tells the story of one, `--shrink` the shortest that fails as it does.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureModules, root } from './setup.mjs'

ensureModules()
const { build } = await import('vite')
const cache = join(root, 'node_modules/.cache')
mkdirSync(cache, { recursive: true })
const outDir = mkdtempSync(join(cache, 'simulate-'))
let status = 1
try {
  // A bundle is a quarter faster than what tsx makes of each file.
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
}
process.exit(status ?? 1)
