import { dayOf, dayText, relativeSpan } from '#shared/facts/report-ranges'
import { criteriaOf } from '#shared/pacing/planned'
import { isJsonObject, type JsonObject } from '#shared/json'

/**
 * True if a report's file can belong to a run requested at `asked`, because its dates match the definition.
 * The service's day may be the one before or after the UTC day. A definition or file without dates always matches.
 * @param asked epoch milliseconds of the service's clock
 */
export function hasPlannedDays(
  definition: JsonObject,
  asked: number,
  file: { startDate?: string | undefined; endDate?: string | undefined } | undefined,
): boolean {
  const { dateRange } = criteriaOf(definition)
  if (!isJsonObject(dateRange) || !file?.startDate || !file.endDate) return true
  const { relativeDateRange, startDate, endDate } = dateRange
  if (typeof relativeDateRange !== 'string') return startDate === file.startDate && endDate === file.endDate
  const today = dayOf(new Date(asked).toISOString())
  return [today - 1, today, today + 1].some((day) => {
    const span = relativeSpan(relativeDateRange, day)
    return !span || (dayText(span.from) === file.startDate && dayText(span.to) === file.endDate)
  })
}
