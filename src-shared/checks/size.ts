import { isJsonObject, type JsonObject } from '#shared/json'
import { objectsAt } from './checked-values'

/** The size of a placement or creative: `300x250`. Undefined if it has none. */
export function sizeOf({ size }: JsonObject): string | undefined {
  return isJsonObject(size) && size['width'] !== undefined
    ? `${String(size['width'])}x${String(size['height'])}`
    : undefined
}

/** All sizes of a placement or creative, its main one first. */
export const sizesOf = (record: JsonObject): string[] =>
  [record['size'] ?? null, ...objectsAt(record, 'additionalSizes')].flatMap((size) => sizeOf({ size }) ?? [])

/** True if a placement and a creative have a size in common. One without a size fits any. */
export function sharesSize(placement: JsonObject, creative: JsonObject): boolean {
  const [own, other] = [sizesOf(placement), sizesOf(creative)]
  return own.length === 0 || other.length === 0 || own.some((size) => other.includes(size))
}
