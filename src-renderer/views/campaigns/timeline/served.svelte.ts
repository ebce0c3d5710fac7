import { untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import { recordsOf, knowsAds } from '../checking'
import type { CampaignsModel } from '../model.svelte'
import type { Bar } from './bars'
import { servedBy, servedDays } from './served-days'

type Days = (id: string) => readonly Bar[]

/** Delay between a change and the next look, in milliseconds, because it may read thousands of records. */
const pause = 400

/** Days on which ads serve the records in sight. Reads the ads of a campaign when one of its records comes into sight. */
export class Served {
  readonly #known = new SvelteMap<string, Days>()
  #asked = new Map<string, AbortController>()

  constructor(private readonly model: CampaignsModel) {}

  readonly #by = $derived.by(() => servedBy[this.model.kind.name])

  /** Follows changes until the calling component unmounts. */
  follow(): void {
    const { replica } = this.model.app
    $effect(() => {
      const by = this.#by
      void [this.model.scope.profile, this.model.app.preferences.zone]
      untrack(() => this.#forget())
      if (by === undefined) return
      let timer: ReturnType<typeof setTimeout> | undefined
      const unsubscribe = replica.subscribe((topics) => {
        if (topics.has(by) || topics.has('downloads'))
          timer ??= setTimeout(() => ((timer = undefined), this.#again()), pause)
      })
      return () => {
        clearTimeout(timer)
        unsubscribe()
        this.#forget()
      }
    })
  }

  /** Days on which ads serve a record. Undefined if that's unknown, or nothing serves its kind. */
  daysOf(campaign: string | undefined, id: string): readonly Bar[] | undefined {
    if (this.#by === undefined || campaign === undefined) return undefined
    if (!this.#asked.has(campaign)) untrack(() => void this.#read(campaign))
    return this.#known.get(campaign)?.(id)
  }

  #forget(): void {
    for (const work of this.#asked.values()) work.abort()
    this.#asked.clear()
    this.#known.clear()
  }

  /** Reads the known ones again. They stay until then. */
  #again(): void {
    for (const campaign of [...this.#asked.keys()]) void this.#read(campaign)
  }

  async #read(campaign: string): Promise<void> {
    const { app, scope, today } = this.model
    const { replica, preferences } = app
    this.#asked.get(campaign)?.abort()
    const work = new AbortController()
    this.#asked.set(campaign, work)
    if (!knowsAds(replica, scope.profile)) return
    const where = { profile: scope.profile, today, campaigns: new Set([campaign]) }
    // Unreadable ads leave the line out.
    const ads = await recordsOf(replica, this.#by!, where, { signal: work.signal }).catch(() => undefined)
    if (ads && !work.signal.aborted) this.#known.set(campaign, servedDays(replica.facts, ads, preferences.zone))
  }
}
