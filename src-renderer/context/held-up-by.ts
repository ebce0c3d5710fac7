/**
 * IDs of stuck entries, and of those that can’t be sent before them, directly or because of others.
 * @param needs IDs of the entries that an entry needs to be sent first
 */
export function heldUpBy(stuck: Iterable<string>, needs: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set(stuck)
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const [id, others] of needs) if (others.some((other) => found.has(other))) found.add(id)
  }
  return found
}
