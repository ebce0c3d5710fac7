import { z } from 'zod'
import type { OpenTable } from '../results/questions'

/** Requests for search ads: known places, downloaded data, and uploads. */
const int64 = z.string().regex(/^\d{1,20}$/, 'must be digits')
/** With or without dashes. */
const customer = z.string().regex(/^\d[\d-]{0,18}\d$/, 'must be digits')
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)
const account = z.object({ accountId: z.string() })
const advertiser = account.extend({ agencyId: int64, advertiserId: int64 })

/** An agency, an advertiser, or an engine account, identified by all its IDs from the agency down. */
export const placeSchema = z.object({
  agencyId: int64,
  advertiserId: int64.optional(),
  engineAccountId: int64.optional(),
  customerId: customer.optional(),
  /** Name from the service or the user. */
  name: z.string().max(1_000).optional(),
})

/** Scope and date range (inclusive) of conversions. Either all IDs down to the engine account, or a customer ID. */
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

/** Fields of a conversion that an update can change. */
export const changeableFields = ['revenueMicros', 'currencyCode', 'quantityMillis', 'state'] as const

export const sendingKinds = ['insert', 'update', 'availability'] as const

export const searchQuestions = {
  'search/places': account,
  /** Renames an existing place with the same IDs. */
  'search/keep-place': account.extend({
    place: placeSchema.refine(
      ({ advertiserId, engineAccountId }) => engineAccountId === undefined || advertiserId !== undefined,
      'Enter the advertiser ID of the engine account.',
    ),
  }),
  /** Removes a place, with everything below it. */
  'search/remove-place': account.extend({ place: placeSchema }),
  /** Requests an agency's engine accounts from the service, and saves them. */
  'search/find-accounts': account.extend({ agencyId: int64 }),
  /** The downloaded columns. Null if none were downloaded. */
  'search/saved-columns': advertiser.extend({ fetch: z.boolean() }),
  'search/files': account,
  /** Starts over, or with `on` continues after the downloaded conversions. */
  'search/fetch-conversions': account.extend({ query: conversionQuerySchema, on: z.boolean() }),
  'search/fetch-mapping': advertiser,
  /** Cancels the download and keeps what arrived. */
  'search/cancel': account,
  'search/open-file': account.extend({ fileId: z.string().max(80) }),
  'search/remove-file': account.extend({ fileId: z.string().max(80) }),
  'search/sendings': account,
  /** Saved before it's sent, and waits while offline. `made` is the conversion ID generated for it. */
  'search/send': account.extend({
    kind: z.enum(sendingKinds),
    body,
    made: z.uuid().optional(),
    /** The editable fields of an update, as its author saw them. */
    shown: body.optional(),
  }),
  /** Retries pending uploads now. */
  'search/send-waiting': account,
  /** Removes an upload that's finished, or pending and never sent. */
  'search/remove-sending': account.extend({ sendingId: z.string().max(80) }),
} as const

export type SearchPlace = z.output<typeof placeSchema> & { id: string; found: 'typed' | 'service'; changed: number }
export type ConversionQuery = z.output<typeof conversionQuerySchema>

export interface SavedColumns {
  columns: { name: string; type: string }[]
  /** Time of the response, in epoch milliseconds. */
  at: number
}

/** A downloaded file of the service. */
export interface SearchFile {
  id: string
  kind: 'conversions' | 'mapping'
  agencyId?: string
  advertiserId?: string
  /** For conversions only. */
  query?: ConversionQuery
  /** Fetched, epoch milliseconds. */
  at: number
  rows: number
  /** Absent if there may be more. */
  whole?: boolean
}

/** Something that was sent, or is about to be. */
export interface Sending {
  id: string
  kind: (typeof sendingKinds)[number]
  body: Record<string, string | number>
  state: 'waiting' | 'sent' | 'refused'
  /** The outcome, for display. */
  words: string
  /** The field that the service blames. */
  location?: string
  asked: number
  over?: number
  /** The service may have received it, because a response was lost. */
  unsure?: boolean
  /** The editable fields of an update, as its author saw them, and as someone else has changed them since. */
  shown?: Sending['body']
  there?: Sending['body']
  /** Rows that are sent together, instead of `body`. */
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
