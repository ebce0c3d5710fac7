import type { CollectionName } from '#shared/facts/names'
import { valueAt } from '#shared/fields/path'
import { isJsonObject, sameJson, type JsonObject } from '#shared/json'
import type { Checked, Found } from './rule'

/** A text that isn't empty. */
export const textAt = (value: JsonObject, path: string): string | undefined => {
  const found = valueAt(value, path)
  return typeof found === 'string' && found !== '' ? found : undefined
}
export const objectsAt = (value: JsonObject, path: string): JsonObject[] => {
  const found = valueAt(value, path)
  return Array.isArray(found) ? found.filter(isJsonObject) : []
}
export const isArchived = ({ value }: Checked): boolean => value['archived'] === true
/** True if a draft changes the value, or creates the record with one. */
export const isChanged = ({ value, base }: Checked, path: string): boolean =>
  value !== base && !sameJson(valueAt(value, path) ?? null, valueAt(base ?? undefined, path) ?? null)
export const none: readonly Found[] = []

/** Derives something from a list of records once, so that checking each of its records takes no longer in a longer list. */
export function derivedOnce<T>(derive: (list: readonly Checked[]) => T): (list: readonly Checked[]) => T {
  const known = new WeakMap<readonly Checked[], T>()
  return (list) => {
    let found = known.get(list)
    if (found === undefined) known.set(list, (found = derive(list)))
    return found
  }
}

/** The flight of placements and their groups. */
export const start = 'pricingSchedule.startDate'
export const end = 'pricingSchedule.endDate'
export const slots: readonly CollectionName[] = ['placements', 'placementGroups']
