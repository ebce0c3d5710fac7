import { z } from 'zod'
import { runIdSchema } from '#shared/reports/run-id'
import { runStates } from '#shared/reports/runs'

const moment = z.number().int()

/** Part of a run's file on the server. */
const fragment = z.object({
  /** Size as reported by the service. */
  bytes: z.number().int().optional(),
  /** Version of the partial download. The rest must match it. */
  etag: z.string().optional(),
  done: z.boolean(),
})

const runRecord = z.object({
  version: z.literal(1),
  id: runIdSchema,
  accountId: z.string().max(200),
  service: z.enum(['trafficking', 'search']),
  /** The report's ID on the server. A search request has none before it's sent. */
  reportId: z.string().optional(),
  profileId: z.string().optional(),
  name: z.string(),
  type: z.string(),
  /** The report or request at the time of the run. */
  definition: z.record(z.string(), z.unknown()),
  /** The request with relative dates, if `definition` contains the resolved dates. */
  request: z.record(z.string(), z.unknown()).optional(),
  format: z.enum(['csv', 'tsv', 'xlsx']),
  state: z.enum(runStates),
  /** State in words. */
  words: z.string(),
  asked: moment,
  /**
   * Time before the request, and the report's files at that time. Absent if the request is known not to have arrived.
   */
  attempt: z.object({ at: moment, known: z.array(z.string()) }).optional(),
  /** Requested twice, because a response was lost and the service has no list of runs. */
  askedAgain: z.boolean().optional(),
  /** Time at which the run was found on the server. `asked` is then the time of its file. */
  found: moment.optional(),
  /** ID of the run's file or request on the server. */
  serviceId: z.string().optional(),
  /** First and last day, as resolved by the service. */
  range: z.object({ from: z.string(), to: z.string() }).optional(),
  fragments: z.array(fragment),
  /** Facts about the file as reported by the service. */
  currency: z.string().optional(),
  timeZone: z.string().optional(),
  expectedRows: z.number().int().optional(),
  finished: moment.optional(),
  rows: z.number().int().optional(),
  bytes: z.number().int().optional(),
  /** Hash of the assembled file. Absent in records of earlier versions. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Outbox entries of the report that must be sent first. */
  awaits: z.array(z.string()).optional(),
  /** Exempt from cleanup. */
  pinned: z.boolean().optional(),
  /** True if the rows match the report totals. Absent without a total row. */
  totalsAgree: z.boolean().optional(),
})

/** Run of a report as stored on disk, next to its file. All times are epoch milliseconds. */
export const runRecordSchema = z.preprocess(withAttempt, runRecord)
export type RunRecord = z.infer<typeof runRecordSchema>

/** Earlier versions stored the attempt under another name. */
function withAttempt(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null || !('told' in stored)) return stored
  const { told, ...rest } = stored
  return { attempt: told, ...rest }
}
