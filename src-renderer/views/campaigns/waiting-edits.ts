import type { Json } from '#shared/json'
import type { CampaignsModel } from './model.svelte'
import type { CellEdit } from './writing'

/** Written values, by record key and path. */
export type WrittenValues = Map<string, ReadonlyMap<string, Json>>

/** Edits that wait for earlier edits of the same grid. */
const waiting = new WeakMap<CampaignsModel, Set<WaitingEdits>>()

/** Edits between the request and their turn to be written. */
export class WaitingEdits {
  readonly #written: WrittenValues[] = []

  constructor(
    private readonly model: CampaignsModel,
    private readonly edits: readonly CellEdit[] | Promise<readonly CellEdit[]>,
  ) {
    // `begin` reports the error.
    if (edits instanceof Promise) edits.catch(() => undefined)
    const others = waiting.get(model)
    if (others) others.add(this)
    else waiting.set(model, new Set([this]))
  }

  /** Returns the edits, rebased on values that the same grid has written since. */
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

/**
 * Updates the waiting edits of a grid with values it has written. The same person made both, so these values count as
 * seen.
 */
export function adoptWritten(model: CampaignsModel, values: WrittenValues): void {
  for (const turn of waiting.get(model) ?? []) turn.adopt(values)
}
