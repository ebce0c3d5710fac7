import type { Store } from '../store'

/** Length of positions, which are digits that compare as text. Gaps leave room, so that a move changes one task. */
const width = 20
const step = 1_000_000_000_000n
const middle = 50_000_000_000_000_000_000n
const top = 10n ** BigInt(width)

export const positionText = (position: bigint): string => position.toString().padStart(width, '0')
export const nthPosition = (index: number): string => positionText(middle + BigInt(index) * step)

interface Sibling {
  id: string
  position: string
}

function siblings(store: Store, person: string, list: string, parent: string | null): Sibling[] {
  return store.all<Sibling>(
    'SELECT id, position FROM tasks WHERE person = ? AND list = ? AND parent IS ? AND deleted = 0 ORDER BY position, id',
    person,
    list,
    parent,
  )
}

/**
 * A free position after `previous` among the children of `parent`, or before all. Without a gap, spreads out the siblings,
 * which changes each of them.
 */
export function placeAfter(
  store: Store,
  person: string,
  list: string,
  parent: string | null,
  previous: string | undefined,
  self?: string,
): string {
  const others = siblings(store, person, list, parent).filter(({ id }) => id !== self)
  const index = previous === undefined ? 0 : others.findIndex(({ id }) => id === previous) + 1
  const before = others[index - 1]
  const after = others[index]
  if (!before && !after) return positionText(middle)
  if (!before) {
    const position = BigInt(after!.position) - step
    if (position > 0n) return positionText(position)
  } else if (!after) {
    const position = BigInt(before.position) + step
    if (position < top) return positionText(position)
  } else {
    const gap = BigInt(after.position) - BigInt(before.position)
    if (gap > 1n) return positionText(BigInt(before.position) + gap / 2n)
  }
  others.forEach(({ id }, at) => {
    const changed = store.stamp()
    store.run(
      'UPDATE tasks SET position = ?, changed = ?, updated = ? WHERE person = ? AND list = ? AND id = ?',
      nthPosition(at < index ? at : at + 1),
      changed,
      Math.floor(changed / 1000),
      person,
      list,
      id,
    )
  })
  return nthPosition(index)
}
