// Walks through the app's main job in real Electron and leaves screenshots, files and summary.json in out/tour/.
import { spawn } from 'node:child_process'
import { rmSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDisplay } from './display.mjs'
import { resolveElectron } from './electron.mjs'
import { ensureBuild, ensureModules, ensureSystem, root } from './setup.mjs'

ensureModules()
ensureSystem({ display: true })
ensureBuild()
await resolveElectron()
const display = await ensureDisplay()
const folder = join(root, 'out', 'tour')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const args = ['--import', 'tsx', join(root, 'scripts/tour/walk.ts'), folder, ...process.argv.slice(2)]
const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
child.on('exit', (code) => {
  display.stop()
  process.exit(code ?? 1)
})
