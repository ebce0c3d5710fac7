import { faultOf } from '#shared/fault'
import type { AppContext } from '../../context/context'
import type { Rehearsal } from '../../replica/api'
import type { PlannedRow } from './post-plan'
import { rehearsalWords } from './rehearsal-words'

interface Ended {
  rows: readonly PlannedRow[]
  result: Rehearsal
  /** IDs and revisions of the drafts when it began. */
  drafts: string
}

/** A rehearsal of drafts: running, ended, or failed. */
export class Rehearsing {
  /** Progress. Null if none is running. */
  running = $state.raw<{ done: number; of: number } | null>(null)
  ended = $state.raw<Ended | null>(null)
  failure = $state('')
  #control: AbortController | undefined

  constructor(private readonly app: AppContext) {}

  /** @param drafts IDs and revisions of all drafts */
  async start(rows: readonly PlannedRow[], drafts: string): Promise<void> {
    this.clear()
    const control = new AbortController()
    this.#control = control
    const { signal } = control
    this.running = { done: 0, of: 0 }
    this.app.announce('Simulating. Press Escape to stop.')
    const ids = rows.map(({ entry }) => entry.id)
    const onprogress = (done: number, of: number): void => {
      if (!signal.aborted) this.running = { done, of }
    }
    try {
      const result = await this.app.rehearse(ids, { signal, onprogress })
      if (signal.aborted) return
      this.ended = { rows, result, drafts }
      this.app.announce(rehearsalWords(rows, result))
    } catch (error) {
      if (!signal.aborted) this.failure = faultOf(error).message
    } finally {
      if (this.#control === control) this.running = null
    }
  }

  /** Stops a running rehearsal, and forgets the last one. */
  clear(): void {
    this.#control?.abort(new DOMException('Simulation stopped', 'AbortError'))
    this.#control = undefined
    this.running = null
    this.ended = null
    this.failure = ''
  }
}
