import { eventFieldsWith } from '#shared/facts/event-fields'
import { isJsonObject, type JsonObject } from '#shared/json'

/** Event fields without an iCalendar property. They go into a single property, so that a round trip loses nothing. */
const extraFields = eventFieldsWith(({ file }) => file === 'extra').sort()

export const extraProperty = 'x-flightplan-extra'

export function extraOf(event: JsonObject): string | undefined {
  const kept = Object.fromEntries(
    extraFields.filter((name) => event[name] !== undefined).map((name) => [name, event[name]]),
  )
  return Object.keys(kept).length === 0 ? undefined : JSON.stringify(kept)
}

/** Reads only the fields above and ignores all others. */
export function readExtra(text: string): JsonObject {
  try {
    const parsed: unknown = JSON.parse(text, (name, value: unknown) => (name === '__proto__' ? undefined : value))
    if (!isJsonObject(parsed)) return {}
    return Object.fromEntries(
      extraFields.filter((name) => Object.hasOwn(parsed, name)).map((name) => [name, parsed[name]]),
    )
  } catch {
    return {}
  }
}
