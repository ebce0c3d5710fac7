/** The elements that draw the rows from `first` on, by ids of their own. */
export interface Recycled {
  readonly first: number
  readonly ids: readonly number[]
  /** Elements that draw none of them, and wait to. */
  readonly left: readonly number[]
  /** Elements that there have been. */
  readonly made: number
}

/** The elements for the rows in [first, last): rows that were drawn keep theirs, the others take those that are left over. */
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

/** The elements that are wanted now, such that none is moved in the document: those that were there first, in their order. */
export function unmoved(before: readonly number[], ids: readonly number[]): number[] {
  const wanted = new Set(ids)
  const kept = before.filter((id) => wanted.delete(id))
  return [...kept, ...wanted]
}
