import type { Announcements } from '#shared/ipc/contract'
import type { QuickAddItem, QuickAddOffer } from '#shared/ipc/desktop-questions'

/** Maximum time for the main window to add an item, in milliseconds. */
const patienceMs = 20_000
const noAnswer = 'Flightplan is busy and is still adding this. To check again, press Enter.'
const reloaded = 'Flightplan was reloaded. Check whether this was added, then try again.'

/** A line that the main window was asked to add. */
interface Asked {
  line: string
  /** Set while the quick-add window waits. */
  tell?: ((problem: string) => void) | undefined
  /** Set if the result arrived while no one waited. */
  problem?: string
}

/** Sends items from the quick-add window to the main window, which has the data. */
export class QuickAddRelay {
  readonly #add: (asked: Announcements['quick-add/add']) => void
  #offer: QuickAddOffer | undefined
  #waiting: ((offer: QuickAddOffer) => void)[] = []
  #next = 1
  readonly #asked = new Map<number, Asked>()

  constructor(add: (asked: Announcements['quick-add/add']) => void) {
    this.#add = add
  }

  offer(offer: QuickAddOffer): void {
    this.#offer = offer
    for (const tell of this.#waiting.splice(0)) tell(offer)
  }

  /** Waits for the main window to start. */
  context(): Promise<QuickAddOffer> {
    return this.#offer ? Promise.resolve(this.#offer) : new Promise((done) => this.#waiting.push(done))
  }

  /**
   * Adds an item. Submitting a line again joins an attempt that’s still running, or whose result wasn’t delivered, so that it’s
   * added once.
   * @returns the reason why nothing was added, or an empty string
   */
  submit(accountId: string, typed: string, item: QuickAddItem): Promise<string> {
    const line = JSON.stringify([accountId, item.kind, typed])
    const [id, asked] =
      [...this.#asked].find(([, one]) => one.line === line) ?? ([this.#next++, { line }] as [number, Asked])
    if (asked.problem !== undefined) {
      this.#asked.delete(id)
      return Promise.resolve(asked.problem)
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        asked.tell = undefined
        resolve(noAnswer)
      }, patienceMs)
      asked.tell = (problem) => {
        clearTimeout(timer)
        resolve(problem)
      }
      if (this.#asked.has(id)) return
      this.#asked.set(id, asked)
      this.#add({ id, accountId, item })
    })
  }

  added(id: number, problem: string): void {
    const asked = this.#asked.get(id)
    if (!asked?.tell) return void (asked && (asked.problem = problem))
    this.#asked.delete(id)
    asked.tell(problem)
  }

  /** Called when the main window was reloaded, so that it won’t answer. */
  gone(): void {
    for (const { tell } of this.#asked.values()) tell?.(reloaded)
    this.#asked.clear()
  }
}
