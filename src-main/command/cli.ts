import { runInNode } from './run-in-node'
import { speakingTo } from './run-command-line'

// `npm run -s report`: the command of the app in a process of Node.

const speaking = speakingTo(process, process.env['npm_package_version'] ?? '')
const control = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => control.abort())

runInNode(process.argv.slice(2), { ...speaking, env: process.env, signal: control.signal }).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    speaking.err(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  },
)
