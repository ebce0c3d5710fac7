import { untrack } from 'svelte'
import type { CollectionName } from '#shared/domain/collections'
import { faultOf, type Fault } from '#shared/fault'
import { systemClock } from '#shared/time/clock'
import type { Replica, TableQuery, TableRows } from '../../replica/api'

/** Minimum pause between two queries while records keep changing, in milliseconds. */
const pause = 200
/** Minimum pause as a multiple of the query's duration, because the changes need the thread, too. */
const share = 3

/**
 * A table that requeries after changes. A new question aborts the running query. Changed records don't, because
 * frequent changes would keep it from ever finishing. They trigger a query afterward.
 */
export class LiveTable {
  /** With the collection of the rows, because the next one may already be queried. */
  found = $state.raw<{ collection: CollectionName; rows: TableRows } | null>(null)
  fault = $state.raw<Fault | null>(null)
  /** True until the current question has its first result. */
  looking = $state(false)

  constructor(
    private readonly replica: Replica,
    private readonly ask: () => { collection: CollectionName; query: TableQuery },
  ) {}

  /** Queries until the calling component unmounts. */
  follow(): void {
    const { replica, ask } = this
    $effect(() => {
      const { collection, query } = ask()
      const control = new AbortController()
      let again: ReturnType<typeof setTimeout> | undefined
      let running = false
      let stale = false
      let began = 0
      const look = (): void => {
        running = true
        stale = false
        began = systemClock.elapsed()
        replica.table(collection, query, control.signal).then(
          (rows) => end(() => ((this.found = { collection, rows }), (this.fault = null))),
          (error: unknown) => end(() => (this.fault = faultOf(error))),
        )
      }
      const end = (keep: () => void): void => {
        if (control.signal.aborted) return
        running = false
        keep()
        this.looking = false
        if (stale) again = setTimeout(look, Math.max(pause, share * (systemClock.elapsed() - began)))
      }
      const unsubscribe = replica.subscribe((topics) => {
        if (!topics.has(collection) && !topics.has('outbox')) return
        stale = true
        if (running) return
        clearTimeout(again)
        again = setTimeout(look, 16)
      })
      untrack(() => {
        this.looking = true
        look()
      })
      return () => {
        control.abort()
        clearTimeout(again)
        unsubscribe()
      }
    })
  }
}
