import { cp, mkdtemp } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '#shared/time/clock'
import type { LocalService } from '../../src-main/app/backend'
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src-main/sandbox/start'

const seeded = new Map<string, Promise<string>>()

/** Copies a database seeded once into an empty folder, ten times as fast as seeding. */
export async function copySeeded(
  dataDir: string,
  {
    seed,
    scale = 1,
    campaignScale = scale,
    now,
  }: Pick<SandboxOptions, 'seed' | 'scale' | 'campaignScale'> & { now: () => number },
): Promise<void> {
  if (existsSync(join(dataDir, 'sandbox.sqlite'))) return
  // The demo's dates depend on the hour in which it's seeded.
  const key = [seed, scale, campaignScale, Math.floor(now() / 3_600_000)].join(' ')
  const template = seeded.get(key) ?? seedTemplate({ seed, scale, campaignScale, now })
  seeded.set(key, template)
  await cp(await template, dataDir, { recursive: true })
}

async function seedTemplate(options: Omit<SandboxOptions, 'dataDir'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'flightplan-seeded-'))
  await (await startSandbox({ ...options, dataDir: folder })).stop()
  return folder
}

/** The app's own service, which normally has a separate process, in this process. Its data survives a restart. */
export class SandboxService implements LocalService {
  readonly #options: { dataDir: string; clock: Clock; seed: 'demo' | 'empty'; scale: number }
  #sandbox: Sandbox | undefined
  #starting: Promise<void> | undefined
  #address = { baseUrl: '', token: '' }
  started: Promise<unknown> = Promise.resolve()

  constructor(options: { dataDir: string; clock: Clock; seed: 'demo' | 'empty'; scale: number }) {
    this.#options = options
  }

  get running(): boolean {
    return this.#sandbox !== undefined
  }

  get address(): { baseUrl: string; token: string } {
    return this.#address
  }

  renewed(token: string): void {
    this.#address = { ...this.#address, token }
  }

  keepRunning(): void {
    void this.start()
  }

  start(): Promise<void> {
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined))
    this.started = this.#starting.catch(() => undefined)
    return this.#starting
  }

  async stop(): Promise<void> {
    await this.#starting?.catch(() => undefined)
    const stopping = this.#sandbox
    this.#sandbox = undefined
    await stopping?.stop()
  }

  async #start(): Promise<void> {
    if (this.#sandbox) return
    const { dataDir, clock, seed, scale } = this.#options
    await copySeeded(dataDir, { seed, scale, now: clock.now })
    const port = this.#address.baseUrl === '' ? 0 : Number(new URL(this.#address.baseUrl).port)
    this.#sandbox = await startSandbox({ dataDir, seed, scale, port, now: clock.now })
    const { baseUrl, token } = this.#sandbox
    this.#address = { baseUrl, token }
  }
}
