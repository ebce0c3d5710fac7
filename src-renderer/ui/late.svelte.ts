/** A component in a script of its own, which is read when it is first wanted, or in idle time before that. */
export class Late<C> {
  /** Null until it is there. */
  component = $state.raw<C | null>(null)
  /** It was wanted and could not be read; asking again may help. */
  failed = $state(false)
  #reading: Promise<void> | undefined

  constructor(private readonly read: () => Promise<{ default: C }>) {}

  /** Settled once it is there. @throws what reading the script threw */
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
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: longest }))
    await late.load().catch(() => undefined)
  }
}

/** A page that is always busy has them after so many milliseconds each. */
const longest = 1_000
