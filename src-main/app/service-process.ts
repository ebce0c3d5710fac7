import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { utilityProcess, type UtilityProcess } from 'electron'
import { z } from 'zod'

const readySchema = z.object({ baseUrl: z.string().url(), token: z.string().min(1) })

/** Seeding a large year takes a while on a slow disk. */
const startTimeout = 180_000

export interface ServiceProcessOptions {
  script: string
  dataDir: string
  seed: string
  scale: number
  /** Milliseconds by which its clock is ahead of the computer's, the same at every start. */
  clockOffset: number
}

/**
 * The embedded service in a process of its own, so that its database never holds up the window. Its data stays in
 * `dataDir`; stopping it is what pulling the network cable is to a real service.
 */
export class ServiceProcess {
  readonly #options: ServiceProcessOptions
  #process: UtilityProcess | undefined
  #starting: Promise<void> | undefined
  #ready: { baseUrl: string; token: string } | undefined
  #started: Promise<unknown> = Promise.resolve()
  /** The port is kept over a restart, so that the account's address stays the same. */
  #port = 0

  constructor(options: ServiceProcessOptions) {
    this.#options = options
  }

  get running(): boolean {
    return this.#process !== undefined && this.#ready !== undefined
  }

  /** Address and token of the last start; empty before it. */
  get address(): { baseUrl: string; token: string } {
    return this.#ready ?? { baseUrl: '', token: '' }
  }

  /** Settled once a start that is under way has succeeded or failed. */
  get started(): Promise<unknown> {
    return this.#started
  }

  start(): Promise<void> {
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined))
    this.#started = this.#starting.catch(() => undefined)
    return this.#starting
  }

  /** The service gave a new token in place of the one it was started with. */
  renewed(token: string): void {
    if (this.#ready) this.#ready = { ...this.#ready, token }
  }

  async stop(): Promise<void> {
    await this.#starting?.catch(() => undefined)
    const running = this.#process
    if (!running) return
    const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()))
    running.kill()
    await ended
  }

  async #start(): Promise<void> {
    if (this.#process) return
    const { script, dataDir, seed, scale, clockOffset } = this.#options
    const args = ['--port', String(this.#port), '--data', join(dataDir), '--seed', seed, '--scale', String(scale)]
    if (clockOffset !== 0) args.push(`--clock-offset=${clockOffset}`)
    // Made here and handed over in the environment, where `ps` does not show it; nobody writes it to the disk.
    const token = randomBytes(24).toString('base64url')
    const env = { ...process.env, FLIGHTPLAN_SANDBOX_TOKEN: token }
    const child = utilityProcess.fork(script, args, { stdio: 'pipe', serviceName: 'Flightplan sandbox', env })
    this.#process = child
    this.#ready = undefined
    let errors = ''
    child.stderr?.on('data', (data: Buffer) => (errors = (errors + data.toString()).slice(-2_000)))
    child.once('exit', () => {
      if (this.#process === child) this.#process = undefined
    })
    const line = await new Promise<string>((resolve, reject) => {
      let text = ''
      const timer = setTimeout(() => reject(new Error('The sandbox did not start in time.')), startTimeout)
      child.stdout?.on('data', (data: Buffer) => {
        text += data.toString()
        if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
      })
      child.once('exit', (code) => {
        clearTimeout(timer)
        reject(new Error(`The sandbox ended with ${code}: ${errors}`))
      })
    })
    this.#ready = readySchema.parse(JSON.parse(line))
    this.#port = Number(new URL(this.#ready.baseUrl).port)
  }
}
