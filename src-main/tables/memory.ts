import { totalmem } from 'node:os'
import type { Column } from '../figures/column'

/** Bytes that tables may take together: a quarter of the computer's memory, at most 2 GB. */
export const memoryCeiling = (): number => Math.min(totalmem() / 4, 2 * 1024 ** 3)

/** What stands around each text in memory. */
const aroundText = 24

/** Roughly the bytes that columns take. */
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
