import { untrack } from 'svelte'
import { faultOf, type Fault } from '#shared/fault'
import { systemClock } from '#shared/time/clock'
import { deliveryFilesOf, type DeliveryFile, type DeliveryRun } from '../../../context/delivery-files'
import type { AppContext } from '../../../context/context'
import { summarizeReport, type ReportSummary } from './report-summary'

/** Minimum pause between two updates in milliseconds, and as a multiple of the last update's duration. */
const pause = 300
const share = 3

/** Deliveries of a run and the pacing of placements, updated as records change. Create it in a component. */
export class FollowedSummary {
  file = $state.raw<DeliveryFile | null>(null)
  summary = $state.raw<ReportSummary | null>(null)
  fault = $state.raw<Fault | null>(null)
  #tries = $state(0)

  /** `asked`: returns the run and its profile, or undefined. */
  constructor(app: AppContext, asked: () => (DeliveryRun & { profile: string }) | undefined) {
    const { replica } = app
    const id = $derived(asked()?.run.id)
    $effect(() => {
      void this.#tries
      void id
      const wanted = untrack(asked)
      this.file = null
      this.summary = null
      this.fault = null
      if (!wanted) return
      const control = new AbortController()
      let [running, stale] = [false, false]
      let again: ReturnType<typeof setTimeout> | undefined
      const look = async (): Promise<void> => {
        running = true
        stale = false
        const began = systemClock.elapsed()
        try {
          const file = await deliveryFilesOf(app).read(wanted.run)
          if (control.signal.aborted) return
          this.file = file
          const summary = await summarizeReport(replica, { ...wanted, file }, control.signal)
          if (control.signal.aborted) return
          this.summary = summary
          this.fault = null
        } catch (error) {
          if (control.signal.aborted) return
          this.fault = faultOf(error)
        }
        running = false
        if (stale) again = setTimeout(() => void look(), Math.max(pause, share * (systemClock.elapsed() - began)))
      }
      const unsubscribe = replica.subscribe((topics) => {
        if (!topics.has('placements') && !topics.has('placementGroups') && !topics.has('outbox')) return
        stale = true
        if (running) return
        clearTimeout(again)
        again = setTimeout(() => void look(), 16)
      })
      untrack(() => void look())
      return () => {
        control.abort()
        clearTimeout(again)
        unsubscribe()
      }
    })
  }

  again(): void {
    this.#tries++
  }
}
