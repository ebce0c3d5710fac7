import type { Bridge } from '#shared/ipc/contract'

/** Interval between progress updates to main, in milliseconds. */
const updateInterval = 100
const maxNameLength = 200

export interface EditUnderWay {
  /** Aborts if the window closes before the edit is done. */
  readonly signal: AbortSignal
  readonly tell: (done: number, of: number) => void
  readonly end: () => void
}

/**
 * Running edits of all accounts, from request to saved. Main knows them, so that quitting asks first. If the user quits anyway,
 * they are stopped and undo themselves.
 */
export class EditsUnderWay {
  readonly #all = new Set<{ name: string; done: number; of: number; stop: () => void }>()
  #later: ReturnType<typeof setTimeout> | undefined
  #more = false
  #closing = false

  constructor(private readonly bridge: Bridge) {
    // Main now knows that this page says when everything is saved.
    this.#report()
    bridge.on('app/closing', () => {
      this.#closing = true
      for (const { stop } of [...this.#all]) stop()
      // Other listeners begin to save what was typed.
      setTimeout(() => this.#reportSaved())
    })
  }

  /**
   * Registers an edit.
   * @param stop stops the edit. Without it, the edit can be stopped once it reports progress, because small edits
   * needn't be
   */
  begin(name: string, stop?: () => void): EditUnderWay {
    const control = new AbortController()
    const one = {
      name: name.slice(0, maxNameLength),
      done: 0,
      of: 0,
      stop: stop ?? ((): void => void (one.of > 0 && control.abort())),
    }
    this.#all.add(one)
    this.#report()
    return {
      signal: control.signal,
      tell: (done, of) => {
        Object.assign(one, { done, of })
        this.#report()
      },
      end: () => {
        this.#all.delete(one)
        this.#report()
        this.#reportSaved()
      },
    }
  }

  #reportSaved(): void {
    if (this.#closing && this.#all.size === 0) void this.bridge.ask('app/editing', { works: [], saved: true })
  }

  /** Reports at once, then at the interval. */
  #report(): void {
    this.#more = this.#later !== undefined
    if (this.#more) return
    const works = [...this.#all].map(({ name, done, of }) => ({ name, done, of }))
    void this.bridge.ask('app/editing', { works })
    this.#later = setTimeout(() => {
      this.#later = undefined
      if (this.#more) this.#report()
    }, updateInterval)
  }
}
