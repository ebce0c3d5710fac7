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
    $effect(() => selection.takeRows(model.selection))
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
    const place = this.#jump(event) ?? cellByKey(event, grid)
    if (place) this.go(...place, event.shiftKey)
    return place !== undefined
  }
  /** The next cell in the direction of a key with Ctrl that can be assigned or is. Undefined if there's none, and for other keys. */
  #jump({ key, ctrlKey, metaKey }: KeyboardEvent): [row: number, column: number] | undefined {
    const { model, data, selection } = this
    const { row, column } = selection
    const keyOf = (at: number): string => model.rows?.key(at) ?? ''
    if (!ctrlKey && !metaKey) return undefined
    if (key === 'ArrowRight' || key === 'ArrowLeft') {
      const next = key === 'ArrowRight' ? data.next(keyOf(row), column) : data.previous(keyOf(row), column - 2)
      return next === undefined ? undefined : [row, next + 1]
    }
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    if (step === 0 || column === 0) return undefined
    for (let at = row + step; at >= 0 && at < model.length; at += step)
      if (data.next(keyOf(at), column - 1) === column - 1) return [at, column]
    return undefined
  }
  selectAll(): void {
    this.go(0, 1)
    this.go(this.model.length - 1, this.data.columns.length, true)
  }
  has(row: number, column: number): boolean {
    const { top, bottom, left, right } = this.selection.range
    return row >= top && row <= bottom && column >= left && column <= right
  }

  /** Cells that are assigned or possible among the selected ones. With `all`, among those of all rows. */
  *open(all = false): Generator<Cell, void, void> {
    const { model, data, selection } = this
    const { top, bottom, left, right } = all
      ? { top: 0, bottom: model.length - 1, left: 1, right: data.columns.length }
      : selection.range
    for (let row = top; row <= bottom && row < model.length; row++) {
      const key = model.rows!.key(row)
      const placement = data.found?.rows.get(key)?.record.id
      if (placement === undefined) continue
      for (const column of data.candidates(key)) {
        if (column < left - 1 || column > right - 1) continue
        const state = data.state(key, column)
        if (state && state.kind !== 'impossible')
          yield { key, pair: { placement, creative: data.columns[column]!.id }, state }
      }
    }
  }
  /** Number of selected cells, without names. */
  get count(): number {
    const { top, bottom, left, right } = this.selection.range
    return (bottom - top + 1) * Math.max(0, right - Math.max(1, left) + 1)
  }
  /** Why the current cell can't be assigned. Undefined if it can. */
  get why(): string | undefined {
    const { model, data, selection } = this
    const state =
      selection.column > 0 ? data.state(model.rows?.key(selection.row) ?? '', selection.column - 1) : undefined
    return state?.kind === 'impossible' ? state.why : undefined
  }
}
