import type { Announcements } from '#shared/ipc/contract'
import type { QuickAddItem, QuickAddOffer } from '#shared/ipc/desktop-questions'

/** Milliseconds in which the main window adds something. */
const patienceMs = 20_000
const noAnswer = 'Flightplan is busy. Nothing was added. Your text is still here, so try again in a moment.'

/** Passes on what the quick-add window adds to the main window, which has the data. */
export class QuickAddDesk {
  readonly #add: (asked: Announcements['quick-add/add']) => void
  #offer: QuickAddOffer | undefined
  #waiting: ((offer: QuickAddOffer) => void)[] = []
  #next = 1
  readonly #open = new Map<number, (problem: string) => void>()

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

  /** @returns why nothing was added, or an empty string */
  submit(accountId: string, item: QuickAddItem): Promise<string> {
    const id = this.#next++
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(noAnswer), patienceMs)
      const end = (problem: string): void => {
        clearTimeout(timer)
        this.#open.delete(id)
        resolve(problem)
      }
      this.#open.set(id, end)
      this.#add({ id, accountId, item })
    })
  }

  added(id: number, problem: string): void {
    this.#open.get(id)?.(problem)
  }
}
