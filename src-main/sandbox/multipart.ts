import { badRequest } from './problems'

export type MultipartEvent = { kind: 'part'; headers: ReadonlyMap<string, string> } | { kind: 'bytes'; bytes: Buffer }

const headersLimit = 16 * 1024

/** Parses a multipart body while its bytes arrive (RFC 2046, section 5.1). Buffers at most the length of a boundary. */
export class MultipartReader {
  /** The closing boundary was read. */
  ended = false
  #delimiter: Buffer
  /** Usually CRLF. Python’s client ends lines with LF alone. */
  #lineEnd = '\r\n'
  #rest: Buffer
  #state: 'body' | 'headers' = 'body'
  #inPart = false

  constructor(private readonly boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
    // The first boundary may be at the very beginning, without a line before it.
    this.#rest = Buffer.from('\r\n')
  }

  /** @throws Problem 400 for headers without an end. */
  push(chunk: Buffer): MultipartEvent[] {
    if (this.ended) return []
    this.#rest = Buffer.concat([this.#rest, chunk])
    const events: MultipartEvent[] = []
    while (this.#step(events));
    return events
  }

  /** Advances one step. Returns false if more bytes are needed. */
  #step(events: MultipartEvent[]): boolean {
    return this.#state === 'body' ? this.#readBody(events) : this.#readHeaders(events)
  }

  #readBody(events: MultipartEvent[]): boolean {
    const at = this.#rest.indexOf(this.#delimiter)
    const safe = at >= 0 ? at : Math.max(0, this.#rest.length - this.#delimiter.length)
    if (at >= 0 && this.#rest.length < at + this.#delimiter.length + 2) {
      this.#give(events, at)
      return false
    }
    this.#give(events, safe)
    if (at < 0) return false
    const after = this.#rest.subarray(this.#delimiter.length, this.#delimiter.length + 2).toString('latin1')
    if (after === '--') {
      this.ended = true
      this.#rest = Buffer.alloc(0)
      return false
    }
    this.#rest = this.#rest.subarray(this.#delimiter.length)
    if (!this.#inPart && after.startsWith('\n')) {
      this.#lineEnd = '\n'
      this.#delimiter = Buffer.from(`\n--${this.boundary}`)
    }
    this.#state = 'headers'
    return true
  }

  #give(events: MultipartEvent[], length: number): void {
    if (length > 0 && this.#inPart) events.push({ kind: 'bytes', bytes: this.#rest.subarray(0, length) })
    this.#rest = this.#rest.subarray(length)
  }

  #readHeaders(events: MultipartEvent[]): boolean {
    const blank = this.#lineEnd.repeat(2)
    const end = this.#rest.indexOf(blank)
    if (end < 0) {
      if (this.#rest.length > headersLimit) throw badRequest('A part of the multipart body has no end of its headers.')
      return false
    }
    const headers = new Map<string, string>()
    for (const line of this.#rest.subarray(0, end).toString('latin1').split(this.#lineEnd)) {
      const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
      if (name) headers.set(name.trim().toLowerCase(), value!.trim())
    }
    this.#rest = this.#rest.subarray(end + blank.length)
    this.#inPart = true
    this.#state = 'body'
    events.push({ kind: 'part', headers })
    return true
  }
}
