import { dayText, isRelativeRange, relativeSpan, type Day, type RelativeRange } from '../facts/report-ranges'
import { isJsonObject, type JsonObject } from '../json'

/** Search reports know no relative days: a definition that is kept here may have them, as `timeRange.relativeDateRange`. */
export function relativeDaysOf(request: JsonObject): RelativeRange | undefined {
  const range = isJsonObject(request.timeRange) ? request.timeRange.relativeDateRange : undefined
  return isRelativeRange(range) ? range : undefined
}

/** The request as the service takes it: with the days that relative ones are as seen from `today`. */
export function withDaysOf(request: JsonObject, today: Day): JsonObject {
  const relative = relativeDaysOf(request)
  const span = relative && relativeSpan(relative, today)
  if (!span) return request
  const { relativeDateRange: _relative, ...range } = request.timeRange as JsonObject
  return { ...request, timeRange: { ...range, startDate: dayText(span.from), endDate: dayText(span.to) } }
}
