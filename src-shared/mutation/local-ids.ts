import { localPrefix } from '#shared/domain/collections'
import type { Json } from '#shared/json'

/** A complete local ID, which no user types. Also matches inside an expression of IDs or a combined ID. */
const embedded = new RegExp(`${localPrefix}[0-9A-HJKMNP-TV-Z]{26}`, 'g')

/** All distinct local IDs in plain data. */
export function localIdsIn(data: Json | undefined): string[] {
  const found = new Set<string>()
  collect(data, found)
  return [...found]
}

function collect(data: Json | undefined, found: Set<string>): void {
  if (typeof data === 'string') {
    if (data.includes(localPrefix)) for (const [id] of data.matchAll(embedded)) found.add(id)
  } else if (typeof data === 'object' && data !== null) {
    for (const item of Array.isArray(data) ? data : Object.values(data)) collect(item, found)
  }
}

/** Replaces local IDs inside a text by server IDs, if known. */
export const withRealNames = (text: string, to: (id: string) => string | undefined): string =>
  text.includes(localPrefix) ? text.replace(embedded, (id) => to(id) ?? id) : text
