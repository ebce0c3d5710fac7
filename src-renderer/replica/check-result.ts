import { safeParse } from '#shared/safe-parse'
import { z } from 'zod'
import { collectionNames } from '#shared/domain/collections'
import { faultSchema } from '#shared/mutation/entry'

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

const prefix = 'check/'
export const checkMeta = (service: string): string => prefix + service

/** When each target is compared next, by its key: epoch milliseconds. */
export const checksDueMeta = 'checksDue'
/** Delay between the first sync of a list and its first check, in milliseconds. */
export const firstCheckAfter = 3_600_000

export const storedDues = (meta: ReadonlyMap<string, unknown>): [string, number][] => {
  const read = safeParse(z.record(z.string(), z.number()), meta.get(checksDueMeta))
  return read.success ? Object.entries(read.data) : []
}

/** Readable stored results, by service. */
export const storedChecks = (meta: ReadonlyMap<string, unknown>): [string, CheckResult][] =>
  [...meta].flatMap(([key, value]) => {
    const read = key.startsWith(prefix) ? safeParse(checkSchema, value) : undefined
    return read?.success ? [[key.slice(prefix.length), read.data]] : []
  })
