// `npm run -s sandbox -- …`: the sandbox service on its own. stdout contains only its ready line.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureModules, root } from './setup.mjs'

ensureModules()
const child = spawn(
  process.execPath,
  ['--import', 'tsx', join(root, 'src-main/sandbox/cli.ts'), ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
  },
)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
// SIGTERM ends npm and its shell without notifying this process, so watch for a new parent.
const parent = process.ppid
if (process.env.npm_lifecycle_event && process.platform !== 'win32') {
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 200).unref()
}
child.on('exit', (code, signal) => process.exit(signal ? 0 : (code ?? 0)))
