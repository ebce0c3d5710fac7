import type { Json } from '#shared/json'
import type { CampaignsModel } from './model.svelte'
import type { CellEdit } from './writing'

/** What was written, by the key of its record and by its path. */
export type WrittenValues = Map<string, ReadonlyMap<string, Json>>

/** Edits that wait for others of the same grid, by their grid. */
const waiting = new WeakMap<CampaignsModel, Set<WaitingEdits>>()

/** Edits from when they were asked for until it is their turn to be written. */
export class WaitingEdits {
  readonly #written: WrittenValues[] = []

  constructor(
    private readonly model: CampaignsModel,
    private readonly edits: readonly CellEdit[] | Promise<readonly CellEdit[]>,
  ) {
    // Whoever begins them hears of it.
    if (edits instanceof Promise) edits.catch(() => undefined)
    const others = waiting.get(model)
    if (others) others.add(this)
    else waiting.set(model, new Set([this]))
  }

  /** The edits, with what counts as seen by now. */
  async begin(): Promise<readonly CellEdit[]> {
    this.end()
    const edits = await this.edits
    if (this.#written.length === 0) return edits
    const newestFirst = [...this.#written].reverse()
    return edits.map((edit) => {
      if (edit.seen === undefined) return edit
      const last = newestFirst.find((values) => values.get(edit.key)?.has(edit.path))
      return last ? { ...edit, seen: last.get(edit.key)!.get(edit.path)! } : edit
    })
  }

  end(): void {
    waiting.get(this.model)?.delete(this)
  }

  adopt(values: WrittenValues): void {
    this.#written.push(values)
  }
}

/** What was written from a grid counts as seen by the edits that wait there: one person made both. */
export function adoptWritten(model: CampaignsModel, values: WrittenValues): void {
  for (const turn of waiting.get(model) ?? []) turn.adopt(values)
}
