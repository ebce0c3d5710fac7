import type { CellEdit, Refusal } from './writing'

/** A cell that an edit of many skipped, with the text for it, if it was typed or pasted. */
export interface SkippedCell extends Refusal {
  text?: string
}

/** Cells that the last edit of many skipped, while a dialog lists them. */
export class Skipped {
  cells = $state.raw<readonly SkippedCell[]>([])
  open = $state(false)

  show(cells: readonly SkippedCell[]): void {
    this.cells = cells
    this.open = true
  }
}

const known = new WeakMap<object, Skipped>()

/** Skipped cells of an account, which a message shows even after the view was closed and reopened. */
export function skippedOf(replica: object): Skipped {
  let found = known.get(replica)
  if (!found) known.set(replica, (found = new Skipped()))
  return found
}

/** Refusals with the texts that they’re about. */
export function withTexts(refused: readonly Refusal[], edits: readonly CellEdit[]): SkippedCell[] {
  if (refused.length === 0) return []
  const place = ({ key, path }: { key: string; path: string }): string => `${key}\n${path}`
  const texts = new Map(edits.flatMap((edit) => ('text' in edit ? [[place(edit), edit.text] as const] : [])))
  return refused.map((one) => {
    const text = texts.get(place(one))
    return text === undefined ? one : { ...one, text }
  })
}
