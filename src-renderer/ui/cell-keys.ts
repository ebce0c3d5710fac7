import type { Selection } from './cell-selection.svelte'

interface Grid {
  selection: Pick<Selection, 'row' | 'column'>
  rows: number
  columns: number
  /** Number of rows per page. */
  page: number
}

/** Returns the cell that a key moves to from the current one, or undefined for any other key. */
export function cellByKey(
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  { selection: { row, column }, rows, columns, page }: Grid,
): [row: number, column: number] | undefined {
  const far = ctrlKey || metaKey
  const [lastRow, lastColumn] = [rows - 1, columns - 1]
  const to: Readonly<Record<string, [number, number]>> = {
    ArrowDown: [far ? lastRow : row + 1, column],
    ArrowUp: [far ? 0 : row - 1, column],
    ArrowRight: [row, far ? lastColumn : column + 1],
    ArrowLeft: [row, far ? 0 : column - 1],
    PageDown: [row + page, column],
    PageUp: [row - page, column],
    Home: [far ? 0 : row, 0],
    End: [far ? lastRow : row, lastColumn],
  }
  return to[key]
}
