import { parseArgs } from 'node:util'
import { startSandbox, type SandboxOptions } from './start'

const usage = 'sandbox [--port N] [--data DIR] [--seed demo|empty] [--scale N] [--token TEXT] [--words neutral|public]'

/** @throws Error with a sentence for people */
function readFlags(): SandboxOptions {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      data: { type: 'string' },
      seed: { type: 'string', default: 'demo' },
      scale: { type: 'string', default: '1' },
      token: { type: 'string' },
      words: { type: 'string', default: 'neutral' },
    },
  })
  const port = Number(values.port)
  if (!/^\d+$/.test(values.port) || port > 65_535) throw new Error(`--port must be 0 to 65535: ${values.port}`)
  const scale = Number(values.scale)
  if (!Number.isFinite(scale) || scale <= 0 || scale > 200)
    throw new Error(`--scale must be above 0 and at most 200: ${values.scale}`)
  const { seed, words } = values
  if (seed !== 'demo' && seed !== 'empty') throw new Error(`--seed must be demo or empty: ${seed}`)
  if (words !== 'neutral' && words !== 'public') throw new Error(`--words must be neutral or public: ${words}`)
  return {
    port,
    dataDir: values.data,
    seed,
    scale,
    token: values.token ?? process.env['FLIGHTPLAN_SANDBOX_TOKEN'],
    words,
  }
}

async function main(): Promise<void> {
  let options: SandboxOptions
  try {
    options = readFlags()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nusage: ${usage}\n`)
    process.exitCode = 2
    return
  }
  // What it keeps is nobody else's.
  process.umask(0o077)
  const sandbox = await startSandbox(options)
  const { baseUrl, token, ids } = sandbox
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void sandbox.stop().then(() => process.exit(0)))
  }
  process.stdout.write(`${JSON.stringify({ baseUrl, token, ids })}\n`)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
