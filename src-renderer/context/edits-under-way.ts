import type { Bridge } from '#shared/ipc/contract'

/** So often main is told how far they are, in milliseconds. */
const betweenTold = 100
const mostName = 200

export interface EditUnderWay {
  /** Aborts where the window goes before it is done. */
  readonly signal: AbortSignal
  readonly tell: (done: number, of: number) => void
  readonly end: () => void
}

/**
 * Edits of all accounts from when they are asked for until they are safe. Main knows of them, so that quitting asks; where
 * people quit all the same, what is half done is stopped and so takes itself back.
 */
export class EditsUnderWay {
  readonly #all = new Set<{ name: string; done: number; of: number; stop: () => void }>()
  #later: ReturnType<typeof setTimeout> | undefined
  #more = false

  constructor(private readonly bridge: Bridge) {
    bridge.on('app/closing', () => {
      for (const { stop } of [...this.#all]) stop()
    })
  }

  /** `stop`: how it is stopped; without one it is once it has told how far it is, as what is small needs no stopping. */
  begin(name: string, stop?: () => void): EditUnderWay {
    const control = new AbortController()
    const one = {
      name: name.slice(0, mostName),
      done: 0,
      of: 0,
      stop: stop ?? ((): void => void (one.of > 0 && control.abort())),
    }
    this.#all.add(one)
    this.#told()
    return {
      signal: control.signal,
      tell: (done, of) => {
        Object.assign(one, { done, of })
        this.#told()
      },
      end: () => {
        this.#all.delete(one)
        this.#told()
      },
    }
  }

  /** At once, and then no more often than somebody can look. */
  #told(): void {
    this.#more = this.#later !== undefined
    if (this.#more) return
    const works = [...this.#all].map(({ name, done, of }) => ({ name, done, of }))
    void this.bridge.ask('app/editing', { works })
    this.#later = setTimeout(() => {
      this.#later = undefined
      if (this.#more) this.#told()
    }, betweenTold)
  }
}
