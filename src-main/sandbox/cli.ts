import { parseArgs } from 'node:util'
import { offsetClock, offsetTo, readMoment } from '#shared/time/clock'
import { startSandbox, type SandboxOptions } from './start'

const usage = 'usage: sandbox [options]'

const optionLines = `  --port N            port to listen on (default: any free one)
  --data DIR          folder of the data (default: in memory)
  --seed demo|empty   content of a new sandbox (default: demo, the sample data)
  --scale N           times as much sample data (default: 1, about 1,000 events)
  --campaign-scale N  another multiple for campaigns
  --token TEXT        token that clients must send (default: a new one)
  --words NAMING      neutral or public names of fields and operations (default: neutral)
  --now TIME          clock of the sandbox, such as 2026-06-10T08:00:00+02:00
  --sign-in           add a sign-in page for browsers
  --attended          stop when stdin closes`

/** @throws Error with a sentence for people */
function readFlags(): SandboxOptions & { attended: boolean } {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      data: { type: 'string' },
      seed: { type: 'string', default: 'demo' },
      scale: { type: 'string', default: '1' },
      'campaign-scale': { type: 'string' },
      token: { type: 'string' },
      words: { type: 'string', default: 'neutral' },
      now: { type: 'string' },
      'sign-in': { type: 'boolean', default: false },
      // From the app: the same at every start, so that time continues where the service stopped.
      'clock-offset': { type: 'string' },
      // Exits when its input closes, which happens when the parent process ends in any way.
      attended: { type: 'boolean', default: false },
    },
  })
  const port = Number(values.port)
  if (!/^\d+$/.test(values.port) || port > 65_535) throw new Error(`--port must be 0 to 65535: ${values.port}`)
  const scale = readScale('scale', values.scale)
  const campaigns = values['campaign-scale']
  const { seed, words } = values
  if (seed !== 'demo' && seed !== 'empty') throw new Error(`--seed must be demo or empty: ${seed}`)
  if (words !== 'neutral' && words !== 'public') throw new Error(`--words must be neutral or public: ${words}`)
  return {
    port,
    dataDir: values.data,
    attended: values.attended,
    signIn: values['sign-in'],
    seed,
    scale,
    ...(campaigns !== undefined && { campaignScale: readScale('campaign-scale', campaigns) }),
    token: values.token ?? process.env['FLIGHTPLAN_SANDBOX_TOKEN'],
    words,
    now: clockOf(values.now, values['clock-offset']),
  }
}

function readScale(flag: string, text: string): number {
  const scale = Number(text)
  if (!Number.isFinite(scale) || scale <= 0 || scale > 500)
    throw new Error(`--${flag} must be above 0 and at most 500: ${text}`)
  return scale
}

function clockOf(now: string | undefined, offset: string | undefined): (() => number) | undefined {
  if (now !== undefined) return offsetClock(offsetTo(readMoment(now))).now
  if (offset === undefined) return undefined
  const ms = Number(offset)
  if (offset === '' || !Number.isFinite(ms)) throw new Error(`--clock-offset must be milliseconds: ${offset}`)
  return offsetClock(ms).now
}

async function main(): Promise<void> {
  if (process.argv.includes('--help')) return void process.stdout.write(`${usage}\n${optionLines}\n`)
  let options: ReturnType<typeof readFlags>
  try {
    options = readFlags()
  } catch (error) {
    return end(2, `${error instanceof Error ? error.message : String(error)}\n${usage}\n--help lists the options.`)
  }
  // Only the owner may read its files.
  process.umask(0o077)
  const sandbox = await startSandbox(options)
  const { baseUrl, token, ids } = sandbox
  const stop = (): void => void sandbox.stop().then(() => process.exit(0))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
  if (options.attended) process.stdin.on('close', stop).resume()
  process.stdout.write(`${JSON.stringify({ baseUrl, token, ids })}\n`)
}

/** Electron child processes don't exit on their own, because they listen to their parent. */
function end(code: number, words: string): void {
  process.stderr.write(`${words}\n`, () => process.exit(code))
}

main().catch((error: unknown) => end(1, error instanceof Error ? error.message : String(error)))
