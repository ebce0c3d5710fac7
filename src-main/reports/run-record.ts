import { z } from 'zod'
import { runIdSchema } from '#shared/reports/run-id'
import { runStates } from '#shared/reports/runs'

const moment = z.number().int()

/** One piece of a run's file at the service. */
const fragment = z.object({
  /** As the service said. */
  bytes: z.number().int().optional(),
  /** The version of it that was begun: the rest has to be of the same one. */
  etag: z.string().optional(),
  done: z.boolean(),
})

/** A run of a report as it is kept on disk, beside its file. Epoch milliseconds throughout. */
export const runRecordSchema = z.object({
  version: z.literal(1),
  id: runIdSchema,
  accountId: z.string().max(200),
  service: z.enum(['trafficking', 'search']),
  /** The report's id at the service; a search request has none before it is made. */
  reportId: z.string().optional(),
  profileId: z.string().optional(),
  name: z.string(),
  type: z.string(),
  /** The report, or the request, as it was when the run was asked for. */
  definition: z.record(z.string(), z.unknown()),
  /** The request with its relative days, where `definition` has those of the day on which it was asked for. */
  request: z.record(z.string(), z.unknown()).optional(),
  format: z.enum(['csv', 'tsv', 'xlsx']),
  state: z.enum(runStates),
  /** What happened, for people. */
  words: z.string(),
  asked: moment,
  /** The clock before the service was told, and the files that the report had then; absent where it is known not to have heard. */
  told: z.object({ at: moment, known: z.array(z.string()) }).optional(),
  /** Asked for a second time, because an answer was lost and no list tells whether the first was heard. */
  askedAgain: z.boolean().optional(),
  /** The file of the run, or the request, at the service. */
  serviceId: z.string().optional(),
  /** Days that the service took, both among them. */
  range: z.object({ from: z.string(), to: z.string() }).optional(),
  fragments: z.array(fragment),
  /** What the service said of the whole file. */
  currency: z.string().optional(),
  timeZone: z.string().optional(),
  expectedRows: z.number().int().optional(),
  finished: moment.optional(),
  rows: z.number().int().optional(),
  bytes: z.number().int().optional(),
  /** Of the whole file when it was put together; absent in records of earlier versions. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Changes of its report, by their entries in the outbox, that have to be at the service first. */
  awaits: z.array(z.string()).optional(),
  /** Kept whatever newer ones come. */
  pinned: z.boolean().optional(),
  /** Whether the rows add up to the service's line of totals; absent where it has none. */
  totalsAgree: z.boolean().optional(),
})
export type RunRecord = z.infer<typeof runRecordSchema>
