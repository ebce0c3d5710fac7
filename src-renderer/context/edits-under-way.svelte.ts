import { untrack } from 'svelte'
import type { Bridge } from '#shared/ipc/contract'
import { RunningWork } from './running-work.svelte'

/** Interval between progress updates to main, in milliseconds. */
const updateInterval = 100
const maxNameLength = 200
interface Listed {
  work: RunningWork
  /** True if something else shows its progress. */
  isShownElsewhere: boolean
}

export interface EditUnderWay {
  /** Aborts if the edit is stopped, or if the window closes before it's done. */
  readonly signal: AbortSignal
  readonly onprogress: (done: number, of: number) => void
  readonly end: () => void
}

/**
 * Running edits of all accounts, from request to saved. Main knows them, so that quitting asks first. If the user quits anyway,
 * they are stopped and undo themselves.
 */
export class EditsUnderWay {
  #all = $state.raw<readonly Listed[]>([])
  #later: ReturnType<typeof setTimeout> | undefined
  #more = false
  #closing = false

  constructor(private readonly bridge: Bridge) {
    // Main now knows that this page says when everything is saved.
    this.#report()
    bridge.on('app/closing', () => {
      this.#closing = true
      // A small edit can’t be stopped.
      for (const { work, isShownElsewhere } of this.#all) if (isShownElsewhere || work.of > 0) work.stop()
      // Other listeners begin to save what was typed.
      setTimeout(() => this.#reportSaved())
    })
  }

  /** The oldest bulk edit whose progress nothing else shows, once it’s late. */
  get shown(): RunningWork | null {
    return this.#all.find(({ work, isShownElsewhere }) => work.late && work.of > 0 && !isShownElsewhere)?.work ?? null
  }

  /** Registers an edit, by its name or as work that is shown elsewhere. */
  begin(edit: string | RunningWork): EditUnderWay {
    const isShownElsewhere = typeof edit !== 'string'
    const work = isShownElsewhere ? edit : new RunningWork(edit)
    const one: Listed = { work, isShownElsewhere }
    this.#set((all) => [...all, one])
    return {
      signal: work.signal,
      onprogress: (done, of) => {
        Object.assign(work, { done, of })
        this.#report()
      },
      end: () => {
        work.end()
        this.#set((all) => all.filter((other) => other !== one))
        this.#reportSaved()
      },
    }
  }

  #set(change: (all: readonly Listed[]) => readonly Listed[]): void {
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
    const works = untrack(() =>
      this.#all.map(({ work: { title, done, of } }) => ({ name: title.slice(0, maxNameLength), done, of })),
    )
    void this.bridge.ask('app/editing', { works })
    this.#later = setTimeout(() => {
      this.#later = undefined
      if (this.#more) this.#report()
    }, updateInterval)
  }
}
