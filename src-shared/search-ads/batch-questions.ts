import { z } from 'zod'
import type { Sending } from './questions'

/** What the window asks about conversions that come as rows: read, mended and sent together. */
const account = z.object({ accountId: z.string() })
const ofBatch = account.extend({ batchId: z.string().max(80) })
const row = z.number().int().min(1)

/** Rows that are read at once: each request that goes out notes all of them anew. */
export const maxBatchRows = 10_000
/** Characters of a cell; no field of a conversion comes near. */
export const maxCell = 2_000

export const batchKinds = ['insert', 'update'] as const

/** Ids from the agency down that a row has where it names none, and other plain fields of a conversion. */
export const conversionBody = z.record(z.string().max(40), z.union([z.string().max(maxCell), z.number()]))

export const batchQuestions = {
  /** The newest first. */
  'search/batches': account,
  /** Keeps the rows of a text, or else of a file that the person chooses; null where they choose none. */
  'search/read-rows': account.extend({
    kind: z.enum(batchKinds),
    place: conversionBody,
    text: z.string().max(16_000_000).optional(),
  }),
  'search/batch': ofBatch,
  /** What its rows are to the service, and the activity of those that name none. */
  'search/change-batch': ofBatch.extend({ kind: z.enum(batchKinds), activity: z.string().max(maxCell) }),
  'search/change-row': ofBatch.extend({ row, cells: z.array(z.string().max(maxCell)).max(300) }),
  /** Leaves rows out that were not sent, or takes them in again. */
  'search/leave-out': ofBatch.extend({ rows: z.array(row).max(maxBatchRows), out: z.boolean() }),
  /** Takes it off this computer; at the service nothing changes. */
  'search/remove-batch': ofBatch,
  /** Puts rows into the queue, as they are to be written. */
  'search/send-rows': ofBatch.extend({
    rows: z
      .array(z.object({ row, body: conversionBody }))
      .min(1)
      .max(maxBatchRows),
  }),
  /** Takes those back that wait and were never sent. */
  'search/stop-rows': ofBatch,
} as const

export type BatchKind = (typeof batchKinds)[number]

/** `here`: nobody asked for it to be sent, or the asking was taken back. */
export const rowStates = ['here', 'waiting', 'sent', 'refused'] as const

/** A row as it was read, and what became of it. */
export interface BatchRow {
  /** As a spreadsheet counts: the header is 1. */
  row: number
  /** Made here: the id of a conversion whose row has none. */
  id: string
  cells: string[]
  state: (typeof rowStates)[number]
  /** Not to be sent. */
  out?: boolean
  /** What happened, for people. */
  words?: string
  /** The field that the service blames. */
  location?: string
  /** It may be at the service already, for an answer was lost. */
  unsure?: boolean
}

export interface BatchHead {
  id: string
  /** Of the file that it came from, or of a paste. */
  name: string
  kind: BatchKind
  place: Sending['body']
  activity: string
  /** Epoch milliseconds. */
  made: number
  rows: number
  sent: number
  waiting: number
  refused: number
}

export interface ConversionBatch extends BatchHead {
  head: string[]
  list: BatchRow[]
  /** One with the same rows that was read before. */
  again?: BatchHead
}

export interface BatchAnswers {
  'search/batches': { batches: BatchHead[] }
  'search/read-rows': BatchHead | null
  'search/batch': ConversionBatch
  'search/change-batch': null
  'search/change-row': null
  'search/leave-out': null
  'search/remove-batch': null
  'search/send-rows': Sending
  'search/stop-rows': null
}
