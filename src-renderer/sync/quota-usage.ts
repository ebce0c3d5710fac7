const minute = 60_000

/** Quota units of the last minute. The main process enforces the limits. */
export class QuotaUsage {
  private calls: { at: number; units: number }[] = []

  /** `elapsed`: milliseconds that only ever grow. */
  constructor(private readonly elapsed: () => number) {}

  add(units: number): void {
    if (units > 0) this.calls.push({ at: this.elapsed(), units })
  }

  get lastMinute(): number {
    const since = this.elapsed() - minute
    this.calls = this.calls.filter(({ at }) => at > since)
    return this.calls.reduce((sum, { units }) => sum + units, 0)
  }
}
