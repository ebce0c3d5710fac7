import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureDisplay } from './display.mjs'
import { resolveElectron } from './electron.mjs'
import { ensureBuild, ensureModules, ensureSystem, root } from './setup.mjs'
import { useTemporaryFolder } from './temporary.mjs'

/**
 * Sets everything up, runs a TypeScript file with the built app and a display, and exits with its code.
 * @param {string} file its path from the root
 * @param {{ own?: boolean }} options `own`: never the display that people look at
 */
export async function runOnDisplay(file, args, { own = false } = {}) {
  ensureModules()
  ensureSystem({ display: own ? 'own' : true })
  ensureBuild()
  await resolveElectron()
  if (own) {
    delete process.env.DISPLAY
    delete process.env.WAYLAND_DISPLAY
  }
  const display = await ensureDisplay()
  const removeTemporary = useTemporaryFolder()
  const child = spawn(process.execPath, ['--import', 'tsx', join(root, file), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: process.env,
  })
  child.on('exit', (code) => {
    display.stop()
    // What failed can be looked at.
    if (code === 0) removeTemporary()
    process.exit(code ?? 1)
  })
}
