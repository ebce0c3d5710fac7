/** A component in a separate script, loaded on first use or earlier in idle time. */
export class Late<C> {
  /** Null until it is there. */
  component = $state.raw<C | null>(null)
  /** Loading failed. A retry may succeed. */
  failed = $state(false)
  #reading: Promise<void> | undefined

  constructor(private readonly read: () => Promise<{ default: C }>) {}

  /**
   * Resolves once the component is loaded.
   * @throws the error of loading the script
   */
  load(): Promise<void> {
    this.failed = false
    this.#reading ??= this.read().then(
      (script) => void (this.component = script.default),
      (error: unknown) => {
        this.#reading = undefined
        this.failed = true
        throw error
      },
    )
    return this.#reading
  }

  /** Loads without waiting. `failed` holds the error, if any. */
  want(): void {
    this.load().catch(() => undefined)
  }
}

/** Preloads modules one at a time while idle, so that opening one later is instant. */
export async function loadInIdleTime(all: readonly Late<unknown>[]): Promise<void> {
  for (const late of all) {
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: maxIdleWait }))
    await late.load().catch(() => undefined)
  }
}

/** Maximum wait for idle time per script, in milliseconds. */
const maxIdleWait = 1_000
