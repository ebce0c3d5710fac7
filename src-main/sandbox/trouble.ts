/** A simulated problem, which the next calls of an operation get instead of, or in addition to, their response. */
export interface Trouble {
  /** Operation ID, a prefix of one, or `*`. */
  operation: string
  count: number
  latencyMs?: number
  status?: number
  reason?: string
  retryAfter?: number
  /** Destroys the connection before anything is done, or after the commit. */
  drop?: 'before' | 'after'
  /** Sends half of the answer's bytes, then destroys the connection. */
  half?: boolean
  /** Answers 200 with an HTML page, like a captive portal. */
  html?: boolean
}

export interface Quota {
  perMinute?: number
  perDay?: number
}

export class Troubles {
  #orders: Trouble[] = []
  quota: Quota = {}
  #calls = new Map<string, number[]>()

  order(trouble: Trouble): void {
    this.#orders.push({ ...trouble })
  }

  clear(): void {
    this.#orders = []
    this.quota = {}
    this.#calls.clear()
  }

  get pending(): readonly Trouble[] {
    return this.#orders
  }

  /** The simulated problem of this call. Uses up one count of the first one that matches. */
  next(operation: string): Trouble | undefined {
    const found = this.#orders.find((order) => order.operation === '*' || operation.startsWith(order.operation))
    if (!found) return undefined
    found.count--
    if (found.count <= 0) this.#orders = this.#orders.filter((order) => order !== found)
    return found
  }

  /** Counts a call, of which a patch costs three units. Returns the limit that it exceeds. */
  spend(person: string, units: number, now: number): 'minute' | 'day' | undefined {
    const { perMinute, perDay } = this.quota
    if (perMinute === undefined && perDay === undefined) return undefined
    const day = 86_400_000
    // A clock that was set back must not keep calls for ever.
    const recent = (this.#calls.get(person) ?? []).filter((time) => time > now - day && time <= now)
    this.#calls.set(person, recent)
    if (perDay !== undefined && recent.length + units > perDay) return 'day'
    const minute = recent.filter((time) => time > now - 60_000).length
    if (perMinute !== undefined && minute + units > perMinute) return 'minute'
    for (let unit = 0; unit < units; unit++) recent.push(now)
    return undefined
  }
}
