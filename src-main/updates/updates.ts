import { join } from 'node:path'
import { z } from 'zod'
import { FaultError, type Fault, type FaultCode } from '#shared/fault'
import type { UpdateState } from '#shared/ipc/update-questions'
import { KeptFile } from '../disk/kept-file'
import type { UpdateEngine } from './engine'

const notPrepared: Fault = { code: 'storage', message: 'Couldn’t prepare the update.' }

/** Milliseconds: after the start, the window has better things to do. */
const times = { first: 60_000, next: 6 * 3_600_000 }

export interface UpdatesOptions {
  userData: string
  /** Where updates come from, or why this copy can't update itself. Absent if this build has no update server. */
  source?: UpdateState['source']
  /** Opens the engine when it's first needed. */
  engine: () => Promise<UpdateEngine>
  /** Epoch milliseconds. */
  now: () => number
  changed: (state: UpdateState) => void
  log: (happened: 'ready' | 'failed' | 'installed' | 'deferred', code?: FaultCode) => void
}

/** Looks for new versions, downloads them, and installs them when the app quits. */
export class Updates {
  readonly #options: UpdatesOptions
  readonly #file: KeptFile<{ automatic: boolean }>
  #state: UpdateState
  #engine: Promise<UpdateEngine> | undefined
  #ready: UpdateEngine | undefined
  #checking: Promise<UpdateState> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #startAgain = false
  /** No one asked for the update, so turning updates off also cancels it. */
  #unasked = false

  private constructor(options: UpdatesOptions) {
    this.#options = options
    const { source, userData } = options
    this.#state = { ...(source && { source }), automatic: true, phase: 'idle' }
    this.#file = new KeptFile(join(userData, 'updates.json'), z.object({ automatic: z.boolean() }), {
      missing: { automatic: true },
    })
  }

  /** Begins to look for updates, unless someone turned that off. */
  static async open(options: UpdatesOptions): Promise<Updates> {
    const updates = new Updates(options)
    updates.#state = { ...updates.#state, ...(await updates.#file.read()) }
    updates.#plan(times.first)
    return updates
  }

  get state(): UpdateState {
    return this.#state
  }

  /** @throws FaultError `storage` */
  async change({ automatic }: { automatic: boolean }): Promise<UpdateState> {
    await this.#file.write({ automatic })
    this.#set({ automatic })
    if (!automatic && this.#unasked && this.#ready?.cancel()) {
      this.#ready = undefined
      this.#set({ phase: 'idle', next: undefined })
    }
    this.#plan(0)
    return this.#state
  }

  /** Looks for an update and downloads it, as the user asked. Failures are part of the state. Joins a check in progress. */
  check(): Promise<UpdateState> {
    this.#unasked = false
    return this.#join()
  }

  #join(): Promise<UpdateState> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
      this.#plan(times.next)
    })
    return this.#checking
  }

  /** The app will start again once the update is installed. */
  startAgain(): void {
    this.#startAgain = true
  }

  /** Quitting was canceled. */
  stay(): void {
    this.#startAgain = false
  }

  /**
   * Installs an update that is ready. Call last, when everything else has ended.
   * @param quiet false if something was sent or written when the app began to quit: then the next quit installs it
   * @returns true if an installer took over
   */
  install(quiet: boolean): boolean {
    clearTimeout(this.#timer)
    if (this.#state.phase !== 'ready' || !this.#ready) return false
    let happened: 'installed' | 'deferred' | 'failed' = 'deferred'
    try {
      if (quiet && this.#ready.install(this.#startAgain)) happened = 'installed'
    } catch {
      happened = 'failed'
    }
    this.#options.log(happened)
    return happened === 'installed'
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  async #check(): Promise<UpdateState> {
    if (this.#options.source !== 'feed' || this.#state.phase === 'ready') return this.#state
    this.#set({ phase: 'checking', problem: undefined })
    try {
      const engine = await (this.#engine ??= this.#options.engine())
      const update = await engine.check()
      this.#set({ checkedAt: this.#options.now() })
      if (!update) return this.#set({ phase: 'idle', next: undefined })
      const { version, notes } = update
      this.#set({ phase: 'downloading', next: { version, notes } })
      await engine.download(update)
      // Updates have been turned off since.
      if (this.#unasked && !this.#state.automatic && engine.cancel())
        return this.#set({ phase: 'idle', next: undefined })
      this.#ready = engine
      this.#options.log('ready')
      return this.#set({ phase: 'ready' })
    } catch (error) {
      const { code, message } = error instanceof FaultError ? error.fault : notPrepared
      this.#options.log('failed', code)
      return this.#set({ phase: 'idle', next: undefined, problem: message })
    }
  }

  #plan(wait: number): void {
    clearTimeout(this.#timer)
    if (!this.#state.automatic || this.#options.source !== 'feed' || this.#state.phase === 'ready') return
    this.#timer = setTimeout(() => {
      if (!this.#checking) this.#unasked = true
      void this.#join()
    }, wait)
    // Nothing waits for it.
    this.#timer.unref()
  }

  #set(patch: { [K in keyof UpdateState]?: UpdateState[K] | undefined }): UpdateState {
    const next = Object.entries({ ...this.#state, ...patch }).filter(([, value]) => value !== undefined)
    this.#state = Object.fromEntries(next) as unknown as UpdateState
    this.#options.changed(this.#state)
    return this.#state
  }
}
