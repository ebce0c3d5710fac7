/** An answered (or dropped) request. Never contains a token or a body. */
export interface LogEntry {
  number: number
  time: number
  method: string
  path: string
  operation?: string
  person?: string
  status: number
  requestId: string
  trouble?: string
}

const kept = 100_000

/** The latest requests, numbered from 1. */
export class RequestLog {
  #entries: LogEntry[] = []
  #number = 0

  /** ID for a request without one. */
  nextId(): string {
    return `r${this.#number + 1}`
  }

  add(entry: Omit<LogEntry, 'number'>): void {
    this.#entries.push({ number: ++this.#number, ...entry })
    if (this.#entries.length > kept * 1.1) this.#entries = this.#entries.slice(-kept)
  }

  since(number: number): LogEntry[] {
    return this.#entries.filter((entry) => entry.number > number)
  }
}
