/** A rectangle of cells; both ends belong to it. */
export interface CellRange {
  top: number
  bottom: number
  left: number
  right: number
}

/** Current cell of a grid and the range selected from it. */
export class Selection {
  row = $state(0)
  column = $state(0)
  #fromRow = $state(0)
  #fromColumn = $state(0)
  /** Whole rows are selected, so actions apply to records. */
  wholeRows = $state(false)

  readonly range = $derived.by((): CellRange => ({
    top: Math.min(this.row, this.#fromRow),
    bottom: Math.max(this.row, this.#fromRow),
    left: Math.min(this.column, this.#fromColumn),
    right: Math.max(this.column, this.#fromColumn),
  }))
  readonly many = $derived(this.row !== this.#fromRow || this.column !== this.#fromColumn)

  /** @param extend keeps the start of the selection */
  moveTo(row: number, column: number, extend = false): void {
    this.row = row
    this.column = column
    if (extend) return
    this.#fromRow = row
    this.#fromColumn = column
    this.wholeRows = false
  }

  pickRows(from: number, to: number): void {
    this.#fromRow = from
    this.row = to
    this.wholeRows = true
  }

  /** Selects the same rows as another grid of the same list. */
  takeRows(other: Selection): void {
    this.row = other.row
    this.#fromRow = other.#fromRow
  }

  /**
   * Keeps the same records selected after rows were added, removed, or moved. If they are no longer contiguous, selects
   * only the current one, so that no edit affects a record the user didn't select.
   * @param nowOf maps an old key to the current one
   * @returns true if the selection kept its size
   */
  carry(before: RowKeys, now: RowKeys, nowOf: (key: string) => string = (key) => key): boolean {
    const { row, range } = this
    const { top, bottom } = range
    if (bottom >= before.length) return true
    const at = now.find(nowOf(before.key(row)))
    const first = at - (row - top)
    const stays = (index: number): boolean =>
      first + index < now.length && now.key(first + index) === nowOf(before.key(top + index))
    let same = 0
    const count = bottom - top + 1
    if (at >= 0 && first >= 0) while (same < count && stays(same)) same++
    if (same === count) {
      this.#fromRow += at - row
      this.row = at
      return true
    }
    const together = at < 0 || count === 1 ? undefined : among(before, now, range, at, nowOf)
    if (together) {
      const upward = row === top && at !== together.bottom
      this.row = upward ? together.top : together.bottom
      this.#fromRow = upward ? together.bottom : together.top
      return true
    }
    this.moveTo(at < 0 ? row : at, this.column)
    return count === 1
  }

  within(rows: number, columns: number): void {
    const [lastRow, lastColumn] = [Math.max(0, rows - 1), Math.max(0, columns - 1)]
    this.row = Math.min(this.row, lastRow)
    this.#fromRow = Math.min(this.#fromRow, lastRow)
    this.column = Math.min(this.column, lastColumn)
    this.#fromColumn = Math.min(this.#fromColumn, lastColumn)
  }

  hasRow(row: number): boolean {
    return row >= this.range.top && row <= this.range.bottom
  }
  /** True if a column is part of the selection. */
  hasColumn(column: number): boolean {
    return this.wholeRows || (column >= this.range.left && column <= this.range.right)
  }
}

/** Rows by the keys of their records. */
interface RowKeys {
  readonly length: number
  key(row: number): string
  /** -1 if not found. */
  find(key: string): number
}

/** Returns the range that the same records occupy in another order, or undefined if it isn't contiguous. */
function among(
  before: RowKeys,
  now: RowKeys,
  range: CellRange,
  at: number,
  nowOf: (key: string) => string,
): Pick<CellRange, 'top' | 'bottom'> | undefined {
  const keys = new Set<string>()
  for (let row = range.top; row <= range.bottom; row++) keys.add(nowOf(before.key(row)))
  let [top, bottom] = [at, at]
  while (top > 0 && keys.has(now.key(top - 1))) top--
  while (bottom < now.length - 1 && keys.has(now.key(bottom + 1))) bottom++
  return bottom - top + 1 === keys.size ? { top, bottom } : undefined
}
