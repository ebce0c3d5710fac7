const minute = 60_000

/** Quota units of the last minute against the limit that the service sets for one user. */
export class Budget {
  private spent: { at: number; units: number }[] = []

  constructor(
    private readonly now: () => number,
    readonly limit = Infinity,
  ) {}

  spend(units: number): void {
    if (units > 0) this.spent.push({ at: this.now(), units })
  }

  get used(): number {
    const since = this.now() - minute
    // A clock that was set back must not keep old units for ever.
    this.spent = this.spent.filter(({ at }) => at > since && at <= this.now())
    return this.spent.reduce((sum, { units }) => sum + units, 0)
  }

  /** Milliseconds until the next call fits; 0 when it fits now. */
  wait(): number {
    if (this.used < this.limit) return 0
    return Math.max(1, this.spent[0]!.at + minute - this.now())
  }
}
