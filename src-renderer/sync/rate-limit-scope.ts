/** Consecutive rate-limit errors, while other requests succeed, after which the limit counts as specific to this item. */
const ownAfter = 3
/** Number of attempts in usual order. Later ones follow the other items, because otherwise the limit's scope would stay unknown. */
const passesAfter = 2

/**
 * Finds the scope of a rate limit that claims to concern the whole service. An item that keeps hitting it is tried after the
 * others. If those succeed, the limit is the item's own and holds up nothing else.
 */
export class RateLimitScope {
  private through = 0
  private readonly met = new Map<string, { times: number; through: number }>()

  /** Called when the service accepted a request, or rejected only this one. */
  passed(key: string): void {
    this.through++
    this.met.delete(key)
  }

  limited(key: string): void {
    const before = this.met.get(key)
    this.met.set(key, { times: (before?.times ?? 0) + 1, through: before?.through ?? this.through })
  }

  /** Number of consecutive rate-limit errors. */
  times(key: string): number {
    return this.met.get(key)?.times ?? 0
  }

  letsPass(key: string): boolean {
    return this.times(key) >= passesAfter
  }

  isOwn(key: string): boolean {
    const met = this.met.get(key)
    return met !== undefined && met.times >= ownAfter && this.through > met.through
  }

  clear(): void {
    this.met.clear()
  }
}
