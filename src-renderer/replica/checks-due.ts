import { z } from 'zod'
import { safeParse } from '#shared/safe-parse'
import type { Write } from './store'

export const duePrefix = 'checkDue\n'
/** Key under which earlier versions stored all times in one record, which each new list rewrote. */
const allDues = 'checksDue'

/** Write of a target's next check: epoch milliseconds, or null if the target is no longer read. */
export const dueWrite = (target: string, due: number | null): Write =>
  due === null
    ? { table: 'meta', remove: duePrefix + target }
    : { table: 'meta', put: { key: duePrefix + target, value: due } }

/** Reads the time of each target's next check, by its key. Also returns the writes that convert times of an earlier version. */
export function storedDues(meta: ReadonlyMap<string, unknown>): { dues: Map<string, number>; writes: Write[] } {
  const before = safeParse(z.record(z.string(), z.number()), meta.get(allDues))
  const old = before.success ? Object.entries(before.data) : []
  const dues = new Map(old)
  for (const [key, due] of meta)
    if (key.startsWith(duePrefix) && typeof due === 'number') dues.set(key.slice(duePrefix.length), due)
  const converted = old.map(([target]) => dueWrite(target, dues.get(target)!))
  return { dues, writes: meta.has(allDues) ? [...converted, { table: 'meta', remove: allDues }] : [] }
}
