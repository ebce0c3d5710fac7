import { z } from 'zod'
import { account } from './account-questions'
import { cursorSchema, type Cursor } from './cursor'
import { collectionNames } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { entrySchema, recordSchema, type OutboxEntry, type Outcome, type RemoteRecord } from '#shared/mutation/entry'
import type { UnknownEntry } from '#shared/mutation/unknown'
import type { ServiceName } from '#shared/wire/services'

export interface PullPage {
  records: RemoteRecord[]
  /** Ask again with this page token; absent on the last page. */
  nextPage?: string
  /** Cursor of the next pull. Only on the last page. */
  cursor?: Cursor
  /** True if this pull lists everything, so that records it doesn't contain are deleted after the last page. */
  full: boolean
  /** Records that don't match the interface, and so are missing from `records`, by ID if they have one. */
  unreadable?: { id: string | null; path: string }[]
  units: number
}

/** Usage of one limit of a service, and when it resets (epoch milliseconds). */
export interface Budget {
  service: ServiceName
  per: 'second' | 'minute' | 'day'
  used: number
  limit: number
  renews: number
}

/** A line of the journal: an entry or its end. The last line of an entry's ID counts. */
export const journalRecordSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('entry'), entry: entrySchema }),
  z.object({
    kind: z.literal('end'),
    entryId: z.string(),
    accountId: z.string(),
    how: z.string(),
    /** The ID that the service gave the record, if the entry created it. */
    made: z.string().optional(),
  }),
])
export type JournalRecord = z.infer<typeof journalRecordSchema>

export interface EndedEntry {
  id: string
  /** The ID that the service gave the record, if the entry created it. */
  made?: string | undefined
}

export interface JournalState {
  /** Stored in the journal and in IndexedDB. If they differ, the replica is read again. */
  epoch: string
  /** True if this journal was just created (first start). */
  fresh: boolean
  /** Entries without an end, oldest first. */
  open: OutboxEntry[]
  /** The entries that ended last, oldest first: an older database may still hold them. */
  ended: EndedEntry[]
  /** Complete lines that this version doesn't understand. They stay in the journal for a version that does. */
  unknown: UnknownEntry[]
  /** Number of lines with a wrong checksum or without a record. They are moved to a file next to the journal. */
  damaged: number
  damagedFile?: string
}

export const syncQuestions = {
  'sync/pull': account.extend({
    collection: z.enum(collectionNames),
    parent: z.string().nullable(),
    cursor: cursorSchema.nullable(),
    page: z.string().nullable(),
    /** The record to GET, for collections with an etag cursor. */
    id: z.string().optional(),
    /** Parameters of the list that cut a part out of it, as `{ advertiserIds: ['12'] }`. */
    within: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])).optional(),
    /** Differs from one reading of a list to the next where an answer from a cache on the way must be avoided. */
    turn: z.int().nonnegative().optional(),
  }),
  /** Targets to watch for changes. Returns those that are watched. Others must be polled. */
  'sync/watch': account.extend({
    targets: z.array(z.object({ collection: z.enum(collectionNames), parent: z.string().nullable() })).max(1_000),
  }),
  /** Usage of each limit that applies to this account. */
  'sync/budget': account,
  /** `seen`: the record that was just read, so that it need not be read again before comparing. */
  'sync/push': account.extend({ entry: entrySchema, seen: recordSchema.optional() }),
  /** Reads one record from the service (for conflicts and audits). */
  'sync/read': account.extend({ collection: z.enum(collectionNames), parent: z.string().nullable(), id: z.string() }),
  /** Reads many records of one place, in as few calls as the service allows. */
  'sync/read-many': account.extend({
    collection: z.enum(collectionNames),
    parent: z.string().nullable(),
    ids: z.array(z.string()).max(10_000),
  }),
  /** Read-only calls: free/busy, colors, occurrences, the default list, report fields, saved columns. */
  'service/call': account.extend({
    operation: z.enum([
      'calendar.freebusy.query',
      'calendar.colors.get',
      'calendar.events.instances',
      'tasks.tasklists.get',
      'trafficking.reports.compatibleFields.query',
      'trafficking.dimensionValues.query',
      'search.savedColumns.list',
    ]),
    params: z.record(z.string(), z.unknown()),
    body: z.record(z.string(), z.unknown()).optional(),
  }),
  'journal/open': z.object({}),
  'journal/append': z.object({ records: z.array(journalRecordSchema) }),
  /** Moves the local databases of all accounts aside, because they can be neither opened nor deleted. */
  'databases/set-aside': z.object({}),
} as const

export interface SyncAnswers {
  'sync/pull': PullPage
  /** Keys of targets (`recordKey` without an ID). */
  'sync/watch': { watched: string[] }
  'sync/budget': { budgets: Budget[] }
  'sync/push': Outcome
  'sync/read': RemoteRecord
  'sync/read-many': { records: RemoteRecord[]; units: number }
  'service/call': JsonObject
  'journal/open': JournalState
  'journal/append': null
  /** The folder where they are now. Null if there were none. */
  'databases/set-aside': { path: string | null }
}
