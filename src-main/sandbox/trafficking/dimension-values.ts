import { bareName, hasPrefix } from '#shared/facts/report-fields'
import type { JsonObject } from '#shared/json'
import { pageToken, readCursor } from '../cursors'
import { contentEtag, listEtag } from '../etags'
import type { Call, HandlersOf } from '../operation'
import { audiences } from '../reporting/audience'
import { dayOf } from '../reporting/days'
import { dimensionNamed, notSet, type Dimension, type Spot } from '../reporting/dimensions'
import { matchesText } from '../reporting/filters'
import { compareValues } from '../reporting/query'
import { objectAt, objectsAt } from '../reporting/report-check'
import { sourceOf } from '../reporting/source'
import type { Place, Tree } from '../reporting/tree'
import { objectsOf } from './objects'
import { isVisible, profileOf } from './profiles'
import { refusal } from './refusals'

interface Value {
  id?: string
  value: string
}

/** Values of a dimension among the current objects. */
export const dimensionValueHandlers: HandlersOf<'trafficking.dimensionValues'> = {
  'trafficking.dimensionValues.query': (call) => {
    const profile = profileOf(call)
    const request = call.body as JsonObject
    const name = String(request.dimensionName)
    const dimension = named(name, 'dimensionName')
    const [from, to] = [dayOf(String(request.startDate)), dayOf(String(request.endDate))]
    if (from > to) throw refusal('dates', 'The end date is before the start date.', 'endDate')
    const filters = objectsAt(request.filters).map((filter, index) => ({
      dimension: named(String(filter.dimensionName ?? ''), `filters[${index}].dimensionName`),
      value: filter.value === undefined ? undefined : String(filter.value as string),
    }))
    const { tree } = sourceOf(call.service, profile.accountId)
    const own = (one: Dimension): boolean => one.collection === dimension.collection && one.collection !== undefined
    const found = new Map<string, Value>()
    for (const spot of spotsOf(tree, dimension, from, to)) {
      // A filter contains an ID, or a name with wildcards. A filter of the same dimension limits its values.
      const passes = filters.every(({ dimension: other, value }) => {
        if (value === undefined) return true
        return [other.id?.(spot), other.value(spot)].some(
          (text) => text !== undefined && (text === value || matchesText('WILDCARD_EXPRESSION', value, text)),
        )
      })
      if (!passes) continue
      const [id, value] = [dimension.id?.(spot), dimension.value(spot)]
      if (value !== notSet) found.set(id ?? value, { id, value })
    }
    // Objects without placements also have values.
    if (dimension.collection && filters.every(({ dimension: other }) => own(other))) {
      for (const object of objectsOf(call.service.store).list(dimension.collection)) {
        if (!isVisible(profile, object) || found.has(object.id)) continue
        const value = name.endsWith('Id') ? object.id : String(object.name ?? object.id)
        const passes = filters.every(
          ({ value: wanted }) =>
            wanted === undefined ||
            [object.id, value].some((text) => text === wanted || matchesText('WILDCARD_EXPRESSION', wanted, text)),
        )
        if (passes && livesIn(object, from, to)) found.set(object.id, { id: object.id, value })
      }
    }
    return answer(call, name, [...found.values()])
  },
}

/** @throws Problem 400 for an unknown dimension */
function named(name: string, at: string): Dimension {
  const dimension = hasPrefix(name) ? dimensionNamed(bareName(name)) : undefined
  if (!dimension || dimension.grain === 'date' || dimension.grain === 'path')
    throw refusal('general', `Unknown dimension: ${name}`, at)
  return dimension
}

/** True if an object's flight meets the range. Objects without a flight always do. */
function livesIn(object: JsonObject, from: number, to: number): boolean {
  const schedule = objectAt(object.pricingSchedule)
  const start = object.startDate ?? object.startTime ?? schedule.startDate
  const end = object.endDate ?? object.endTime ?? schedule.endDate
  return !(typeof start === 'string' && dayOf(start) > to) && !(typeof end === 'string' && dayOf(end) < from)
}

/** Every place whose flight overlaps the range, with each audience or activity if the dimension divides by them. */
function* spotsOf(tree: Tree, { grain }: Dimension, from: number, to: number): Generator<Spot> {
  if (grain === 'activity') {
    for (const activity of tree.activities.values()) yield { place: activity satisfies Place, day: from, activity }
    return
  }
  if (grain === 'audience') {
    for (const audience of audiences) yield { place: {}, day: from, audience }
    return
  }
  for (const cell of tree.cells) if (cell.from <= to && cell.to >= from) yield { place: cell, day: from }
}

function answer(call: Call, dimensionName: string, values: Value[]): JsonObject {
  const { maxResults } = call.params as { maxResults?: number }
  const size = maxResults === undefined || maxResults === 0 ? 100 : maxResults
  const scope = `dimension values ${JSON.stringify(call.body)}`
  const cursor = readCursor<[string, string]>(call, scope, () => call.service.store.now)
  const keyOf = ({ id, value }: Value): [string, string] => [value, id ?? '']
  const compare = (a: readonly string[], b: readonly string[]): number =>
    compareValues(a[0]!, b[0]!) || compareValues(a[1]!, b[1]!)
  const rows = values
    .filter((value) => !cursor.after || compare(keyOf(value), cursor.after) > 0)
    .sort((a, b) => compare(keyOf(a), keyOf(b)))
  const page = rows.slice(0, size)
  const items = page.map(({ id, value }) => {
    const item = {
      kind: 'trafficking#dimensionValue',
      dimensionName,
      ...(id === undefined ? {} : { id }),
      matchType: 'EXACT',
      value,
    }
    return { ...item, etag: contentEtag(item) }
  })
  const last = page.at(-1)
  const list: JsonObject = { kind: 'trafficking#dimensionValueList', items }
  if (last && rows.length > page.length) list.nextPageToken = pageToken(call, scope, cursor, keyOf(last))
  return { ...list, etag: listEtag({ items }) }
}
