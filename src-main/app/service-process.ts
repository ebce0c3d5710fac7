import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { utilityProcess, type UtilityProcess } from 'electron'
import { z } from 'zod'
import { helperEnvironment } from './helper-env'
import { Restarts } from './restarts'
import { FaultError } from '#shared/fault'

const readySchema = z.object({ baseUrl: z.string().url(), token: z.string().min(1) })

/** Maximum time to start, in milliseconds. Seeding a large year takes a while on a slow disk. */
const startTimeout = 180_000

export interface ServiceOptions {
  script: string
  dataDir: string
  seed: string
  scale: number
  /** Offset of the sandbox's clock from the computer's, in milliseconds. The same at every start. */
  clockOffset: number
  /** Milliseconds that only ever grow. */
  elapsed: () => number
  /** Called when the process ended unexpectedly, or was restarted. */
  changed: () => void
  /** Called when the process ended too often and isn't restarted. The message is for users. */
  failed: (message: string) => void
}

/**
 * Runs the sandbox in its own process, so that its database never blocks the window. Its data stays in `dataDir`.
 * Stopping it acts like unplugging a real service. If it crashes, it restarts with the same data.
 */
export class ServiceProcess {
  readonly #options: ServiceOptions
  readonly #restarts = new Restarts()
  #restart: ReturnType<typeof setTimeout> | undefined
  /** True while the service is supposed to run. */
  #wanted = false
  #process: UtilityProcess | undefined
  #starting: Promise<void> | undefined
  #ready: { baseUrl: string; token: string } | undefined
  #started: Promise<unknown> = Promise.resolve()
  /** Kept across restarts, so that the account's address stays the same. */
  #port = 0

  constructor(options: ServiceOptions) {
    this.#options = options
  }

  get running(): boolean {
    return this.#process !== undefined && this.#ready !== undefined
  }

  /** Address and token of the last start. Empty before the first. */
  get address(): { baseUrl: string; token: string } {
    return this.#ready ?? { baseUrl: '', token: '' }
  }

  /** Resolves once a start in progress has succeeded or failed. */
  get started(): Promise<unknown> {
    return this.#started
  }

  /** @throws FaultError `storage`, with the reason as its cause */
  start(): Promise<void> {
    this.#wanted = true
    clearTimeout(this.#restart)
    this.#starting ??= this.#start()
      .catch((cause: unknown) => {
        const message = 'The sandbox didn’t start. Try again, or restart Flightplan.'
        throw new FaultError({ code: 'storage', message }, { cause })
      })
      .finally(() => (this.#starting = undefined))
    this.#started = this.#starting.catch(() => undefined)
    return this.#starting
  }

  /** Starts the process, and restarts it whenever it fails or ends, until it's stopped or `failed` is called. */
  keepRunning(): void {
    this.start().then(
      () => this.#options.changed(),
      ({ cause }: FaultError) => {
        // Another program may have taken the port.
        this.#port = 0
        if (this.#wanted) this.#died(`didn’t start (${cause instanceof Error ? cause.message : String(cause)})`)
      },
    )
  }

  /** Called when the service has issued a new token. */
  renewed(token: string): void {
    if (this.#ready) this.#ready = { ...this.#ready, token }
  }

  async stop(): Promise<void> {
    this.#wanted = false
    clearTimeout(this.#restart)
    await this.#starting?.catch(() => undefined)
    const running = this.#process
    if (!running) return
    const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()))
    running.kill()
    await ended
  }

  #died(how: string): void {
    console.error(`The sandbox ${how}.`)
    this.#options.changed()
    const delay = this.#restarts.next(this.#options.elapsed())
    if (delay === undefined) {
      this.#options.failed(
        'The sandbox keeps stopping. Your changes are saved on this computer. Start it in Sync, or restart Flightplan.',
      )
      return
    }
    this.#restart = setTimeout(() => this.keepRunning(), delay)
  }

  async #start(): Promise<void> {
    if (this.#process) return
    const { script, dataDir, seed, scale, clockOffset } = this.#options
    const args = ['--port', String(this.#port), '--data', join(dataDir), '--seed', seed, '--scale', String(scale)]
    if (clockOffset !== 0) args.push(`--clock-offset=${clockOffset}`)
    // Passed in the environment, which `ps` doesn't show, and never written to disk.
    const token = randomBytes(24).toString('base64url')
    const env = { ...helperEnvironment(process.env), FLIGHTPLAN_SANDBOX_TOKEN: token }
    const child = utilityProcess.fork(script, args, { stdio: 'pipe', serviceName: 'Flightplan sandbox', env })
    this.#process = child
    this.#ready = undefined
    let errors = ''
    child.stderr?.on('data', (data: Buffer) => (errors = (errors + data.toString()).slice(-2_000)))
    child.once('exit', (code) => {
      if (this.#process !== child) return
      const ran = this.#ready !== undefined
      this.#process = undefined
      if (ran && this.#wanted) this.#died(`stopped with code ${code}`)
    })
    const line = await new Promise<string>((resolve, reject) => {
      let text = ''
      const timer = setTimeout(() => {
        child.kill()
        reject(new Error('no response in time'))
      }, startTimeout)
      child.stdout?.on('data', (data: Buffer) => {
        text += data.toString()
        if (!text.includes('\n')) return
        clearTimeout(timer)
        resolve(text.slice(0, text.indexOf('\n')))
      })
      child.once('exit', (code) => {
        clearTimeout(timer)
        reject(new Error(`code ${code}: ${errors.trim()}`))
      })
    })
    this.#ready = readySchema.parse(JSON.parse(line))
    this.#port = Number(new URL(this.#ready.baseUrl).port)
  }
}
