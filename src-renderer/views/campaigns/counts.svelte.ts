import { untrack } from 'svelte'
import { parseRecordKey } from '#shared/domain/collections'
import { SvelteMap } from 'svelte/reactivity'
import type { Replica } from '../../replica/api'
import type { Counted } from './computed'
import type { DeliveredMetric } from './delivered'

/** Delay between a change and the next count, in milliseconds, because counting may read a hundred thousand rows. */
const pause = 500
/** Retry delay after a failed count, in milliseconds. The previous counts remain. */
const patience = 5_000
/** Rows to count before yielding to the next frame. */
const slice = 4_000

interface CountRequest extends Counted {
  profile: string
  /** Values to sum, by placement ID. Absent to count. */
  totals: ReadonlyMap<string, number> | undefined
}

/** Counts records by what they refer to, or sums what they delivered. Starts on first use and repeats after changes. */
export class Counts {
  #known = new SvelteMap<string, ReadonlyMap<string, number>>()
  #asked = new Map<string, CountRequest>()
  #timers = new Map<string, ReturnType<typeof setTimeout>>()
  #ended = new AbortController()

  /** @param totals what placements delivered, by ID. Undefined without results on this computer */
  constructor(
    private readonly replica: Pick<Replica, 'subscribe' | 'table'>,
    private readonly totals: (metric: DeliveredMetric) => ReadonlyMap<string, number> | undefined = () => undefined,
  ) {}

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
  of(counted: Counted, profile: string): ReadonlyMap<string, number> | undefined {
    const { collection, by, metric } = counted
    const totals = metric && this.totals(metric)
    if (metric && !totals) return undefined
    const name = [profile, collection, by, metric ?? ''].join(' ')
    const known = this.#known.get(name)
    const asked = this.#asked.get(name)
    if (!asked || asked.totals !== totals) {
      this.#asked.set(name, { ...counted, profile, totals })
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
    const asked = this.#asked.get(name)!
    this.#count(asked, signal).then(
      (counts) => signal.aborted || this.#asked.get(name) !== asked || this.#known.set(name, counts),
      () => signal.aborted || this.#again(name, patience),
    )
  }

  async #count({ collection, by, totals, profile }: CountRequest, signal: AbortSignal): Promise<Map<string, number>> {
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
      if (!totals && archived >= 0 && rows.cell(row, archived) === true) continue
      const more = totals ? totals.get(parseRecordKey(rows.key(row)).id) : 1
      if (more === undefined) continue
      const id = String(rows.cell(row, 0))
      counts.set(id, (counts.get(id) ?? 0) + more)
    }
    return counts
  }
}
