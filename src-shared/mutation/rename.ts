import { isLocalId, joinKeyParts, keyParts } from '#shared/domain/collections'
import { withRealNames } from './local-ids'

/**
 * Replaces an ID in plain data, as a whole string, a part of a row key, or before the suffix of an instance ID. Local
 * IDs are also replaced inside texts, because nothing else has their form. Returns the argument itself if unchanged.
 */
export function renameId<T>(data: T, from: string, to: string): T {
  return rename(data, (text) => (text.includes(from) ? renameText(text, from, to) : text)) as T
}

/** Replaces any number of IDs at once. `to` returns the new ID, or undefined to keep one. */
export function renameIds<T>(data: T, to: (id: string) => string | undefined): T {
  return rename(data, (text) => withRealNames(joinKeyParts(keyParts(text).map(named)), to)) as T

  function named(part: string): string {
    const whole = to(part)
    if (whole !== undefined) return whole
    for (let at = part.lastIndexOf('_'); at > 0; at = part.lastIndexOf('_', at - 1)) {
      const master = to(part.slice(0, at))
      if (master !== undefined) return master + part.slice(at)
    }
    return part
  }
}

function rename(data: unknown, text: (text: string) => string): unknown {
  if (typeof data === 'string') return text(data)
  if (Array.isArray(data)) {
    let changed = false
    const next = data.map((item: unknown) => {
      const renamed = rename(item, text)
      if (renamed !== item) changed = true
      return renamed
    })
    return changed ? next : data
  }
  if (typeof data !== 'object' || data === null) return data
  let next: Record<string, unknown> | undefined
  for (const [field, item] of Object.entries(data)) {
    const renamed = rename(item, text)
    if (renamed !== item) (next ??= { ...(data as Record<string, unknown>) })[field] = renamed
  }
  return next ?? data
}

function renameText(text: string, from: string, to: string): string {
  if (text === from) return to
  const renamed = joinKeyParts(
    keyParts(text).map((part) =>
      part === from ? to : part.startsWith(`${from}_`) ? to + part.slice(from.length) : part,
    ),
  )
  return isLocalId(from) ? withRealNames(renamed, (id) => (id === from ? to : undefined)) : renamed
}
