const minute = 60_000

/** Quota units of the last minute. What a service allows is kept to where calls leave, in the main process. */
export class Spent {
  private calls: { at: number; units: number }[] = []

  constructor(private readonly now: () => number) {}

  add(units: number): void {
    if (units > 0) this.calls.push({ at: this.now(), units })
  }

  get lastMinute(): number {
    const since = this.now() - minute
    // A clock that was set back must not keep old units for ever.
    this.calls = this.calls.filter(({ at }) => at > since && at <= this.now())
    return this.calls.reduce((sum, { units }) => sum + units, 0)
  }
}
