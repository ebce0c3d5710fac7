import { dayText, isRelativeRange, relativeSpan, type Day, type RelativeRange } from '../facts/report-ranges'
import { isJsonObject, type Json, type JsonObject } from '../json'

const relativeIn = (range: Json | undefined): RelativeRange | undefined => {
  const relative = isJsonObject(range) ? range.relativeDateRange : undefined
  return isRelativeRange(relative) ? relative : undefined
}

/** Search reports know no relative days: a definition that is kept here may have them, as `timeRange.relativeDateRange`. */
export const relativeDaysOf = (request: JsonObject): RelativeRange | undefined => relativeIn(request.timeRange)

/** The same of a column that has days of its own, as `relativeDateRange`. */
export const relativeDaysIn = (column: JsonObject): RelativeRange | undefined => relativeIn(column)

/** The request as the service takes it: with the days that relative ones are as seen from `today`. */
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
