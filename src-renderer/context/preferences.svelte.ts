import type { AppInfo } from '#shared/ipc/contract'
import { isZone } from '#shared/time/zones'
import type { Replica } from '../replica/api'
import { serviceSetting, zoneFor } from './zone-of'
import type { Settings } from './settings.svelte'

/** The user's preferences: the service's settings, overridden by those of this window. */
export class Preferences {
  #settings: Settings
  #replica: Replica
  #info: Pick<AppInfo, 'timeZone'>

  constructor(settings: Settings, replica: Replica, info: Pick<AppInfo, 'timeZone'>) {
    this.#settings = settings
    this.#replica = replica
    this.#info = info
  }

  /** A value of the service's `settings` collection. */
  service(id: string): string | undefined {
    return serviceSetting(this.#replica, id)
  }

  readonly zone = $derived.by(() => zoneFor(this.#settings.values.zone, this.#replica, this.#info.timeZone))
  /** Zones whose times are shown next to those of `zone`. */
  readonly otherZones = $derived.by((): readonly string[] => {
    const { secondZone, thirdZone } = this.#settings.values
    return [...new Set([secondZone, thirdZone])].filter((zone) => zone !== '' && isZone(zone) && zone !== this.zone)
  })
  /** 0 is Sunday. */
  readonly weekStart = $derived.by(() => {
    const chosen = this.#settings.values.weekStart
    const value = Number(chosen === 'service' ? (this.service('weekStart') ?? '1') : chosen)
    return value >= 0 && value <= 6 ? value : 1
  })
  readonly hour12 = $derived.by(() => {
    const chosen = this.#settings.values.hourCycle
    return chosen === 'service' ? this.service('format24HourTime') === 'false' : chosen === '12'
  })
  /** Minutes of a new event. */
  readonly eventLength = $derived.by(() => {
    const minutes = Number(this.service('defaultEventLength') ?? '60')
    return minutes >= 5 && minutes <= 1440 ? minutes : 60
  })
}
