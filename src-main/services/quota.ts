import { FaultError } from '#shared/fault'
import type { Budget } from '#shared/ipc/sync-questions'
import type { Clock } from '#shared/time/clock'
import { dayOf, dayRenews, quotas, type Quota } from '#shared/wire/quotas'
import { serviceTitle } from '#shared/wire/service-titles'
import type { ServiceName } from '#shared/wire/services'

/** Calls per day by service, which survive a restart. */
export type DayCounts = Partial<Record<ServiceName, { day: string; calls: number }>>

export interface QuotaOptions {
  /** Daily quotas use wall-clock time. Per-second and per-minute quotas use monotonic time. */
  clock: Clock
  wait: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Limits by service. Defaults to those of `wire/quotas`. */
  limits?: Readonly<Partial<Record<ServiceName, Quota>>>
  kept?: DayCounts
  changed?: (counts: DayCounts) => void
}

const second = 1_000
const minute = 60_000

/**
 * Limits the calls of one account to each service's quotas. Calls wait for the per-second and per-minute quota, and
 * fail with `quotaSpent` once the daily quota is used up.
 */
export class QuotaKeeper {
  /** Used units by service. `at`: `elapsed` time. */
  private readonly spent = new Map<ServiceName, { at: number; units: number }[]>()
  private readonly days: DayCounts
  private readonly turns = new Map<ServiceName, Promise<void>>()

  constructor(private readonly options: QuotaOptions) {
    this.days = { ...options.kept }
  }

  /**
   * Resolves when the call may be sent. Calls of a service keep their order.
   * @throws FaultError `quotaSpent`, `aborted`
   */
  take(service: ServiceName, units: number, signal?: AbortSignal): Promise<void> {
    const limit = this.limit(service)
    if (!limit.perSecond && !limit.perMinute && !limit.perDay) return Promise.resolve()
    const turn = (this.turns.get(service) ?? Promise.resolve()).then(() => this.pass(service, limit, units, signal))
    this.turns.set(
      service,
      turn.catch(() => undefined),
    )
    return turn
  }

  /** Marks the daily quota as used up, because the service says so. */
  daySpent(service: ServiceName): void {
    const { perDay } = this.limit(service)
    if (perDay) this.count(service, Math.max(0, perDay - this.callsToday(service)))
  }

  budgets(): Budget[] {
    const now = this.options.clock.now()
    const elapsed = this.options.clock.elapsed()
    return (Object.keys(quotas) as ServiceName[]).flatMap((service) => {
      const { perSecond, perMinute, perDay } = this.limit(service)
      const window = (per: 'second' | 'minute', limit: number, length: number): Budget => {
        const within = this.within(service, length)
        return {
          service,
          per,
          limit,
          used: sum(within),
          renews: now + (within[0] ? within[0].at + length - elapsed : 0),
        }
      }
      return [
        ...(perSecond ? [window('second', perSecond, second)] : []),
        ...(perMinute ? [window('minute', perMinute, minute)] : []),
        ...(perDay
          ? [
              {
                service,
                per: 'day' as const,
                limit: perDay,
                used: this.callsToday(service),
                renews: this.midnight(service),
              },
            ]
          : []),
      ]
    })
  }

  private async pass(service: ServiceName, limit: Quota, units: number, signal?: AbortSignal): Promise<void> {
    for (;;) {
      if (signal?.aborted) throw new FaultError({ code: 'aborted', message: 'Canceled.' })
      if (limit.perDay && this.callsToday(service) >= limit.perDay) throw this.refusal(service)
      const wait = Math.max(
        limit.perSecond ? this.untilFits(service, second, limit.perSecond, 1, true) : 0,
        limit.perMinute ? this.untilFits(service, minute, limit.perMinute, units, false) : 0,
      )
      if (wait <= 0) break
      await this.options.wait(wait, signal)
    }
    const list = this.spent.get(service) ?? []
    list.push({ at: this.options.clock.elapsed(), units })
    this.spent.set(service, list)
    if (limit.perDay) this.count(service, 1)
  }

  private untilFits(service: ServiceName, length: number, limit: number, units: number, calls: boolean): number {
    const list = this.within(service, length)
    let free = limit - (calls ? list.length : sum(list))
    // A call that costs more than the whole limit passes alone.
    const needed = Math.min(units, limit)
    for (const { at, units: cost } of list) {
      if (free >= needed) return 0
      free += calls ? 1 : cost
      if (free >= needed) return Math.max(1, at + length - this.options.clock.elapsed())
    }
    return 0
  }

  private within(service: ServiceName, length: number): { at: number; units: number }[] {
    const elapsed = this.options.clock.elapsed()
    const list = (this.spent.get(service) ?? []).filter(({ at }) => at > elapsed - minute)
    this.spent.set(service, list)
    return list.filter(({ at }) => at > elapsed - length)
  }

  private limit(service: ServiceName): Quota {
    return (this.options.limits ?? quotas)[service] ?? {}
  }

  private callsToday(service: ServiceName): number {
    const kept = this.days[service]
    return kept?.day === this.today(service) ? kept.calls : 0
  }

  private count(service: ServiceName, calls: number): void {
    this.days[service] = { day: this.today(service), calls: this.callsToday(service) + calls }
    this.options.changed?.({ ...this.days })
  }

  private today(service: ServiceName): string {
    return dayOf(this.limit(service), this.options.clock.now())
  }

  private midnight(service: ServiceName): number {
    return dayRenews(this.limit(service), this.options.clock.now())
  }

  private refusal(service: ServiceName): FaultError {
    const renews = this.midnight(service)
    return new FaultError({
      code: 'quotaSpent',
      message: `The daily quota of ${serviceTitle(service)} is used up. Pending changes are saved and will be sent when the quota resets.`,
      reason: 'dailyLimitExceeded',
      retryAfter: renews - this.options.clock.now(),
    })
  }
}

const sum = (list: readonly { units: number }[]): number => list.reduce((total, { units }) => total + units, 0)
