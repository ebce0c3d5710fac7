import { whyUncalculated } from '#shared/fields/uncalculated'
import { momentOf, type BatchColumn } from '#shared/search-ads/batch-columns'
import type { BatchKind, BatchRow } from '#shared/search-ads/batch-questions'
import { decimalOf } from '#shared/search-ads/conversion-columns'
import type { Sending } from '#shared/search-ads/questions'
import type { Conversion } from '#shared/wire/search/types'
import { bodyOf, newDraft, type ConversionDraft, type DraftField } from './conversion-draft'

/** Settings shared by all rows of a batch. */
export interface RowTerms {
  columns: readonly (BatchColumn | undefined)[]
  kind: BatchKind
  place: Sending['body']
  /** The activity of rows that name none. */
  activity: string
  /** Zone of times without one. */
  zone: string
  now: number
}

/** A row ready to send, or its problems by column. */
export interface ReadRow {
  body: Sending['body']
  problems: readonly { column?: number; words: string }[]
}

/** Columns in which something of a form's field is written. */
const fieldsOf: Readonly<Record<DraftField, readonly (keyof Conversion)[]>> = {
  conversionId: ['conversionId'],
  at: ['conversionTimestamp'],
  type: ['type'],
  activity: ['segmentationId', 'segmentationName'],
  revenue: ['revenueMicros'],
  currency: ['currencyCode'],
  quantity: ['quantityMillis'],
  clickId: ['clickId'],
  keywordId: ['criterionId'],
}

const types: Readonly<Record<string, ConversionDraft['type']>> = { action: 'ACTION', transaction: 'TRANSACTION' }
const states: Readonly<Record<string, 'ACTIVE' | 'REMOVED'>> = { active: 'ACTIVE', removed: 'REMOVED' }

/** Parses a row by the same rules as a single conversion. */
export function readRow({ cells, id }: Pick<BatchRow, 'cells' | 'id'>, terms: RowTerms): ReadRow {
  const { columns, kind, zone, now } = terms
  const given = new Map<string, { text: string; raw: boolean; at: number }>()
  const problems: { column?: number; words: string }[] = []
  columns.forEach((column, at) => {
    const text = (cells[at] ?? '').trim()
    if (!column || text === '' || text === '---') return
    const why = whyUncalculated(text)
    if (why === undefined) given.set(column.field, { text, raw: column.raw, at })
    else problems.push({ column: at, words: why })
  })
  const wrong = (field: string, words: string): void => {
    const at = given.get(field)?.at ?? columns.findIndex((column) => column?.field === field)
    if (at < 0 || !problems.some(({ column }) => column === at))
      problems.push({ ...(at >= 0 && { column: at }), words })
  }
  const take = (field: keyof Conversion): string => {
    const { text = '' } = given.get(field) ?? {}
    return text
  }
  const amount = (field: keyof Conversion, digits: number): string => {
    const { text = '', raw = false } = given.get(field) ?? {}
    if (!raw || text === '') return text
    if (/^\d{1,18}$/.test(text)) return decimalOf(text, digits)
    wrong(
      field,
      digits === 6
        ? 'Enter a whole number in millionths, such as 12500000 for 12.50'
        : 'Enter a whole number in thousandths, such as 2000 for 2',
    )
    return ''
  }
  const chosen = <T>(field: keyof Conversion, values: Readonly<Record<string, T>>, words: string): T | undefined => {
    const text = take(field)
    const value = text === '' ? undefined : values[text.toLowerCase()]
    if (text !== '' && value === undefined) wrong(field, words)
    return value
  }

  const revenue = amount('revenueMicros', 6)
  const written = take('conversionTimestamp')
  const utc = columns.some((column) => column?.field === 'conversionTimestamp' && column.utc)
  const at = momentOf(written, utc ? 'UTC' : zone)
  if (written === '') wrong('conversionTimestamp', 'Enter a time')
  else if (at === undefined) wrong('conversionTimestamp', 'Enter a time such as 2026-06-10 12:34')
  const type = chosen('type', types, 'Enter Action or Transaction')
  const state = chosen('state', states, 'Enter Active or Removed')
  const draft: ConversionDraft = {
    ...newDraft(now),
    conversionId: take('conversionId') || (kind === 'insert' ? id : ''),
    at: at ?? now,
    type: type ?? (revenue === '' ? 'ACTION' : 'TRANSACTION'),
    activity: take('segmentationId') || take('segmentationName') || terms.activity,
    revenue,
    currency: take('currencyCode'),
    quantity: amount('quantityMillis', 3),
    clickId: take('clickId'),
    keywordId: take('criterionId'),
    removed: state === 'REMOVED',
  }
  const formFields = new Set<string>([...Object.values(fieldsOf).flat(), 'state'])
  const rest = Object.fromEntries(
    [...given].flatMap(([field, { text }]) => (formFields.has(field) ? [] : [[field, text] as const])),
  )
  const place = { ...terms.place, ...rest }
  const of = kind === 'update' ? ({ ...place, ...namesOf(draft, take('segmentationId')) } as Conversion) : undefined
  const { body, problems: found } = bodyOf(draft, { ...(of && { of }), place, now })
  if (kind === 'insert' && draft.removed) wrong('state', 'A new conversion can’t be removed')
  if (kind === 'update') {
    if (type === undefined && take('type') === '') wrong('type', 'Enter the type, Action or Transaction')
    if (draft.clickId === '' && draft.keywordId === '') wrong('clickId', 'Enter the click ID or the keyword ID')
  }
  for (const [field, words] of Object.entries(found) as [DraftField, string][]) {
    const fields = fieldsOf[field]
    // Already reported for the same cell.
    if (field === 'at' && at === undefined) continue
    const there = (one: string): boolean => columns.some((column) => column?.field === one)
    wrong(fields.find((one) => given.has(one)) ?? fields.find(there) ?? fields[0]!, words)
  }
  return { body, problems }
}

/** The fields that identify an existing conversion. */
const namesOf = (draft: ConversionDraft, segmentationId: string): Conversion => ({
  ...(draft.conversionId && { conversionId: draft.conversionId }),
  conversionTimestamp: String(draft.at),
  type: draft.type,
  ...(draft.clickId && { clickId: draft.clickId }),
  ...(draft.keywordId && { criterionId: draft.keywordId }),
  ...(segmentationId && { segmentationId, segmentationType: 'TRACKING' }),
})

/**
 * Parses rows by their numbers. Marks repeated conversions after the first as invalid.
 * @param known parsed rows by their cells, from an earlier call with the same terms
 */
export function readRows(
  rows: readonly BatchRow[],
  terms: RowTerms,
  known = new WeakMap<readonly string[], ReadRow>(),
): Map<number, ReadRow> {
  const found = new Map<number, ReadRow>()
  const first = new Map<string, number>()
  for (const row of rows) {
    if (row.out) continue
    const read = known.get(row.cells) ?? readRow(row, terms)
    known.set(row.cells, read)
    const name = [read.body['advertiserId'], read.body['conversionId'], read.body['conversionTimestamp']].join('\n')
    const before = first.get(name)
    if (before === undefined) first.set(name, row.row)
    const twice = `Row ${before?.toLocaleString('en')} has the same ID and time. Skip one of them`
    found.set(row.row, before === undefined ? read : { ...read, problems: [...read.problems, { words: twice }] })
  }
  return found
}
