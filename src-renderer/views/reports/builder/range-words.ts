import { dayOf, dayText, relativeRanges, relativeSpan, type Day, type Span } from '#shared/facts/report-ranges'
import type { JsonObject } from '#shared/json'
import type { Choice } from '../../../ui/choices'
import { counted } from '../../../ui/counted'
import { blockOf, objectOf, textOf, type Definition } from './criteria'

/** Date range of a report, resolved for `today` in the account's zone. Undefined without one. */
export function spanOf(report: Definition, today: Day): Span | undefined {
  const range = objectOf(blockOf(report)['dateRange'])
  const relative = textOf(range['relativeDateRange'])
  if (relative !== undefined) return relativeSpan(relative, today)
  const [from, to] = [textOf(range['startDate']), textOf(range['endDate'])]
  if (from === undefined || to === undefined) return undefined
  const span = { from: dayOf(from), to: dayOf(to) }
  return Number.isFinite(span.from) && Number.isFinite(span.to) ? span : undefined
}

export const rangeOf = (report: Definition): JsonObject => objectOf(blockOf(report)['dateRange'])

/** Formats a range, such as `23 Oct – 21 Nov 2026`, with both years if they differ. */
export function spanWords({ from, to }: Span): string {
  const [first, last] = [new Date(dayText(from)), new Date(dayText(to))]
  const words = (day: Date, year: boolean): string =>
    new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'short',
      ...(year && { year: 'numeric' }),
      timeZone: 'UTC',
    }).format(day)
  if (from === to) return words(first, true)
  return `${words(first, first.getUTCFullYear() !== last.getUTCFullYear())} – ${words(last, true)}`
}
/** A range with its number of days. `zone`: that of the account, unless it isn't downloaded yet. */
export const spanLine = (span: Span, zone: string | undefined): string =>
  `${spanWords(span)}, ${counted(daysIn(span), 'day')} in ${zone ?? 'the account’s time zone'}`
export const daysIn = ({ from, to }: Span): number => to - from + 1

/** Choice of a date range that is named by its days. */
export const customDates = 'days'

/** Date ranges to choose from, with what the relative ones are today. */
export const rangeChoices = (today: Day): Choice[] => [
  { value: customDates, label: 'Custom dates' },
  ...Object.entries(relativeRanges).map(([value, label]) => ({
    value,
    label,
    aside: spanWords(relativeSpan(value, today)!),
  })),
]
