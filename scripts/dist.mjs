// `npm run dist`: packages for this system with electron-builder. `npm run dist -- --dir` stops at the unpacked app.
// A borrowed Electron (see electron.mjs) is fine for trying a packaged app out, never for an installer.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolveElectron } from './electron.mjs'
import { ensureBuild, ensureModules, root } from './setup.mjs'

ensureModules()
ensureBuild()
const electron = await resolveElectron()
const directoryOnly = process.argv.includes('--dir')
if (electron.from === 'carrier' && !directoryOnly) {
  throw new Error(
    'Installers need the released Electron. Run `npm run dist -- --dir`, or set ELECTRON_OVERRIDE_DIST_PATH.',
  )
}
const { build, Platform } = await import('electron-builder')
const platforms = process.argv.includes('--all')
  ? [Platform.LINUX, Platform.WINDOWS, Platform.MAC]
  : [Platform.current()]
const targets = new Map()
for (const platform of platforms)
  for (const [key, value] of platform.createTarget(directoryOnly ? 'dir' : undefined)) targets.set(key, value)
const made = await build({
  projectDir: root,
  targets,
  publish: 'never',
  config: electron.from === 'package' ? undefined : writeConfig(),
})
for (const file of made) console.log(file)

/** Writes electron-builder.json for the installed Electron, without a fuse that Electron 25 lacks. */
function writeConfig() {
  const config = JSON.parse(readFileSync(join(root, 'electron-builder.json'), 'utf8'))
  config.electronDist = electron.dist
  if (electron.from === 'carrier') {
    config.electronVersion = '25.1.1'
    delete config.electronFuses.grantFileProtocolExtraPrivileges
  }
  const file = join(root, '.cache', 'electron-builder.json')
  mkdirSync(join(root, '.cache'), { recursive: true })
  writeFileSync(file, JSON.stringify(config))
  return file
}
