import { untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import type { Replica } from '../../replica/api'
import type { Counted } from './computed'

/** Between a change and the next count, for counting may look at a hundred thousand rows. Milliseconds. */
const pause = 500
/** Rows between two breaths. */
const slice = 4_000

/** How many records refer to each of another kind; counted when first asked for, and again after changes. */
export class Counts {
  #known = new SvelteMap<string, ReadonlyMap<string, number>>()
  #asked = new Set<string>()

  constructor(private readonly replica: Replica) {
    const timers = new Map<string, ReturnType<typeof setTimeout>>()
    $effect(() => {
      const unsubscribe = replica.subscribe((topics) => {
        for (const name of this.#asked) {
          const [profile, collection, by] = name.split(' ') as [string, Counted['collection'], string]
          if (!topics.has(collection) || timers.has(name)) continue
          timers.set(
            name,
            setTimeout(() => {
              timers.delete(name)
              void this.#count({ collection, by }, profile)
            }, pause),
          )
        }
      })
      return () => {
        unsubscribe()
        for (const timer of timers.values()) clearTimeout(timer)
      }
    })
  }

  /** By id of what is referred to; undefined while they are being counted. */
  of(counted: Counted, profile: string): ReadonlyMap<string, number> | undefined {
    const name = `${profile} ${counted.collection} ${counted.by}`
    const known = this.#known.get(name)
    if (!known && !this.#asked.has(name)) {
      this.#asked.add(name)
      untrack(() => void this.#count(counted, profile))
    }
    return known
  }

  async #count({ collection, by }: Counted, profile: string): Promise<void> {
    const counts = new Map<string, number>()
    const rows = await this.replica.table(collection, {
      columns: [by, 'archived'],
      ...(profile !== '' && { parent: profile }),
      where: [{ column: by, empty: false }],
    })
    const archived = rows.columns.indexOf('archived')
    for (let row = 0; row < rows.length; row++) {
      if (row % slice === slice - 1) await new Promise((next) => setTimeout(next))
      if (archived >= 0 && rows.cell(row, archived) === true) continue
      const id = String(rows.cell(row, 0))
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    this.#known.set(`${profile} ${collection} ${by}`, counts)
  }
}
