import { numberText } from '../fields/number-text'
import type { PlannedColumn } from '../results/result-columns'
import type { Conversion } from '../wire/search/types'

interface ConversionColumn extends PlannedColumn {
  head: string
  /** Formats a field of a conversion for a file. Empty if it's missing. */
  cell: (conversion: Conversion) => string
  /** The field of the conversion, and back from the cell. */
  from?: { field: keyof Conversion; read: (cell: string) => string }
}

const plain = (field: keyof Conversion & string, head: string): ConversionColumn => ({
  head,
  field,
  metric: false,
  cell: (conversion) => (conversion[field] as string | undefined) ?? '',
  from: { field, read: (cell) => cell },
})
/** A listed value in words: `ACTION` as `Action`. Imported rows may have either. */
export const listedText = (value: string): string => value.charAt(0) + value.slice(1).toLowerCase()
const listed = (field: 'type' | 'state' | 'segmentationType', head: string): ConversionColumn => ({
  ...plain(field, head),
  cell: (conversion) => listedText(conversion[field] ?? ''),
  from: { field, read: (cell) => cell.toUpperCase() },
})
/** Epoch milliseconds as an instant that is read without a computer: `2026-06-10T12:34:56Z`. */
export function instantText(millis: string): string {
  const at = Number(millis)
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return millis
  return new Date(at).toISOString().replace('.000Z', 'Z')
}
const instant = (field: keyof Conversion & string, head: string): ConversionColumn => ({
  ...plain(field, head),
  cell: (conversion) => {
    const millis = conversion[field] as string | undefined
    return millis === undefined ? '' : instantText(millis)
  },
  from: { field, read: (cell) => (/^\d+$/.test(cell) ? cell : String(Date.parse(cell))) },
})
/**
 * Formats a whole number of units (10 to the power of `digits` make one) as a decimal, digit by digit, because floating
 * point isn't exact for money.
 */
export function decimalOf(parts: string, digits: number): string {
  if (!/^\d+$/.test(parts)) return parts
  const padded = parts.padStart(digits + 1, '0')
  const whole = padded.slice(0, -digits)
  const rest = padded.slice(-digits).replace(/0+$/, '')
  return rest === '' ? whole : `${whole}.${rest}`
}
/** Inverse of `decimalOf`, for numbers as people write them. Undefined for invalid text. */
export function partsOf(decimal: string, digits: number): string | undefined {
  const [, whole, rest = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(numberText(decimal) ?? '') ?? []
  if (whole === undefined || rest.length > digits) return undefined
  return (whole + rest.padEnd(digits, '0')).replace(/^0+(?=\d)/, '')
}
const decimal = (
  field: keyof Conversion & string,
  head: string,
  digits: number,
  planned: string,
): ConversionColumn => ({
  head,
  field: planned,
  metric: true,
  cell: (conversion) => {
    const parts = conversion[field] as string | undefined
    return parts === undefined ? '' : decimalOf(parts, digits)
  },
  from: { field, read: (cell) => partsOf(cell, digits) ?? cell },
})

/** Columns of a file of conversions, in order. */
export const conversionColumns: readonly ConversionColumn[] = [
  instant('conversionTimestamp', 'Time (UTC)'),
  plain('conversionId', 'Conversion ID'),
  listed('type', 'Type'),
  listed('state', 'State'),
  decimal('revenueMicros', 'Revenue', 6, 'revenue'),
  plain('currencyCode', 'Currency'),
  decimal('quantityMillis', 'Quantity', 3, 'quantity'),
  plain('segmentationName', 'Activity'),
  plain('segmentationId', 'Activity ID'),
  listed('segmentationType', 'Segment type'),
  plain('campaignId', 'Campaign ID'),
  plain('adGroupId', 'Ad group ID'),
  plain('criterionId', 'Keyword ID'),
  plain('adId', 'Ad ID'),
  plain('clickId', 'Click ID'),
  plain('deviceType', 'Device'),
  plain('channel', 'Channel'),
  plain('agencyId', 'Agency ID'),
  plain('advertiserId', 'Advertiser ID'),
  plain('engineAccountId', 'Engine account ID'),
  plain('customerId', 'Customer ID'),
  plain('attributionModel', 'Attribution'),
  plain('adUserDataConsent', 'Consent'),
  plain('productId', 'Product ID'),
  plain('productGroupId', 'Product group ID'),
  plain('productCountry', 'Product country'),
  plain('productLanguage', 'Product language'),
  plain('storeId', 'Store ID'),
  plain('inventoryAccountId', 'Inventory account ID'),
  plain('trackingOrderId', 'Order ID'),
  plain('countMillis', 'Count (thousandths)'),
  plain('dsConversionId', 'Service ID'),
  instant('conversionModifiedTimestamp', 'Changed (UTC)'),
  {
    head: 'Custom dimensions',
    field: 'customDimension',
    metric: false,
    cell: ({ customDimension = [] }) =>
      customDimension.map(({ name = '', value = '' }) => `${name}=${value}`).join('; '),
  },
  {
    head: 'Custom metrics',
    field: 'customMetric',
    metric: false,
    cell: ({ customMetric = [] }) => customMetric.map(({ name = '', value = '' }) => `${name}=${value}`).join('; '),
  },
]

export const conversionCells = (conversion: Conversion): string[] =>
  conversionColumns.map(({ cell }) => cell(conversion))

/** Converts a file row back to a conversion, by the headers of the displayed columns. */
export function conversionOf(heads: readonly string[], cells: readonly string[]): Conversion {
  const found: Record<string, string> = {}
  for (const { head, from } of conversionColumns) {
    const cell = cells[heads.indexOf(head)] ?? ''
    if (from && cell !== '' && cell !== '---') found[from.field] = from.read(cell)
  }
  return found as Conversion
}

const heads = new Map<string, string>(conversionColumns.flatMap(({ head, from }) => (from ? [[from.field, head]] : [])))
/** Heading of a field of a conversion, such as `Click ID` of `clickId`. Its name if it has none. */
export const headOfConversion = (field: string): string => heads.get(field) ?? field
