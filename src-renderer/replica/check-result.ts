import { safeParse } from '#shared/safe-parse'
import { z } from 'zod'
import { collectionNames } from '#shared/domain/collections'
import { faultSchema } from '#shared/mutation/entry'

const checkSchema = z.object({
  /** Time of the end, in epoch milliseconds. */
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

/** Delay between the first sync of a list and its first check, in milliseconds. */
export const firstCheckAfter = 3_600_000

/** Readable stored results, by service. */
export const storedChecks = (meta: ReadonlyMap<string, unknown>): [string, CheckResult][] =>
  [...meta].flatMap(([key, value]) => {
    const read = key.startsWith(checkPrefix) ? safeParse(checkSchema, value) : undefined
    return read?.success ? [[key.slice(checkPrefix.length), read.data]] : []
  })
