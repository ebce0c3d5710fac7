/** A rectangle of cells; both ends belong to it. */
export interface CellRange {
  top: number
  bottom: number
  left: number
  right: number
}

/** Where one stands in a grid of cells, and what is selected from there. */
export class Selection {
  row = $state(0)
  column = $state(0)
  #fromRow = $state(0)
  #fromColumn = $state(0)
  /** Rows are selected whole: what is done is done to records. */
  wholeRows = $state(false)

  readonly range = $derived.by((): CellRange => ({
    top: Math.min(this.row, this.#fromRow),
    bottom: Math.max(this.row, this.#fromRow),
    left: Math.min(this.column, this.#fromColumn),
    right: Math.max(this.column, this.#fromColumn),
  }))
  readonly many = $derived(this.row !== this.#fromRow || this.column !== this.#fromColumn)

  /** `extend`: keeps where it began. */
  stand(row: number, column: number, extend = false): void {
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

  /** Where rows have moved: the same record, at another place. */
  follow(row: number): void {
    const by = row - this.row
    this.#fromRow = Math.max(0, this.#fromRow + by)
    this.row = row
  }

  within(rows: number, columns: number): void {
    const [lastRow, lastColumn] = [Math.max(0, rows - 1), Math.max(0, columns - 1)]
    this.row = Math.min(this.row, lastRow)
    this.#fromRow = Math.min(this.#fromRow, lastRow)
    this.column = Math.min(this.column, lastColumn)
    this.#fromColumn = Math.min(this.#fromColumn, lastColumn)
  }

  has(row: number, column: number): boolean {
    const { top, bottom, left, right } = this.range
    return row >= top && row <= bottom && (this.wholeRows || (column >= left && column <= right))
  }
}
