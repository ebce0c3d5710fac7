import { headOfConversion, partsOf } from '#shared/search-ads/conversion-columns'
import { changeableFields, type Sending } from '#shared/search-ads/questions'
import type { Conversion } from '#shared/wire/search/types'
import { tableOf } from '#shared/wire/services'
import { validate } from '#shared/wire/validate'
import { violationWords } from '../../../context/violation-words'

/** A conversion as people write it. */
export interface ConversionDraft {
  conversionId: string
  /** Epoch milliseconds. */
  at: number
  type: 'ACTION' | 'TRANSACTION'
  /** Id, or name. */
  activity: string
  revenue: string
  currency: string
  quantity: string
  clickId: string
  keywordId: string
  removed: boolean
}

export type DraftField = Exclude<keyof ConversionDraft, 'removed'>

/** Timestamps reach back to this day. */
const earliest = Date.UTC(2013, 0, 1)
/** Period in which a click ID can identify a conversion, in milliseconds. */
const clickLife = 60 * 86_400_000

export const newDraft = (now: number): ConversionDraft => ({
  conversionId: crypto.randomUUID(),
  at: Math.floor(now / 60_000) * 60_000,
  type: 'ACTION',
  activity: '',
  revenue: '',
  currency: '',
  quantity: '',
  clickId: '',
  keywordId: '',
  removed: false,
})

const byField: Partial<Record<string, DraftField>> = {
  conversionTimestamp: 'at',
  revenueMicros: 'revenue',
  currencyCode: 'currency',
  quantityMillis: 'quantity',
  criterionId: 'keywordId',
  segmentationId: 'activity',
  segmentationName: 'activity',
}

/** The editable fields of a conversion, as displayed. */
export const shownOf = (one: Conversion): Sending['body'] =>
  Object.fromEntries(changeableFields.flatMap((field) => (one[field] === undefined ? [] : [[field, one[field]]])))

/**
 * The request body, or problems by field.
 * @param of the conversion to edit. Without it, creates one in `place`
 */
export function bodyOf(
  draft: ConversionDraft,
  { of, place, now }: { of?: Conversion; place: Sending['body']; now: number },
): { body: Sending['body']; problems: Partial<Record<DraftField, string>> } {
  const problems: Partial<Record<DraftField, string>> = {}
  const text = (field: 'revenue' | 'quantity', digits: number): string | undefined => {
    if (draft[field].trim() === '') return undefined
    const parts = partsOf(draft[field], digits)
    if (parts === undefined) problems[field] = `Enter a number with at most ${digits} decimals`
    return parts
  }
  const revenueMicros = text('revenue', 6)
  const quantityMillis = text('quantity', 3)
  const currencyCode = draft.currency.trim().toUpperCase()
  if (draft.type === 'TRANSACTION' && draft.revenue.trim() === '')
    problems.revenue = 'Enter the revenue of the transaction'
  if (draft.revenue.trim() !== '' && !/^[A-Z]{3}$/.test(currencyCode))
    problems.currency = 'Enter three letters, such as EUR'
  if (draft.at > now) problems.at = 'Choose a time in the past'
  if (draft.at < earliest) problems.at = 'Choose a time after 2012'
  if (draft.conversionId.trim() === '') problems.conversionId = 'Enter an ID'
  const worth = {
    ...(revenueMicros !== undefined && { revenueMicros, currencyCode }),
    ...(quantityMillis !== undefined && { quantityMillis }),
  }
  const activity = draft.activity.trim()
  const body: Sending['body'] = of
    ? {
        ...named(of, now),
        ...worth,
        ...(draft.removed && { state: 'REMOVED' }),
      }
    : {
        ...place,
        conversionId: draft.conversionId.trim(),
        conversionTimestamp: String(draft.at),
        type: draft.type,
        segmentationType: 'TRACKING',
        ...(/^\d+$/.test(activity) ? { segmentationId: activity } : { segmentationName: activity }),
        ...(draft.clickId.trim() && { clickId: draft.clickId.trim() }),
        ...(draft.keywordId.trim() && { criterionId: draft.keywordId.trim() }),
        ...worth,
      }
  if (!of && activity === '') problems.activity = 'Choose an activity'
  const mode = of
    ? ({ kind: 'update', operation: 'search.conversion.update' } as const)
    : ({ kind: 'insert', operation: 'search.conversion.insert' } as const)
  for (const violation of validate(tableOf('search'), 'Conversion', body, mode)) {
    const field = byField[violation.path] ?? (violation.path as DraftField)
    problems[field in draft ? field : 'conversionId'] ??= violationWords(violation, headOfConversion)
  }
  return { body, problems }
}

/** Identifies the conversion to edit by its fixed fields and its click or keyword. */
function named(of: Conversion, now: number): Sending['body'] {
  const { conversionId, conversionTimestamp, type, agencyId, advertiserId, engineAccountId, customerId } = of
  const { campaignId, adGroupId, criterionId, clickId, segmentationType, segmentationId } = of
  const young = now - Number(conversionTimestamp) < clickLife
  const all = {
    ...{ conversionId, conversionTimestamp, type, agencyId, advertiserId, engineAccountId, customerId },
    ...{ campaignId, adGroupId, criterionId, segmentationType, segmentationId },
    ...(young && { clickId }),
  }
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
