import { safeParse } from '#shared/safe-parse'
import { entrySchema, type OutboxEntry } from '#shared/mutation/entry'
import { unknownEntry, type UnknownEntry } from '#shared/mutation/unknown'
import { historyKept, type Store, type Unreadable, type Write } from './store'

/** A pending change that this version doesn't understand, as stored. */
export interface KeptEntry {
  about: UnknownEntry
  item: Unreadable
}

export interface ReadAgain {
  /** Entries that an earlier version set aside, and this one understands. */
  entries: OutboxEntry[]
  unknown: KeptEntry[]
  writes: Write[]
}

/**
 * Reads pending changes again that this start (`now`) or an earlier one set aside. Changes that this version understands
 * return to the queue, unless they're there or have ended. Others are counted. Those and everything else stay aside.
 */
export async function readAgain(
  store: Store,
  now: readonly Unreadable[],
  there: ReadonlySet<string>,
): Promise<ReadAgain> {
  const before = (await store.all('unreadable')) as Unreadable[]
  const found: ReadAgain = { entries: [], unknown: [], writes: [] }
  let ended: ReadonlySet<string> | undefined
  for (const item of [...before, ...now]) {
    const value = item.table === 'outbox' ? content(item.text) : undefined
    const parsed = safeParse(entrySchema, value)
    if (parsed.success) {
      ended ??= new Set((await store.history(historyKept)).map(({ entry }) => entry.id))
      found.writes.push({ table: 'unreadable', remove: item.id })
      if (there.has(parsed.data.id) || ended.has(parsed.data.id)) continue
      found.entries.push(parsed.data)
      found.writes.push({ table: 'outbox', put: parsed.data })
    } else {
      const about = unknownEntry(value)
      if (about) found.unknown.push({ about, item })
    }
  }
  return found
}

function content(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
