import type { Replica, Row, Work } from '../../replica/api'

/** Records that are read from the disk at once: more of them would keep the window's thread too long. */
const batch = 200

/**
 * What is taken of each record, by its key; nothing of those that are not there, or of which nothing is to be taken. Records are read in the order in which the disk has them, a piece of it once,
 * and only what is taken of them stays in memory. @throws what the signal says
 */
export async function cellsFromDisk<T>(
  replica: Pick<Replica, 'readAll'>,
  keys: readonly string[],
  take: (key: string, row: Row) => T | undefined,
  { signal, onprogress }: Work,
): Promise<ReadonlyMap<string, T>> {
  const taken = new Map<string, T>()
  const sorted = [...keys].sort()
  for (let at = 0; at < sorted.length; at += batch) {
    signal?.throwIfAborted()
    for (const [key, row] of await replica.readAll(sorted.slice(at, at + batch))) {
      const own = take(key, row)
      if (own !== undefined) taken.set(key, own)
    }
    onprogress?.(Math.min(at + batch, sorted.length), sorted.length)
    // What is held already answers without the window having its turn.
    await new Promise((resolve) => setTimeout(resolve))
  }
  return taken
}
