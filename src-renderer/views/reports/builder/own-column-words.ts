import { dayOf, isRelativeRange, relativeRanges } from '#shared/facts/report-ranges'
import { spanWords } from './range-words'
import { hasOwnDays, type ChosenColumn } from './search-columns'

/** Describes a search column's own settings, or returns undefined without any. */
export function ownWords(column: ChosenColumn): string | undefined {
  const { own, label } = column
  const words = [own.headerText && label, hasOwnDays(column) && daysWords(column)].filter(Boolean)
  return words.length > 0 ? words.join(', ') : undefined
}

function daysWords({ own }: ChosenColumn): string {
  const { relativeDateRange: relative, startDate, endDate } = own
  if (isRelativeRange(relative)) return relativeRanges[relative]
  const span = { from: dayOf(startDate ?? ''), to: dayOf(endDate ?? '') }
  return Number.isFinite(span.from) && Number.isFinite(span.to) ? spanWords(span) : 'its own dates'
}
