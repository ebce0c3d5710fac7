import type { Json } from '#shared/json'
import type { CampaignsModel } from './model.svelte'
import type { CellEdit } from './writing'

/** What was written, by the key of its record and by its path. */
export type WrittenValues = Map<string, ReadonlyMap<string, Json>>

/** Edits that wait for others of the same grid, by their grid. */
const waiting = new WeakMap<CampaignsModel, Set<WaitingEdits>>()

/** Edits from when they were asked for until it is their turn to be written. */
export class WaitingEdits {
  constructor(
    private readonly model: CampaignsModel,
    private edits: readonly CellEdit[],
  ) {
    const others = waiting.get(model)
    if (others) others.add(this)
    else waiting.set(model, new Set([this]))
  }

  /** The edits, with what counts as seen by now. */
  begin(): readonly CellEdit[] {
    this.end()
    return this.edits
  }

  end(): void {
    waiting.get(this.model)?.delete(this)
  }

  adopt(values: WrittenValues): void {
    this.edits = this.edits.map((edit) => {
      const written = edit.seen === undefined ? undefined : values.get(edit.key)
      return written?.has(edit.path) ? { ...edit, seen: written.get(edit.path)! } : edit
    })
  }
}

/** What was written from a grid counts as seen by the edits that wait there: one person made both. */
export function adoptWritten(model: CampaignsModel, values: WrittenValues): void {
  for (const turn of waiting.get(model) ?? []) turn.adopt(values)
}
