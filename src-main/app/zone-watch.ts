/** The time zone of this computer. Unlike `Date`, `Intl` follows the system while the app runs. */
export const computerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const everyMinute = (run: () => void): (() => void) => {
  const timer = setInterval(run, 60_000)
  timer.unref()
  return () => clearInterval(timer)
}

/** Calls back after the computer's time zone changed, about which the system doesn't notify apps. */
export class ZoneWatch {
  readonly #about: { changed: (zone: string) => void; zone: () => string }
  readonly close: () => void
  #known: string

  constructor({ changed, zone = computerZone, every = everyMinute }: ZoneWatchOptions) {
    this.#about = { changed, zone }
    this.#known = zone()
    this.close = every(() => this.check())
  }

  check(): void {
    const zone = this.#about.zone()
    if (zone === this.#known) return
    this.#known = zone
    this.#about.changed(zone)
  }
}

interface ZoneWatchOptions {
  changed: (zone: string) => void
  zone?: () => string
  /** Calls back once a minute. Returns a function that ends it. */
  every?: (run: () => void) => () => void
}
