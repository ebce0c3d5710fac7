import { z } from 'zod'
import { collectionNames } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { entrySchema, recordSchema, type Outcome } from '#shared/mutation/entry'
import { account } from './account-questions'

const json = z.record(z.string(), z.unknown()).transform((value) => value as JsonObject)
const rehearsal = z.object({ id: z.string() })

/** Rehearsals of posts in a sandbox of their own, which never call the account's service. */
export const rehearsalQuestions = {
  /** Starts a sandbox with one user profile of the account. */
  'rehearsal/begin': account.extend({ profile: json }),
  /** Adds records as the account's service returned them. */
  'rehearsal/load': rehearsal.extend({
    records: z.array(z.object({ collection: z.enum(collectionNames), id: z.string(), value: json })).max(1_000),
  }),
  /** `sync/push` to the sandbox. */
  'rehearsal/push': rehearsal.extend({ entry: entrySchema, seen: recordSchema.optional() }),
  /** Stops the sandbox and deletes its data. */
  'rehearsal/end': rehearsal,
} as const

export interface RehearsalAnswers {
  'rehearsal/begin': { id: string }
  'rehearsal/load': null
  'rehearsal/push': Outcome
  'rehearsal/end': null
}
