import { isJsonObject, type JsonObject } from '#shared/json'

/** The size of a placement or creative: `300x250`. Undefined if it has none. */
export function sizeOf({ size }: JsonObject): string | undefined {
  return isJsonObject(size) && size['width'] !== undefined
    ? `${String(size['width'])}x${String(size['height'])}`
    : undefined
}
