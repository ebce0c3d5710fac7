import { z } from 'zod'
import type { OpenTable } from '../figures/questions'

/** What the window asks about search ads: where they are, what is known of them here, and what is sent about them. */
const int64 = z.string().regex(/^\d{1,20}$/, 'must be digits')
/** With or without the dashes that people write. */
const customer = z.string().regex(/^\d[\d-]{0,18}\d$/, 'must be digits')
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)
const account = z.object({ accountId: z.string() })
const advertiser = account.extend({ agencyId: int64, advertiserId: int64 })

/** An agency, an advertiser or an engine account: known by all its ids from the agency down. */
export const placeSchema = z.object({
  agencyId: int64,
  advertiserId: int64.optional(),
  engineAccountId: int64.optional(),
  customerId: customer.optional(),
  /** As the service calls the lowest of them, or as somebody called it here. */
  name: z.string().max(1_000).optional(),
})

/** Whose conversions, and of which days (both included); either all ids to the engine account, or a customer id. */
export const conversionQuerySchema = z
  .object({
    agencyId: int64.optional(),
    advertiserId: int64.optional(),
    engineAccountId: int64.optional(),
    customerId: customer.optional(),
    campaignId: int64.optional(),
    adGroupId: int64.optional(),
    criterionId: int64.optional(),
    adId: int64.optional(),
    startDate: day,
    endDate: day,
  })
  .refine(
    ({ agencyId, advertiserId, engineAccountId, customerId }) =>
      customerId !== undefined || (agencyId && advertiserId && engineAccountId),
    'Enter a customer ID, or an engine account with its agency and advertiser IDs.',
  )
  .refine(({ startDate, endDate }) => startDate <= endDate, 'The end date is before the start date.')

const body = z.record(z.string().max(40), z.union([z.string().max(2_000), z.number()]))

/** How something is sent: the operations that write. */
/** Fields of a conversion that an update can change. */
export const changeableFields = ['revenueMicros', 'currencyCode', 'quantityMillis', 'state'] as const

export const sendingKinds = ['insert', 'update', 'availability'] as const

export const searchQuestions = {
  'search/places': account,
  /** One of the same ids is named anew. */
  'search/keep-place': account.extend({
    place: placeSchema.refine(
      ({ advertiserId, engineAccountId }) => engineAccountId === undefined || advertiserId !== undefined,
      'Enter the advertiser ID of the engine account.',
    ),
  }),
  /** With all below it. */
  'search/remove-place': account.extend({ place: placeSchema }),
  /** Asks the service for an agency's engine accounts, at once, and keeps them. */
  'search/find-accounts': account.extend({ agencyId: int64 }),
  /** Those that were kept; null where none were fetched so far. */
  'search/saved-columns': advertiser.extend({ fetch: z.boolean() }),
  'search/files': account,
  /** From the start, or `on`: behind what is kept of it. */
  'search/fetch-conversions': account.extend({ query: conversionQuerySchema, on: z.boolean() }),
  'search/fetch-mapping': advertiser,
  /** Ends what is being fetched; what came so far is kept. */
  'search/cancel': account,
  'search/open-file': account.extend({ fileId: z.string().max(80) }),
  'search/remove-file': account.extend({ fileId: z.string().max(80) }),
  'search/sendings': account,
  /** Kept before it is sent; waits where there is no network. `made`: the conversion ID that was made for it here. */
  'search/send': account.extend({
    kind: z.enum(sendingKinds),
    body,
    made: z.uuid().optional(),
    /** What an update can change, as its author saw it. */
    shown: body.optional(),
  }),
  /** Tries those that wait once more, now. */
  'search/send-waiting': account,
  /** Takes one away that waits and was never sent, or that is over. */
  'search/remove-sending': account.extend({ sendingId: z.string().max(80) }),
} as const

export type SearchPlace = z.output<typeof placeSchema> & { id: string; found: 'typed' | 'service'; changed: number }
export type ConversionQuery = z.output<typeof conversionQuerySchema>

export interface SavedColumns {
  columns: { name: string; type: string }[]
  /** When the service said so, epoch milliseconds. */
  at: number
}

/** A file of the service that is kept on this computer. */
export interface SearchFile {
  id: string
  kind: 'conversions' | 'mapping'
  agencyId?: string
  advertiserId?: string
  /** Of conversions. */
  query?: ConversionQuery
  /** Fetched, epoch milliseconds. */
  at: number
  rows: number
  /** Absent where there may be more behind. */
  whole?: boolean
}

/** Something that was sent, or is about to be. */
export interface Sending {
  id: string
  kind: (typeof sendingKinds)[number]
  body: Record<string, string | number>
  state: 'waiting' | 'sent' | 'refused'
  /** What happened, for people. */
  words: string
  /** The field that the service blames. */
  location?: string
  asked: number
  over?: number
  /** It may be at the service already, for an answer was lost. */
  unsure?: boolean
  /** Of an update: what it can change, as its author saw it, and as someone else has changed it since. */
  shown?: Sending['body']
  there?: Sending['body']
  /** Rows that were asked for together, in place of `body`. */
  batch?: { id: string; name: string; rows: number; sent: number; refused: number }
}

export interface SearchAnswers {
  'search/places': { places: SearchPlace[] }
  'search/keep-place': { places: SearchPlace[] }
  'search/remove-place': { places: SearchPlace[] }
  'search/find-accounts': { places: SearchPlace[]; found: number }
  'search/saved-columns': SavedColumns | null
  'search/files': { files: SearchFile[] }
  'search/fetch-conversions': SearchFile
  'search/fetch-mapping': SearchFile
  'search/cancel': null
  'search/open-file': OpenTable
  'search/remove-file': null
  'search/sendings': { sendings: Sending[] }
  'search/send': Sending
  'search/send-waiting': { sendings: Sending[] }
  'search/remove-sending': { sendings: Sending[] }
}
