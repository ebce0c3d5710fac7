import { totalmem } from 'node:os'
import type { Column } from '../report-data/column'

/** Maximum memory for all tables, in bytes: a quarter of the computer's memory, up to 2 GB. */
export const memoryCeiling = (): number => Math.min(totalmem() / 4, 2 * 1024 ** 3)

/** Overhead of each text in memory, in bytes. */
const aroundText = 24

/** Approximate size of columns, in bytes. */
export function bytesOf(columns: readonly Column[]): number {
  let bytes = 0
  for (const column of columns)
    if (column.form === 'number') bytes += column.values.byteLength + (column.gaps?.byteLength ?? 0)
    else {
      bytes += column.codes.byteLength
      for (const text of column.texts) bytes += text.length + aroundText
    }
  return bytes
}
