import type { CampaignsModel } from '../model.svelte'
import { assign, contested, planFor, unassign, type Chosen, type Preview } from './assigning'
import type { Cell, MatrixCells } from './cells.svelte'
import type { Side } from './joins'
import type { MatrixData } from './matrix-data.svelte'
import type { MatrixRecords } from './matrix-records'
import type { Per, Shared } from './plan'

/** Pairs to remove, while a dialog asks how. */
export interface Asked {
  chosen: Chosen
  seen: MatrixRecords
  shared: readonly Shared[]
}

/** Actions on cells of the matrix. */
export class MatrixActions {
  /** A removal that would end other pairs. Null unless a dialog asks about it. */
  asked = $state.raw<Asked | null>(null)
  /** Possible pairs, while a dialog previews their ads. */
  filling = $state.raw<Chosen | null>(null)

  constructor(
    private readonly model: CampaignsModel,
    private readonly data: MatrixData,
    private readonly cells: MatrixCells,
  ) {}

  /** Assigns the possible cells among the selected ones. If there are none, removes the assigned ones. */
  toggle(): void {
    const cells = [...this.cells.open()]
    const possible = cells.filter(({ state }) => state.kind === 'possible')
    if (possible.length > 0) void assign(this.model, chosenOf(possible))
    else if (cells.length > 0) this.remove(cells)
    else if (this.cells.why !== undefined) this.model.app.toasts.show(`Can’t be assigned. ${this.cells.why}`)
  }
  assign(): void {
    void assign(this.model, chosenOf([...this.cells.open()].filter(({ state }) => state.kind === 'possible')))
  }
  remove(cells = [...this.cells.open()].filter(({ state }) => state.kind === 'assigned')): void {
    const { found } = this.data
    if (!found || cells.length === 0) return
    const chosen = chosenOf(cells)
    const shared = contested(found, chosen.pairs)
    if (shared.length > 0) this.asked = { chosen, seen: found, shared }
    else void unassign(this.model, chosen, found)
  }
  /** Answers what to remove. */
  answer(side: Side): void {
    const { asked } = this
    this.asked = null
    if (asked) void unassign(this.model, asked.chosen, asked.seen, side)
  }

  /** Asks whether to assign every possible cell of several selected ones, or of all rows. */
  fill(): void {
    const { range } = this.cells.selection
    const isOne = range.top === range.bottom && range.left === range.right
    const possible = [...this.cells.open(isOne)].filter(({ state }) => state.kind === 'possible')
    if (possible.length === 0) this.model.app.toasts.show('Nothing to assign')
    else this.filling = chosenOf(possible)
  }
  /** Effects of filling. Undefined before the records are read. */
  preview(per: Per): Preview | undefined {
    const { found } = this.data
    return found && this.filling ? planFor(this.model, found, this.filling.pairs, per) : undefined
  }
  runFill(per: Per): void {
    const { filling } = this
    this.filling = null
    if (filling) void assign(this.model, filling, per)
  }
}

const chosenOf = (cells: readonly Cell[]): Chosen => ({
  keys: [...new Set(cells.map(({ key }) => key))],
  pairs: cells.map(({ pair }) => pair),
})
