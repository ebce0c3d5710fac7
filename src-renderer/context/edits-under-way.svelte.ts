import { untrack } from 'svelte'
import type { Bridge } from '#shared/ipc/contract'

/** Interval between progress updates to main, in milliseconds. */
const updateInterval = 100
const maxNameLength = 200
/** Delay before progress is shown, in milliseconds. */
const patience = 300

/** A running edit, as it’s shown. */
class Running {
  done = $state(0)
  /** 0 for a small edit, which has no progress. */
  of = $state(0)
  late = $state(false)
  stopping = $state(false)
  readonly control = new AbortController()

  /** @param ownStop stops work that is shown elsewhere */
  constructor(
    readonly title: string,
    readonly ownStop?: () => void,
  ) {}

  stop(): void {
    if (this.ownStop) return this.ownStop()
    // A small edit can’t be stopped.
    if (this.of === 0) return
    this.stopping = true
    this.control.abort(new DOMException(`${this.title} stopped`, 'AbortError'))
  }
}

export interface EditUnderWay {
  /** Aborts if the edit is stopped, or if the window closes before it's done. */
  readonly signal: AbortSignal
  readonly tell: (done: number, of: number) => void
  readonly end: () => void
}

/**
 * Running edits of all accounts, from request to saved. Main knows them, so that quitting asks first. If the user quits anyway,
 * they are stopped and undo themselves.
 */
export class EditsUnderWay {
  #all = $state.raw<readonly Running[]>([])
  #later: ReturnType<typeof setTimeout> | undefined
  #more = false
  #closing = false

  constructor(private readonly bridge: Bridge) {
    // Main now knows that this page says when everything is saved.
    this.#report()
    bridge.on('app/closing', () => {
      this.#closing = true
      for (const one of this.#all) one.stop()
      // Other listeners begin to save what was typed.
      setTimeout(() => this.#reportSaved())
    })
  }

  /** The oldest bulk edit whose progress nothing else shows, once it’s late. */
  get shown(): Running | null {
    return this.#all.find(({ late, of, ownStop }) => late && of > 0 && !ownStop) ?? null
  }

  /**
   * Registers an edit.
   * @param stop stops work that shows its own progress. Without it, the edit can be stopped once it reports progress,
   * because small edits needn't be
   */
  begin(name: string, stop?: () => void): EditUnderWay {
    const one = new Running(name.slice(0, maxNameLength), stop)
    const timer = setTimeout(() => (one.late = true), patience)
    this.#set((all) => [...all, one])
    return {
      signal: one.control.signal,
      tell: (done, of) => {
        Object.assign(one, { done, of })
        this.#report()
      },
      end: () => {
        clearTimeout(timer)
        this.#set((all) => all.filter((other) => other !== one))
        this.#reportSaved()
      },
    }
  }

  #set(change: (all: readonly Running[]) => readonly Running[]): void {
    this.#all = change(untrack(() => this.#all))
    this.#report()
  }

  #reportSaved(): void {
    if (this.#closing && this.#all.length === 0) void this.bridge.ask('app/editing', { works: [], saved: true })
  }

  /** Reports at once, then at the interval. */
  #report(): void {
    this.#more = this.#later !== undefined
    if (this.#more) return
    const works = untrack(() => this.#all.map(({ title, done, of }) => ({ name: title, done, of })))
    void this.bridge.ask('app/editing', { works })
    this.#later = setTimeout(() => {
      this.#later = undefined
      if (this.#more) this.#report()
    }, updateInterval)
  }
}
