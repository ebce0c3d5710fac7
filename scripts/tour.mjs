// `npm run tour`: walks through the app in real Electron and saves screenshots, files, and summary.json to out/tour/.
//   --docs    also refresh the pictures in docs/images/
import './help.mjs'
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDisplay } from './display.mjs'
import { resolveElectron } from './electron.mjs'
import { takeNow } from './now.mjs'
import { takeFlag } from './options.mjs'
import { ensureBuild, ensureModules, ensureSystem, root } from './setup.mjs'
import { useTemporaryFolder } from './temporary.mjs'

ensureModules()
ensureSystem({ display: true })
ensureBuild()
await resolveElectron()
const display = await ensureDisplay()
const folder = join(root, 'out', 'tour')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
// The tour starts its app at a fixed moment. `--now` reaches it through the environment instead of an app flag.
const { now, rest } = takeNow(process.argv.slice(2))
const forDocuments = takeFlag(rest, '--docs')
const args = ['--import', 'tsx', join(root, 'scripts/tour/walk.ts'), folder, ...rest]
const removeTemporary = useTemporaryFolder()
const child = spawn(process.execPath, args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...(now === undefined ? {} : { FLIGHTPLAN_NOW: now }) },
})
child.on('exit', (code) => {
  display.stop()
  removeTemporary()
  if (code === 0 && forDocuments) refreshPictures()
  process.exit(code ?? 1)
})

/** Replaces each picture of the documentation with the one of its name from the tour. */
function refreshPictures() {
  const pictures = join(root, 'docs', 'images')
  const taken = readdirSync(folder)
  for (const name of readdirSync(pictures)) {
    const from = taken.find((file) => file.replace(/^\d+-/, '') === name)
    if (from) copyFileSync(join(folder, from), join(pictures, name))
    else console.error(`The tour has no picture ${name}`)
  }
}
