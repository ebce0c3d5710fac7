import { dayText, isRelativeRange, relativeSpan, type Day, type RelativeRange } from '../facts/report-ranges'
import { isJsonObject, type Json, type JsonObject } from '../json'

const relativeIn = (range: Json | undefined): RelativeRange | undefined => {
  const relative = isJsonObject(range) ? range.relativeDateRange : undefined
  return isRelativeRange(relative) ? relative : undefined
}

/** The API has no relative ranges for search reports. Local definitions store them as `timeRange.relativeDateRange`. */
export const relativeDaysOf = (request: JsonObject): RelativeRange | undefined => relativeIn(request.timeRange)

/** Relative range of a column with its own dates, from `relativeDateRange`. */
export const relativeDaysIn = (column: JsonObject): RelativeRange | undefined => relativeIn(column)

/** The request for the service, with relative ranges resolved as of `today`. */
export function withDaysOf(request: JsonObject, today: Day): JsonObject {
  const columns = Array.isArray(request.columns) ? { columns: request.columns.map((one) => resolved(one, today)) } : {}
  if (!relativeDaysOf(request)) return { ...request, ...columns }
  return { ...request, ...columns, timeRange: resolved(request.timeRange!, today) }
}

function resolved(range: Json, today: Day): Json {
  const relative = relativeIn(range)
  const span = relative && relativeSpan(relative, today)
  if (!span) return range
  const { relativeDateRange: _relative, ...rest } = range as JsonObject
  return { ...rest, startDate: dayText(span.from), endDate: dayText(span.to) }
}
