/** Element IDs for the rows from `first` on. */
export interface Recycled {
  readonly first: number
  readonly ids: readonly number[]
  /** Elements that draw none of them, and wait to. */
  readonly left: readonly number[]
  /** Elements that there have been. */
  readonly made: number
}

/** Elements for the rows in [first, last). Rows drawn before keep theirs. The others reuse freed elements. */
export function recycle({ first: before, ids, left, made }: Recycled, first: number, last: number): Recycled {
  const free = [...ids.filter((_id, index) => before + index < first || before + index >= last), ...left]
  const now: number[] = []
  let [taken, next] = [0, made]
  for (let row = first; row < last; row++) {
    const kept = row < before ? undefined : ids[row - before]
    now.push(kept ?? free[taken++] ?? next++)
  }
  return { first, ids: now, left: free.slice(taken), made: next }
}

/** Orders elements so that none moves in the document: existing ones first, in their order. */
export function unmoved(before: readonly number[], ids: readonly number[]): number[] {
  const wanted = new Set(ids)
  const kept = before.filter((id) => wanted.delete(id))
  return [...kept, ...wanted]
}
