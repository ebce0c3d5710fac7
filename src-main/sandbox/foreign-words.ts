import { isJsonObject, type Json } from '#shared/json'
import type { Method } from '#shared/wire/table'
import { word } from '#shared/wire/vocabulary'
import { Problem } from './problems'

/* A service with public naming rejects neutral names, to detect a client that forgets to translate. */

/**
 * The first field with a neutral name, such as `listPopulationRule.trackingActivityId`.
 * @param back the body translated to neutral and back
 */
export function foreignField(given: Json, back: Json, path = ''): string | undefined {
  // Values that the tables don't describe were passed through at any depth.
  if (given === back) return undefined
  if (Array.isArray(given)) {
    for (const [index, item] of given.entries()) {
      const found = foreignField(item, (back as Json[])[index]!, `${path}[${index}]`)
      if (found) return found
    }
  } else if (isJsonObject(given)) {
    for (const [name, item] of Object.entries(given)) {
      const at = path ? `${path}.${name}` : name
      if (!Object.hasOwn(back as object, name)) return at
      const found = foreignField(item as Json, (back as Record<string, Json>)[name]!, at)
      if (found) return found
    }
  }
  return undefined
}

export const unknownField = (path: string): Problem =>
  new Problem(400, 'invalid', `Unknown name "${path.split('.').at(-1)}": Cannot find field.`, {
    location: path,
    verbatim: true,
  })

/** @throws Problem 400 for a parameter with a neutral name */
export function checkWordsOfQuery(method: Method, query: URLSearchParams): void {
  for (const name of query.keys())
    if (Object.hasOwn(method.queryParams, name) && word(name, 'public') !== name)
      throw new Problem(
        400,
        'invalidParameter',
        `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter.`,
        { location: name, verbatim: true },
      )
}
