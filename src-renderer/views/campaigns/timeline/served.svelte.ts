import { untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import { knowsAds, recordsOf } from '../checking'
import type { CampaignsModel } from '../model.svelte'
import type { Bar } from './bars'
import { servedBy, servedDays } from './served-days'

/** Delay between a wish or a change and the next look, in milliseconds, because it may read thousands of records. */
const pause = 250

/** Days on which ads serve the records in sight. Reads the ads of their campaigns once scrolling pauses. */
export class Served {
  readonly #known = new SvelteMap<string, { days: (id: string) => readonly Bar[]; version: number }>()
  /** Grows when ads change. What was read before stays until it's read again. */
  #version = $state(0)
  readonly #wanted = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #work: AbortController | undefined

  constructor(private readonly model: CampaignsModel) {}

  readonly #by = $derived.by(() => servedBy[this.model.kind.name])

  /** Follows changes until the calling component unmounts. */
  follow(): void {
    const { replica } = this.model.app
    $effect(() => {
      const by = this.#by
      void [this.model.scope.profile, this.model.zone]
      if (by === undefined) return
      const unsubscribe = replica.subscribe((topics) => {
        if (topics.has(by) || topics.has('downloads')) this.#version++
      })
      return () => {
        unsubscribe()
        clearTimeout(this.#timer)
        this.#timer = undefined
        this.#work?.abort()
        this.#wanted.clear()
        this.#known.clear()
      }
    })
  }

  /** Days on which ads serve a record. Undefined if that's unknown, or nothing serves its kind. */
  daysOf(campaign: string | undefined, id: string): readonly Bar[] | undefined {
    if (this.#by === undefined || campaign === undefined) return undefined
    const known = this.#known.get(campaign)
    if (known?.version !== this.#version) untrack(() => this.#want(campaign))
    return known?.days(id)
  }

  #want(campaign: string): void {
    this.#wanted.add(campaign)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#read(), pause)
  }

  async #read(): Promise<void> {
    const { app, scope, today, zone } = this.model
    const { replica } = app
    const by = this.#by
    if (by === undefined || !knowsAds(replica, scope.profile)) return
    this.#work?.abort()
    const { signal } = (this.#work = new AbortController())
    const version = this.#version
    const campaigns = new Set(this.#wanted)
    // Unreadable ads leave the line out.
    const where = { profile: scope.profile, today, campaigns }
    const ads = await recordsOf(replica, by, where, { signal }).catch(() => undefined)
    if (!ads || signal.aborted) return
    const days = servedDays(replica.facts, ads, zone)
    for (const campaign of campaigns) {
      this.#wanted.delete(campaign)
      this.#known.set(campaign, { days, version })
    }
  }
}
