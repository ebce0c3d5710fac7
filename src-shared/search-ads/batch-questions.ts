import { z } from 'zod'
import type { Sending } from './questions'

/** Requests for conversions imported as rows, which are read, corrected, and sent together. */
const account = z.object({ accountId: z.string() })
const ofBatch = account.extend({ batchId: z.string().max(80) })
const row = z.number().int().min(1)

/** Maximum number of rows in a batch, because each request rewrites all of them. */
export const maxBatchRows = 10_000
/** Maximum length of a cell. No field of a conversion comes close. */
export const maxCell = 2_000

export const batchKinds = ['insert', 'update'] as const

/** Default IDs, from the agency down, for rows without them, and other plain fields of a conversion. */
export const conversionBody = z.record(z.string().max(40), z.union([z.string().max(maxCell), z.number()]))

export const batchQuestions = {
  /** The newest first. */
  'search/batches': account,
  /** Imports rows from a text, or from a file that the user chooses. Null if the user cancels. */
  'search/read-rows': account.extend({
    kind: z.enum(batchKinds),
    place: conversionBody,
    text: z.string().max(16_000_000).optional(),
  }),
  'search/batch': ofBatch,
  /** Sets whether rows are new or changed conversions, and the default activity. */
  'search/change-batch': ofBatch.extend({ kind: z.enum(batchKinds), activity: z.string().max(maxCell) }),
  'search/change-row': ofBatch.extend({ row, cells: z.array(z.string().max(maxCell)).max(300) }),
  /** Excludes unsent rows, or includes them again. */
  'search/leave-out': ofBatch.extend({ rows: z.array(row).max(maxBatchRows), out: z.boolean() }),
  /** Deletes the batch on this computer. Nothing changes on the server. */
  'search/remove-batch': ofBatch,
  /** Queues rows with their request bodies. */
  'search/send-rows': ofBatch.extend({
    rows: z
      .array(z.object({ row, body: conversionBody }))
      .min(1)
      .max(maxBatchRows),
  }),
  /** Removes pending, unsent rows from the queue. */
  'search/stop-rows': ofBatch,
} as const

export type BatchKind = (typeof batchKinds)[number]

/** `here` means that the row isn't queued. */
export const rowStates = ['here', 'waiting', 'sent', 'refused'] as const

/** A row as read, with its outcome. */
export interface BatchRow {
  /** As in a spreadsheet: the header is row 1. */
  row: number
  /** Generated conversion ID, for a row without one. */
  id: string
  cells: string[]
  state: (typeof rowStates)[number]
  /** Not to be sent. */
  out?: boolean
  /** The outcome, for display. */
  words?: string
  /** The field that the service blames. */
  location?: string
  /** The service may have received it, because a response was lost. */
  unsure?: boolean
}

export interface BatchHead {
  id: string
  /** Name of the file or paste that the batch comes from. */
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
  /** An earlier batch with the same rows. */
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
