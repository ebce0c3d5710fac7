/**
 * The same plain data with one id replaced by another wherever it stands alone, as a part of a row key, or before the
 * suffix of an instance id. Returns the argument itself when nothing was found.
 */
export function renameId<T>(data: T, from: string, to: string): T {
  return rename(data, from, to) as T
}

function rename(data: unknown, from: string, to: string): unknown {
  if (typeof data === 'string') return data.includes(from) ? renameText(data, from, to) : data
  if (Array.isArray(data)) {
    let changed = false
    const next = data.map((item: unknown) => {
      const renamed = rename(item, from, to)
      if (renamed !== item) changed = true
      return renamed
    })
    return changed ? next : data
  }
  if (typeof data !== 'object' || data === null) return data
  let next: Record<string, unknown> | undefined
  for (const [field, item] of Object.entries(data)) {
    const renamed = rename(item, from, to)
    if (renamed !== item) (next ??= { ...(data as Record<string, unknown>) })[field] = renamed
  }
  return next ?? data
}

function renameText(text: string, from: string, to: string): string {
  if (text === from) return to
  if (!text.includes('\n') && !text.startsWith(`${from}_`)) return text
  return text
    .split('\n')
    .map((part) => (part === from ? to : part.startsWith(`${from}_`) ? to + part.slice(from.length) : part))
    .join('\n')
}
