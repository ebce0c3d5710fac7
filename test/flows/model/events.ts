import { deriveInstance, parseInstanceId, seriesOf } from '#shared/domain/instances'
import { sameJson, type JsonObject } from '#shared/json'
import { occurrenceBySuffix } from '#shared/time/recurrence'
import { serverOwned } from './content'
import type { Held, Shelf } from './shelf'

/** The fields of an exception that differ from what its series implies, with null for missing ones. */
export function differences(derived: JsonObject, value: JsonObject): JsonObject {
  const fields = [...new Set([...Object.keys(derived), ...Object.keys(value)])]
  const own = fields.filter(
    (field) => !serverOwned.has(field) && !sameJson(derived[field] ?? null, value[field] ?? null),
  )
  return Object.fromEntries(own.map((field) => [field, value[field] ?? null]))
}

export const withOwn = (derived: JsonObject, own: JsonObject = {}): JsonObject =>
  Object.fromEntries(Object.entries({ ...derived, ...own }).filter(([, field]) => field !== null))

/** An occurrence as its series has it. @param dead true to take a deleted series, too */
export function implied(shelf: Shelf, id: string, dead = false): JsonObject | undefined {
  const instance = parseInstanceId(id)
  const master = instance && shelf.held.get(instance.masterId)
  const series = master && (dead || !master.deleted) ? seriesOf(master.value) : undefined
  const occurrence = series && occurrenceBySuffix(series, instance!.suffix)
  return occurrence && deriveInstance(master!.value, occurrence)
}

/** Adds and removes exceptions with their occurrences. The others inherit what they don't have themselves. */
export function followSeries(
  shelf: Shelf,
  master: JsonObject,
  isDeleted: boolean,
  fresh: (value: JsonObject) => Held,
): void {
  const series = isDeleted ? undefined : seriesOf(master)
  for (const [key, held] of shelf.held) {
    const instance = parseInstanceId(key)
    if (!instance || instance.masterId !== master.id) continue
    const occurrence = series && occurrenceBySuffix(series, instance.suffix)
    const fallen = occurrence === undefined
    const value = occurrence ? withOwn(deriveInstance(master, occurrence), held.own) : held.value
    const isCanceled = value.status === 'cancelled'
    // A canceled occurrence stays as it is.
    if (fallen === (held.fallen === true) && (fallen || isCanceled)) shelf.held.set(key, { ...held, value })
    else shelf.put(key, { ...held, ...fresh(value), deleted: fallen || isCanceled, fallen })
  }
}
