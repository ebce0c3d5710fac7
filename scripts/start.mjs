// `npm start`: sets up and opens the app. Without a display it runs the same app on a virtual one, walks through its
// main job and leaves screenshots and files in out/tour/.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureModules, root } from './setup.mjs'

const hasDisplay = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY
ensureModules()
const script = hasDisplay ? 'electron-run.mjs' : 'tour.mjs'
const child = spawn(process.execPath, [join(root, 'scripts', script), ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 0)))
