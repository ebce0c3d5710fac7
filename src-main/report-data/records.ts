import { FaultError } from '#shared/fault'

/** Receives the cells of a file: bytes from `start` to `end`, valid during the call, without enclosing or doubled quotes. */
export interface CellTaker {
  cell(bytes: Uint8Array, start: number, end: number): void
  /** The record is over. `offset`: bytes of the file up to here. */
  record(offset: number): void
}

const quote = 0x22
/** Maximum bytes of a cell. An unclosed quote would collect the rest of a file, again with each chunk. */
const maxCellBytes = 32 * 1024 * 1024
const cr = 0x0d
const lf = 0x0a

/** Possible separators of a file. */
export type Separator = ',' | '\t' | ';'

/**
 * Splits a file of separated values (RFC 4180, with LF or CRLF) while its bytes arrive. An empty line is a record with
 * one empty cell.
 */
export class RecordSplitter {
  readonly #separator: number
  readonly #take: CellTaker
  /** Bytes of an incomplete cell. */
  #left: Uint8Array = new Uint8Array(0)
  #scratch = new Uint8Array(256)
  /** Bytes of the file before `#left`. */
  #before = 0
  #line = 1
  /** Number of complete cells in the current record. */
  #cells = 0
  /** True after a separator, which another cell must follow, even if it's empty. */
  #open = false

  constructor(separator: Separator, take: CellTaker) {
    this.#separator = separator.charCodeAt(0)
    this.#take = take
  }

  /** @throws FaultError `invalid` that names the line */
  push(chunk: Uint8Array): void {
    const bytes = this.#left.length === 0 ? chunk : joined(this.#left, chunk)
    const rest = this.#scan(bytes, false)
    if (bytes.length - rest > maxCellBytes)
      throw this.#fault(bytes[rest] === quote ? 'starts with a quote that is never closed' : 'is too long for a report')
    // The chunk may be used again for the next one.
    this.#left = bytes.slice(rest)
    this.#before += rest
  }

  /** A last line needs no end. @throws FaultError `invalid` for a quote that was never closed */
  end(): void {
    const rest = this.#scan(this.#left, true)
    this.#before += rest
    if (this.#cells > 0) this.#endRecord(this.#before)
  }

  /** @returns the start of the first incomplete cell */
  #scan(bytes: Uint8Array, last: boolean): number {
    const [separator, take, length] = [this.#separator, this.#take, bytes.length]
    let at = 0
    while (at < length || (last && this.#open)) {
      const start = at
      if (bytes[at] === quote) {
        const end = this.#quoted(bytes, at, last)
        if (end < 0) return start
        at = end
      } else {
        let byte = bytes[at]
        while (at < length && byte !== separator && byte !== lf) byte = bytes[++at]
        if (at === length && !last) return start
        take.cell(bytes, start, byte === lf && bytes[at - 1] === cr && at > start ? at - 1 : at)
      }
      this.#cells++
      this.#open = false
      if (at === length) return length
      this.#open = bytes[at] === separator
      if (bytes[at++] === lf) this.#endRecord(this.#before + at)
    }
    return at
  }

  #endRecord(offset: number): void {
    this.#cells = 0
    this.#line++
    this.#take.record(offset)
  }

  /** @returns the position of the next separator or line end, or -1 if it hasn't arrived */
  #quoted(bytes: Uint8Array, open: number, last: boolean): number {
    const { length } = bytes
    let at = open + 1
    let doubled = 0
    for (;;) {
      while (at < length && bytes[at] !== quote) at++
      if (at >= length) {
        if (last) throw this.#fault('starts with a quote that is never closed')
        return -1
      }
      if (bytes[at + 1] !== quote) break
      doubled++
      at += 2
    }
    const close = at++
    // The next character decides whether the quote ends the cell, so wait for it.
    if (at >= length && !last) return -1
    if (bytes[at] === cr) {
      if (at + 1 >= length && !last) return -1
      at++
    }
    if (at < length && bytes[at] !== this.#separator && bytes[at] !== lf)
      throw this.#fault('has text after its closing quote')
    if (doubled === 0) this.#take.cell(bytes, open + 1, close)
    else this.#take.cell(this.#scratch, 0, this.#undoubled(bytes, open + 1, close))
    for (let inside = open + 1; inside < close; inside++) if (bytes[inside] === lf) this.#line++
    return at
  }

  /** @returns the length of the content in the scratch buffer */
  #undoubled(bytes: Uint8Array, start: number, end: number): number {
    if (this.#scratch.length < end - start) this.#scratch = new Uint8Array((end - start) * 2)
    let to = 0
    for (let from = start; from < end; from++) {
      this.#scratch[to++] = bytes[from]!
      if (bytes[from] === quote) from++
    }
    return to
  }

  #fault(what: string): FaultError {
    const message = `On line ${this.#line.toLocaleString('en')}, cell ${this.#cells + 1} ${what}.`
    return new FaultError({ code: 'invalid', message })
  }
}

function joined(before: Uint8Array, after: Uint8Array): Uint8Array {
  const all = new Uint8Array(before.length + after.length)
  all.set(before)
  all.set(after, before.length)
  return all
}

const bigEnd = (bytes: Uint8Array): boolean => bytes[0] === 0xfe && bytes[1] === 0xff
const littleEnd = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xfe
/** True if bytes start like UTF-16, with a mark or with the zero of a Latin letter. */
export const isUtf16 = (bytes: Uint8Array): boolean =>
  bigEnd(bytes) || littleEnd(bytes) || (bytes.length > 1 && (bytes[0] === 0) !== (bytes[1] === 0))

/** Converts UTF-8 and UTF-16, with or without a byte order mark, to UTF-8 without one. */
export async function* asUtf8(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let head: Uint8Array | undefined = new Uint8Array(0)
  const encoder = new TextEncoder()
  const passed = (chunk: Uint8Array): Uint8Array =>
    decoder ? encoder.encode(decoder.decode(chunk, { stream: true })) : chunk
  for await (const chunk of chunks) {
    if (head === undefined) {
      yield passed(chunk)
      continue
    }
    head = joined(head, chunk)
    if (head.length < 3) continue
    const first = unmarked(head)
    decoder = first.decoder
    head = undefined
    yield passed(first.rest)
  }
  if (head) yield unmarked(head).rest
  if (decoder) yield encoder.encode(decoder.decode())
}

function unmarked(bytes: Uint8Array): { decoder?: InstanceType<typeof TextDecoder>; rest: Uint8Array } {
  if (isUtf16(bytes)) {
    const big = bigEnd(bytes) || bytes[0] === 0
    const marked = bigEnd(bytes) || littleEnd(bytes)
    return { decoder: new TextDecoder(big ? 'utf-16be' : 'utf-16le'), rest: bytes.subarray(marked ? 2 : 0) }
  }
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return { rest: marked ? bytes.subarray(3) : bytes }
}
