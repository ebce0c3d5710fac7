import { unguarded } from '#shared/results/formula-guard'
import type { ColumnAbout } from '#shared/results/result-columns'
import { GrowableArray } from './growable-array'
import type { ColumnReader, Codes, TextColumn } from './column'

/** Texts that services write for missing values. They sort after all others, in this order. */
export const gapWords: readonly string[] = ['', '(not set)', '---']
export const isGap = (text: string): boolean => gapWords.includes(text)

/**
 * Reads a text column. Stores each distinct text once, as bytes, and its code for each row. Codes follow the order of
 * first appearance.
 */
export class TextReader implements ColumnReader {
  readonly #about: ColumnAbout
  readonly #codes = new GrowableArray(Uint32Array)
  /** End of each text in the heap. */
  readonly #ends = new GrowableArray(Uint32Array)
  #heap = new Uint8Array(256)
  #used = 0
  /** Hash table: the number of a text plus one, or 0, and its hash. */
  #table = new Int32Array(128)
  #last = -1

  constructor(about: ColumnAbout) {
    this.#about = about
  }

  get bytes(): number {
    return this.#codes.bytes + this.#ends.bytes + this.#heap.byteLength + this.#table.byteLength
  }

  take(bytes: Uint8Array, start: number, end: number): boolean {
    // Rows that belong together follow each other.
    if (this.#last >= 0 && this.#is(this.#last, bytes, start, end)) {
      this.#codes.push(this.#last)
      return true
    }
    const hash = hashOf(bytes, start, end)
    const table = this.#table
    const mask = table.length / 2 - 1
    let slot = hash & mask
    for (;;) {
      const code = table[slot * 2]! - 1
      if (code < 0) break
      // Most others differ in their hash, so their bytes aren't compared.
      if (table[slot * 2 + 1] === (hash | 0) && this.#is(code, bytes, start, end)) {
        this.#codes.push((this.#last = code))
        return true
      }
      slot = (slot + 1) & mask
    }
    this.#codes.push((this.#last = this.#add(bytes, start, end)))
    table[slot * 2] = this.#last + 1
    table[slot * 2 + 1] = hash
    if (this.#ends.length * 4 > table.length) this.#rehash()
    return true
  }

  finish(): TextColumn {
    const decoder = new TextDecoder()
    const ends = this.#ends.take()
    const heap = this.#heap.slice(0, this.#used)
    const texts = Array.from(ends, (end, code) => decoder.decode(heap.subarray(code === 0 ? 0 : ends[code - 1], end)))
    return textColumn(this.#about, texts, narrowed(this.#codes.take(), texts.length))
  }

  #is(code: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = code === 0 ? 0 : this.#ends.at(code - 1)
    const length = end - start
    if (this.#ends.at(code) - from !== length) return false
    const heap = this.#heap
    // Compare from the end, because texts of a column often begin alike.
    for (let at = length - 1; at >= 0; at--) if (heap[from + at] !== bytes[start + at]) return false
    return true
  }

  #add(bytes: Uint8Array, start: number, end: number): number {
    const needed = this.#used + end - start
    if (needed > this.#heap.length) {
      const more = new Uint8Array(Math.max(needed, this.#heap.length * 2))
      more.set(this.#heap.subarray(0, this.#used))
      this.#heap = more
    }
    this.#heap.set(bytes.subarray(start, end), this.#used)
    this.#used = needed
    this.#ends.push(needed)
    return this.#ends.length - 1
  }

  #rehash(): void {
    const [old, table] = [this.#table, new Int32Array(this.#table.length * 2)]
    const mask = table.length / 2 - 1
    for (let at = 0; at < old.length; at += 2) {
      if (old[at] === 0) continue
      let slot = old[at + 1]! & mask
      while (table[slot * 2] !== 0) slot = (slot + 1) & mask
      table[slot * 2] = old[at]!
      table[slot * 2 + 1] = old[at + 1]!
    }
    this.#table = table
  }
}

const apostrophe = 0x27

/** Like `TextReader`, for files exported for spreadsheets: removes the apostrophes that prevent formulas. */
export class GuardedTextReader extends TextReader {
  override take(bytes: Uint8Array, start: number, end: number): boolean {
    const cell = bytes.subarray(start, end)
    if (!cell.includes(apostrophe)) return super.take(bytes, start, end)
    const text = Buffer.from(cell).toString()
    const read = unguarded(text)
    if (read === text) return super.take(bytes, start, end)
    const without = Buffer.from(read)
    return super.take(without, 0, without.length)
  }
}

/** A column of texts. `codes`: the place of each row's text among `texts`. */
export function textColumn(about: ColumnAbout, texts: readonly string[], codes: Codes): TextColumn {
  return {
    form: 'text',
    about,
    length: codes.length,
    texts,
    codes,
    text: (row) => texts[codes[row]!]!,
    value: (row) => texts[codes[row]!]! || null,
  }
}

/** FNV-1a, with its bits mixed so that the low ones depend on all. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  hash ^= hash >>> 15
  return (Math.imul(hash, 0x2c1b3c6d) ^ (hash >>> 12)) >>> 0
}

/** Copies codes to the smallest integer type that fits. */
export function narrowed(codes: Uint32Array, count: number): Codes {
  if (count <= 0x100) return Uint8Array.from(codes)
  return count <= 0x1_0000 ? Uint16Array.from(codes) : codes
}
