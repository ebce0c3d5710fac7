import { recordKey, type CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { StoredRow } from '../stored-row'
import { cellAt, columnOf, joined, textAt, type Column, type Texts } from './block-columns'
import type { Cell, Layout } from './layout'

/** Rows per block: few enough to read a body at once, many enough to be worth a record. */
export const rowsPerBlock = 512

/** Part of a block that memory holds. */
export interface Head {
  /** `collection\nparent\nslot\nseq`, the same as of the body. */
  key: string
  /** `collection\nslot`, to read a slot of all parents. */
  place: string
  ids: Texts
  /** Checksum of each row, so that an unchanged row isn't written again. */
  sums: Float64Array
  columns: readonly Column[]
  /** The layout's shape when the columns were created. */
  shape: string
}

/** The rows of a block as consecutive JSON texts, so that one can be read without the others. */
export interface Body extends Texts {
  key: string
}

/** Superseded or deleted rows of this block. */
export interface Dead {
  key: string
  rows: number[]
}

export interface BlockKey {
  collection: CollectionName
  parent: string | null
  slot: string
  seq: number
}

export function blockKey({ collection, parent, slot, seq }: BlockKey): string {
  return `${collection}\n${parent ?? ''}\n${slot}\n${seq.toString(36).padStart(7, '0')}`
}

export function parseBlockKey(key: string): BlockKey {
  const inside = key.indexOf('\n')
  const slot = key.indexOf('\n', inside + 1)
  const seq = key.indexOf('\n', slot + 1)
  const parent = key.slice(inside + 1, slot)
  return {
    collection: key.slice(0, inside) as CollectionName,
    parent: parent === '' ? null : parent,
    slot: key.slice(slot + 1, seq),
    seq: Number.parseInt(key.slice(seq + 1), 36),
  }
}

/** A row as text, without what the block's key already contains. */
export function rowText({ id, base, etag, complete, at }: StoredRow): string {
  return JSON.stringify({ id, etag, complete, at, base })
}

/** A 53-bit hash of a text (cyrb53). Different hashes prove different texts. Collisions are rare enough to ignore. */
export function sumOf(text: string): number {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return 4294967296 * (2097151 & b) + (a >>> 0)
}

/** A row to store in a block. */
export interface Laid {
  id: string
  text: string
  sum: number
  cells: readonly Cell[]
}

export function laid(row: StoredRow, layout: Layout): Laid {
  const text = rowText(row)
  return { id: row.id, text, sum: sumOf(text), cells: layout.cells(row) }
}

/** Creates a block from related rows. */
export function makeBlock(at: BlockKey, rows: readonly Laid[], layout: Layout): { head: Head; body: Body } {
  const key = blockKey(at)
  return {
    head: {
      key,
      place: `${at.collection}\n${at.slot}`,
      ids: joined(rows.map(({ id }) => id)),
      sums: Float64Array.from(rows, ({ sum }) => sum),
      ...columnsOf(rows, layout),
    },
    body: { key, ...joined(rows.map(({ text }) => text)) },
  }
}

function columnsOf(rows: readonly Pick<Laid, 'cells'>[], layout: Layout): Pick<Head, 'columns' | 'shape'> {
  const columns = layout.columns.map((_name, column) => columnOf(rows.map(({ cells }) => cells[column])))
  return { columns, shape: layout.shape }
}

/** Recreates the columns of a head from its body, if another version wrote it. */
export function renewed(head: Head, body: Body, layout: Layout): Head {
  const rows = Array.from(head.sums, (_sum, index) => ({ cells: layout.cells(rowOf(body, index)) }))
  return { ...head, ...columnsOf(rows, layout) }
}

/** A row with its position in a block. */
export function laidAt({ head, body }: { head: Head; body: Body }, index: number): Laid {
  return {
    id: textAt(head.ids, index),
    text: textAt(body, index),
    sum: head.sums[index]!,
    cells: head.columns.map((column) => cellAt(column, index)),
  }
}

/**
 * Reads one row of a body.
 * @throws SyntaxError if its text is damaged
 */
export function rowOf(body: Body, index: number): StoredRow {
  const { collection, parent } = parseBlockKey(body.key)
  const { id, etag, complete, at, base } = JSON.parse(textAt(body, index)) as {
    id: string
    etag?: string
    complete: boolean
    at?: number
    base: JsonObject
  }
  return {
    key: recordKey(collection, parent, id),
    collection,
    parent,
    id,
    base,
    ...(etag !== undefined && { etag }),
    complete,
    ...(at !== undefined && { at }),
  }
}
