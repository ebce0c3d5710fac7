import { safeParse } from '#shared/safe-parse'
import { z } from 'zod'
import { collectionNames, parseRecordKey } from '#shared/domain/collections'
import { actionSchema, entrySchema, sendUpdatesValues } from '#shared/mutation/entry'
import { stepOf } from './undo-steps'
import type { UndoStep } from './undo'

const json = z.record(z.string(), z.unknown())
const collection = z.enum(collectionNames)
const key = z.string().refine((text) => safeParse(collection, parseRecordKey(text).collection).success)
const hiddenRow = z.looseObject({ key, value: json })
const decision = z.union([z.enum(['mine', 'theirs']), z.object({ value: z.unknown() })])

/** A deleted record, in a step and in the list of deleted records. */
export const deletedItemSchema = z.looseObject({
  kind: z.literal('deleted'),
  key,
  collection,
  parent: z.string().nullable(),
  id: z.string(),
  value: json,
  place: z.looseObject({ parent: z.string().optional(), previous: z.string().optional() }).optional(),
  dropped: z.array(entrySchema).optional(),
  label: z.string().optional(),
  follows: key.optional(),
  again: z.literal(true).optional(),
})

/**
 * An undo step as stored, maybe by an older or newer version. Rejects a step that it doesn't understand completely, because
 * undoing part of a step would have another effect.
 */
export const undoSchema = z.looseObject({
  id: z.string(),
  of: z.string().optional(),
  stack: z.enum(['undo', 'redo']),
  label: z.string(),
  options: z.looseObject({
    sendUpdates: z.enum(sendUpdatesValues).optional(),
    mails: z.number().int().nonnegative().optional(),
  }),
  items: z.array(
    z.discriminatedUnion('kind', [
      z.looseObject({
        kind: z.literal('fields'),
        key,
        before: json,
        after: json,
        seen: json.optional(),
        label: z.string().optional(),
        hides: z.array(hiddenRow).optional(),
        brought: z.array(hiddenRow).optional(),
      }),
      z.looseObject({ kind: z.literal('created'), key, follows: key.optional(), within: z.string().optional() }),
      deletedItemSchema,
      z.looseObject({ kind: z.literal('acted'), key, back: actionSchema.optional(), entryId: z.string() }),
      z.looseObject({
        kind: z.literal('resolved'),
        key,
        entry: entrySchema,
        choice: z.looseObject({
          fields: z.record(z.string(), decision).optional(),
          keep: z.enum(['mine', 'theirs']).optional(),
        }),
        sent: json.nullable(),
        again: z.literal(true).optional(),
      }),
    ]),
  ),
})

/** Splits parts into those of complete steps, and those of steps with an unreadable part. */
export function completeSteps(
  parts: readonly UndoStep[],
  unreadable: readonly unknown[],
): { whole: UndoStep[]; cut: UndoStep[] } {
  const lost = new Set(
    unreadable.flatMap((item) => {
      const { id, of } = item as { id?: unknown; of?: unknown }
      return typeof of === 'string' ? of : typeof id === 'string' ? id : []
    }),
  )
  return {
    whole: parts.filter((part) => !lost.has(stepOf(part))),
    cut: parts.filter((part) => lost.has(stepOf(part))),
  }
}
