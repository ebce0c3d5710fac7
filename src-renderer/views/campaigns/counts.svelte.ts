import { untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import type { Replica } from '../../replica/api'
import type { Counted } from './computed'

/** Delay between a change and the next count, in milliseconds, because counting may read a hundred thousand rows. */
const pause = 500
/** Retry delay after a failed count, in milliseconds. The previous counts remain. */
const patience = 5_000
/** Rows to count before yielding to the next frame. */
const slice = 4_000

interface Asked extends Counted {
  profile: string
}

/** Counts records by what they refer to. Starts on first use and repeats after changes. */
export class Counts {
  #known = new SvelteMap<string, ReadonlyMap<string, number>>()
  #asked = new Map<string, Asked>()
  #timers = new Map<string, ReturnType<typeof setTimeout>>()
  #ended = new AbortController()

  constructor(private readonly replica: Pick<Replica, 'subscribe' | 'table'>) {}

  /** Counts until the calling component unmounts. */
  follow(): void {
    $effect(() => {
      const unsubscribe = this.replica.subscribe((topics) => {
        for (const [name, { collection }] of this.#asked) if (topics.has(collection)) this.#again(name, pause)
      })
      return () => {
        unsubscribe()
        this.#ended.abort()
        for (const timer of this.#timers.values()) clearTimeout(timer)
      }
    })
  }

  /** Counts by the ID they refer to. Undefined while counting. */
  of({ collection, by }: Counted, profile: string): ReadonlyMap<string, number> | undefined {
    const name = `${profile} ${collection} ${by}`
    const known = this.#known.get(name)
    if (!known && !this.#asked.has(name)) {
      this.#asked.set(name, { collection, by, profile })
      untrack(() => this.#start(name))
    }
    return known
  }

  #again(name: string, ms: number): void {
    if (this.#timers.has(name)) return
    this.#timers.set(
      name,
      setTimeout(() => {
        this.#timers.delete(name)
        this.#start(name)
      }, ms),
    )
  }

  #start(name: string): void {
    const { signal } = this.#ended
    this.#count(this.#asked.get(name)!, signal).then(
      (counts) => signal.aborted || this.#known.set(name, counts),
      () => signal.aborted || this.#again(name, patience),
    )
  }

  async #count({ collection, by, profile }: Asked, signal: AbortSignal): Promise<Map<string, number>> {
    const counts = new Map<string, number>()
    const rows = await this.replica.table(
      collection,
      {
        columns: [by, 'archived'],
        ...(profile !== '' && { parent: profile }),
        where: [{ column: by, empty: false }],
      },
      signal,
    )
    const archived = rows.columns.indexOf('archived')
    for (let row = 0; row < rows.length && !signal.aborted; row++) {
      if (row % slice === slice - 1) await new Promise((next) => setTimeout(next))
      if (archived >= 0 && rows.cell(row, archived) === true) continue
      const id = String(rows.cell(row, 0))
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    return counts
  }
}
