import { safeParse } from '#shared/safe-parse'
import { z } from 'zod'
import { collectionNames } from '#shared/domain/collections'
import { faultSchema } from '#shared/mutation/entry'
import type { Write } from './store'

const checkSchema = z.object({
  /** Epoch milliseconds of its end. */
  at: z.number(),
  /** Number of compared lists. */
  lists: z.number(),
  /** True if started by hand. */
  asked: z.boolean(),
  repairs: z.array(
    z.object({
      difference: z.enum(['ghost', 'hole', 'stale']),
      collection: z.enum(collectionNames),
      parent: z.string().nullable(),
      id: z.string(),
      /** Its name. */
      name: z.string().optional(),
      /** Name of its list. */
      list: z.string().optional(),
    }),
  ),
  /** The fault that stopped the check. */
  fault: faultSchema.optional(),
})
/** Result of the last sync check of a service. */
export type CheckResult = z.infer<typeof checkSchema>

export interface CheckStatus {
  /** Lists that are done, and all of them, while a check runs. */
  running?: { done: number; total: number }
  last?: CheckResult
}

export const checkPrefix = 'check/'
export const checkMeta = (service: string): string => checkPrefix + service

export const duePrefix = 'checkDue\n'
/** Earlier versions kept all of them in one record, which each new list rewrote. */
const allDues = 'checksDue'
/** Delay between the first sync of a list and its first check, in milliseconds. */
export const firstCheckAfter = 3_600_000

/** The write that keeps when a target is compared next: epoch milliseconds, or null if it's no longer read. */
export const dueWrite = (target: string, due: number | null): Write =>
  due === null
    ? { table: 'meta', remove: duePrefix + target }
    : { table: 'meta', put: { key: duePrefix + target, value: due } }

/** Reads when each target is compared next, by its key, and the writes that convert those of an earlier version. */
export function storedDues(meta: ReadonlyMap<string, unknown>): { dues: Map<string, number>; writes: Write[] } {
  const before = safeParse(z.record(z.string(), z.number()), meta.get(allDues))
  const old = before.success ? Object.entries(before.data) : []
  const dues = new Map(old)
  for (const [key, due] of meta)
    if (key.startsWith(duePrefix) && typeof due === 'number') dues.set(key.slice(duePrefix.length), due)
  const converted = old.map(([target]) => dueWrite(target, dues.get(target)!))
  return { dues, writes: meta.has(allDues) ? [...converted, { table: 'meta', remove: allDues }] : [] }
}

/** Readable stored results, by service. */
export const storedChecks = (meta: ReadonlyMap<string, unknown>): [string, CheckResult][] =>
  [...meta].flatMap(([key, value]) => {
    const read = key.startsWith(checkPrefix) ? safeParse(checkSchema, value) : undefined
    return read?.success ? [[key.slice(checkPrefix.length), read.data]] : []
  })
