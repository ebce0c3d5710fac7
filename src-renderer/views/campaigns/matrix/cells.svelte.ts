import { Selection } from '../../../ui/cell-selection.svelte'
import { cellByKey } from '../../../ui/cell-keys'
import type { CampaignsModel } from '../model.svelte'
import type { CellState } from './grid'
import type { Pair } from './joins'
import type { MatrixData } from './matrix-data.svelte'

/** A selected cell. */
export interface Cell {
  key: string
  pair: Pair
  state: CellState
}

/** The selected cells of the matrix. Column 0 has the names of the rows. */
export class MatrixCells {
  readonly selection = new Selection()

  constructor(
    private readonly model: CampaignsModel,
    private readonly data: MatrixData,
  ) {}

  /** Follows the list until the calling component unmounts: its actions are about the rows of the selected cells. */
  follow(): void {
    const { model, selection } = this
    $effect(() => {
      const { row } = model.selection
      if (row !== selection.row) selection.moveTo(row, selection.column)
    })
    $effect(() => selection.within(model.length, this.data.columns.length + 1))
    $effect(() => {
      if (!model.selection.wholeRows) model.selection.wholeRows = true
    })
  }

  go(row: number, column: number, extend = false): void {
    const { model, selection } = this
    const to = Math.max(0, Math.min(model.length - 1, row))
    selection.moveTo(to, Math.max(0, Math.min(this.data.columns.length, column)), extend)
    model.moveTo(to, model.selection.column, extend)
    model.selection.wholeRows = true
  }
  /** Moves as a key says. False for any other key. */
  goBy(event: KeyboardEvent, page: number): boolean {
    const { selection } = this
    const grid = { selection, rows: this.model.length, columns: this.data.columns.length + 1, page }
    const place = cellByKey(event, grid)
    if (place) this.go(...place, event.shiftKey)
    return place !== undefined
  }
  selectAll(): void {
    this.go(0, 1)
    this.go(this.model.length - 1, this.data.columns.length, true)
  }
  has(row: number, column: number): boolean {
    const { top, bottom, left, right } = this.selection.range
    return row >= top && row <= bottom && column >= left && column <= right
  }

  /** The selected cells, without names. With `all`, those of all rows. */
  chosen(all = false): Cell[] {
    const { model, data, selection } = this
    const { top, bottom, left, right } = selection.range
    const [rows, columns] = all
      ? [
          [0, model.length - 1],
          [1, data.columns.length],
        ]
      : [
          [top, bottom],
          [left, right],
        ]
    const found: Cell[] = []
    for (let row = rows[0]!; row <= rows[1]! && row < model.length; row++)
      for (let column = Math.max(1, columns[0]!); column <= columns[1]!; column++) {
        const key = model.rows!.key(row)
        const [state, placement, creative] = [
          data.state(key, column - 1),
          data.found?.rows.get(key)?.record.id,
          data.columns[column - 1]?.id,
        ]
        if (state && placement !== undefined && creative !== undefined)
          found.push({ key, pair: { placement, creative }, state })
      }
    return found
  }
}
