// Builds when needed and runs the app in Electron with the given arguments, on a virtual display if there is none.
import { spawn } from 'node:child_process'
import { ensureDisplay } from './display.mjs'
import { resolveElectron } from './electron.mjs'
import { ensureBuild, ensureModules, ensureSystem, root } from './setup.mjs'

ensureModules()
ensureSystem({ display: true })
ensureBuild()
const electron = await resolveElectron()
const display = await ensureDisplay()
const noSandbox = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []
const child = spawn(electron.path, [root, ...noSandbox, ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => {
  display.stop()
  process.exit(signal ? 1 : (code ?? 0))
})
