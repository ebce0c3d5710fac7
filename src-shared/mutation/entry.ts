import { z } from 'zod'
import { collectionNames } from '#shared/domain/collections'
import { faultCodes } from '#shared/fault'
import type { JsonObject } from '#shared/json'

/**
 * One pending change of one record, in the outbox and the journal. Main sends it. Stored entries are parsed when they're
 * read, because an older version may have written them.
 */

const json = z.record(z.string(), z.unknown()).transform((value) => value as JsonObject)

export const faultSchema = z.object({
  code: z.enum(faultCodes),
  message: z.string(),
  status: z.number().optional(),
  reason: z.string().optional(),
  location: z.string().optional(),
  operation: z.string().optional(),
  parts: z
    .array(z.object({ message: z.string(), reason: z.string().optional(), location: z.string().optional() }))
    .readonly()
    .optional(),
  retryAfter: z.number().optional(),
})

/** Changes other than field edits. Each is one operation of the service. */
export const actionSchema = z.discriminatedUnion('name', [
  /** events.move, to another calendar. */
  z.object({ name: z.literal('moveEvent'), destination: z.string() }),
  /** tasks.move, to a new place among siblings, with children. `destination` is another list. */
  z.object({
    name: z.literal('moveTask'),
    destination: z.string().optional(),
    parent: z.string().optional(),
    previous: z.string().optional(),
  }),
  /** tasks.clear: hides all completed tasks of the list that is `recordId` (collection tasklists). */
  z.object({ name: z.literal('clearCompleted') }),
  /** calendars.clear: deletes all events of the primary calendar that is `recordId` (collection calendars). */
  z.object({ name: z.literal('clearCalendar') }),
  /** events.import: a private copy with its own iCalUID. */
  z.object({ name: z.literal('importEvent') }),
  /** calendars.transferOwnership */
  z.object({ name: z.literal('transferOwnership'), newDataOwner: z.string() }),
])
export type Action = z.infer<typeof actionSchema>

const onceSchema = z.record(
  z.string(),
  z.union([
    z.object({ is: z.string() }),
    z.object({ ends: z.string() }),
    z.object({ has: z.string(), from: z.string(), time: z.number().optional() }),
    z.object({ since: z.string(), by: z.string() }),
  ]),
)
export type Once = z.infer<typeof onceSchema>

export const sendUpdatesValues = ['all', 'externalOnly', 'none'] as const

export const entrySchema = z.object({
  /** Unique, and sortable by creation time. */
  id: z.string(),
  accountId: z.string(),
  collection: z.enum(collectionNames),
  parent: z.string().nullable(),
  /** The service's ID, the client-chosen ID, or `local:…`. */
  recordId: z.string(),
  kind: z.enum(['create', 'change', 'delete', 'action']),
  action: actionSchema.optional(),
  /** create: the whole new record. change: only touched top-level fields, null clears. Otherwise empty. */
  patch: json,
  /** The last state the service reported when this edit was made, or null if it never did. The base of merging. */
  base: json.nullable(),
  etag: z.string().optional(),
  /**
   * Values of fields before the first edit, if the author has since chosen them over someone else's value. Undo restores that
   * value, which is in `base`.
   */
  replaced: json.optional(),
  /** True if `base` is the complete record, so that the replay may be a PUT. */
  complete: z.boolean(),
  /** Place of a new task, for tasks.insert. */
  place: z.object({ parent: z.string().optional(), previous: z.string().optional() }).optional(),
  /**
   * Local effects on other rows until the service answers, by row key: a patch on top of the row (the whole value if the
   * service has no such row yet), or null for a hidden row. Never sent. `etag`: the version of a hidden row that the
   * author saw.
   */
  shows: z.array(z.object({ key: z.string(), patch: json.nullable(), etag: z.string().optional() })).optional(),
  /** Keys of unreadable lists from which the author confirmed to remove records. */
  unread: z.array(z.string()).optional(),
  sendUpdates: z.enum(sendUpdatesValues).optional(),
  /** Number of people the service will email when this is sent. */
  mails: z.number().int().nonnegative(),
  /** Entries that must be confirmed first (a parent's creation, the other half of a split series). */
  dependsOn: z.array(z.string()),
  /**
   * For half of an edit, such as the rest of a split series: ID of the record of its other half, which is sent first, and
   * without which it isn't sent. `theirs`: the fields of that half, if it's a change. `own`: those of this one, if it's a change
   * that may have others, too.
   */
  follows: z
    .object({ id: z.string(), theirs: z.array(z.string()).optional(), own: z.array(z.string()).optional() })
    .optional(),
  /** Edits made in one step share a group: undo and the queue treat them as one. */
  group: z.string(),
  /** Describes the change to users, in one line. */
  label: z.string(),
  /** Epoch milliseconds. */
  madeAt: z.number(),
  /** Time of the last edit that this entry absorbed, in epoch milliseconds. */
  editedAt: z.number().optional(),
  /** Increases with each change of the content. If database and journal differ, the higher revision wins. */
  revision: z.number().int().nonnegative().optional(),
  /** A draft, which isn't sent until the user posts it. */
  held: z.boolean().optional(),
  state: z.enum(['waiting', 'sending', 'needsYou']),
  attempts: z.number().int().nonnegative(),
  /** Set when an attempt's outcome is unknown: look before repeating. */
  unknownOutcome: z.boolean(),
  /**
   * For a creation without a client ID: IDs of existing records with the same title, set when the entry is first marked
   * as sending. If the outcome is unknown, any other equal record on the service is ours.
   */
  twins: z.array(z.string()).optional(),
  /**
   * Time of the last attempt of a creation, in epoch milliseconds. Differs for each attempt, so that the journal records all of
   * them.
   */
  triedAt: z.number().optional(),
  /**
   * With `twins`: the existing records were unknown at that time, so only an equal record is certainly ours. Without: another
   * computer may create a record with this ID, too.
   */
  blind: z.boolean().optional(),
  /**
   * Keys of records that appeared after a creation without a client ID was sent. One of them may be the created record,
   * changed by someone since.
   */
  candidates: z.array(z.string()).optional(),
  /**
   * Conditions by field for a record of another computer that makes this creation unnecessary. `ends`: the last line of a text.
   * `has`: a part between ` · ` of one of its lines, the text that both come `from`, and the `time` of day if both have one.
   * `since`: that day, or a later one on which a task repeats `by` a rule. Edits of the new record are separate entries.
   */
  once: onceSchema.optional(),
  /** ID of the record that this creation made, as its author confirmed. */
  adopts: z.string().optional(),
  /**
   * For an entry that undoes a deletion whose outcome is unknown: the deleted record's key, and its value as the author saw
   * it.
   */
  restores: z.object({ key: z.string(), value: json }).optional(),
  /** Epoch milliseconds of the next try, for display. The real wait uses monotonic time. */
  notBefore: z.number().optional(),
  fault: faultSchema.optional(),
  /** Set with state needsYou when fields truly conflict. */
  conflict: z
    .object({
      /** null: deleted on the service. */
      remote: json.nullable(),
      remoteEtag: z.string().optional(),
      /** Fields that both sides changed differently. Empty when one side deleted. */
      fields: z.array(z.string()),
      /** The patch of everything that merged automatically. */
      merged: json,
      /** Keys of records that this entry would remove and that someone else added or changed since it was queued. */
      unseen: z.array(z.string()).optional(),
      /** Keys of lists that this entry would remove from and that can't be read. */
      unread: z.array(z.string()).optional(),
      /** Key of the record that a creation may already have created. */
      made: z.string().optional(),
    })
    .optional(),
})
export type OutboxEntry = z.infer<typeof entrySchema>

/** Fields that each side contributed to an automatic merge. */
export const receiptSchema = z.object({
  mine: z.array(z.string()),
  theirs: z.array(z.string()),
  /** Fields merged inside, as guests by email or text by words. */
  combined: z.array(z.string()),
})
export type MergeReceipt = z.infer<typeof receiptSchema>

export const recordSchema = z.object({
  collection: z.enum(collectionNames),
  parent: z.string().nullable(),
  id: z.string(),
  etag: z.string().optional(),
  /** null: deleted. */
  value: json.nullable(),
  /** Time of the last change of a deleted record, in RFC 3339, if the service has it. */
  goneAt: z.string().optional(),
})
/** The current state of a record on the service. */
export type RemoteRecord = z.infer<typeof recordSchema>

/** Fields replaced by a write without If-Match: the values read just before it, and those sent. */
export interface UnguardedWrite {
  seen: JsonObject
  sent: JsonObject
}

/** The server's state after a successful attempt. */
export interface Written {
  records: RemoteRecord[]
  /** The record to delete didn't exist. */
  alreadyGone?: true
  /** Nothing needed to be written: the record is unchanged since it was read. */
  unwritten?: true
  /** This attempt created the record, so everything in it that wasn't sent comes from the service. */
  created?: true
  unguarded?: UnguardedWrite
  units: number
}

/** Outcome of one attempt to replay an entry. */
export type Outcome =
  | ({ kind: 'confirmed' } & Written)
  | ({ kind: 'merged'; receipt: MergeReceipt } & Written)
  /** `made`: the entry may have created the remote record. If it has no value, it was moved or deleted. */
  | { kind: 'conflict'; remote: RemoteRecord; fields: string[]; merged: JsonObject; made?: true; units: number }
  /** The service won't accept the entry. `unknown`: it's unclear whether an earlier attempt got through. */
  | { kind: 'refused'; fault: z.infer<typeof faultSchema>; unknown?: boolean; units: number }
  /**
   * Try again after `wait` milliseconds. `unknown`: the service may have committed this attempt. `etag`: the version of a
   * record to restore that was last seen.
   */
  | { kind: 'retry'; fault: z.infer<typeof faultSchema>; wait: number; unknown: boolean; etag?: string; units: number }
  /** The session expired: the whole queue is frozen until the user signs in. */
  | { kind: 'frozen'; fault: z.infer<typeof faultSchema>; units: number }
