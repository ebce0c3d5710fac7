// `npm run bench`: speed as ratios against floors measured in the same run. `--json` prints one JSON document on stdout.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureDisplay } from './display.mjs'
import { resolveElectron } from './electron.mjs'
import { ensureBuild, ensureModules, ensureSystem, root } from './setup.mjs'

ensureModules()
ensureSystem({ display: true })
ensureBuild()
await resolveElectron()
const display = await ensureDisplay()
const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'test/bench/run.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: process.env,
})
child.on('exit', (code) => {
  display.stop()
  process.exit(code ?? 1)
})
