import { untrack } from 'svelte'
import type { CollectionName } from '#shared/domain/collections'
import { faultOf, type Fault } from '#shared/fault'
import { systemClock } from '#shared/time/clock'
import type { Replica, TableQuery, TableRows } from '../../replica/api'

/** At least so long between the end of one look and the next, where records change all the time. Milliseconds. */
const pause = 200
/** And so many times as long as the look took: what changes the records needs the thread, too. */
const share = 3

/**
 * A table that follows what changes. Another question stops the look that is under way; a change of records does not, or
 * one that comes often would keep it from ever ending: it is looked again afterwards.
 */
export class LiveTable {
  /** Of which collection they are: the next one may be asked for already. */
  found = $state.raw<{ collection: CollectionName; rows: TableRows } | null>(null)
  fault = $state.raw<Fault | null>(null)
  /** Nothing was found yet for the question as it is. */
  looking = $state(false)

  /** `replica` as it is, and what is asked for now. */
  constructor(
    private readonly replica: Replica,
    private readonly ask: () => { collection: CollectionName; query: TableQuery },
  ) {}

  /** As long as the component is there that calls it. */
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
