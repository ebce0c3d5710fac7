import { safeParse } from '#shared/safe-parse'
import { z } from 'zod'
import { entrySchema, type OutboxEntry } from '#shared/mutation/entry'
import { cursorSchema } from '#shared/ipc/cursor'
import { keysOf } from '#shared/mutation/fold'
import { storedChecks } from './check-result'
import { storedDues } from './checks-due'
import { storedDownloads } from './downloads'
import type { Environment } from './environment'
import type { Notice, Topic } from './api'
import type { Memory } from './memory'
import { loadDeleted } from './deleted'
import { readAgain, type KeptEntry } from './unread'
import type { Store, StoredCursor, StoredRow, Unreadable, Write } from './store'
import type { UndoStep } from './undo'
import { completeSteps, undoSchema } from './undo-schema'

const dayMs = 86_400_000
/** Number of blocks read between updates of views. */
const blocksPerNews = 20
/** Number of rows per slice of the background fill. */
const fillSlice = 500

const noticeSchema = z.object({
  id: z.string(),
  level: z.enum(['info', 'warning', 'error']),
  title: z.string(),
  text: z.string(),
  at: z.number(),
})
const storedCursorSchema = z.object({
  key: z.string(),
  cursor: cursorSchema,
  pulledAt: z.number(),
  records: z.number().optional(),
})
export interface LoadedState {
  meta: Map<string, unknown>
  entries: OutboxEntry[]
  /** Pending changes that this version doesn't understand. */
  unknown: KeptEntry[]
  unreadable: Unreadable[]
}

/** Reads the bookkeeping. Unreadable records move to `unreadable` and are never dropped. @throws FaultError */
export async function loadState(store: Store, memory: Memory, now: number): Promise<LoadedState> {
  const unreadable: Unreadable[] = []
  const tables = ['outbox', 'cursors', 'notices', 'undo', 'meta'] as const
  const stored = await Promise.all(tables.map((table) => store.all(table)))
  const itemsOf = (table: (typeof tables)[number]): unknown[] => stored[tables.indexOf(table)]!
  const setAside = (table: Exclude<(typeof tables)[number], 'meta'>, item: unknown): void =>
    void unreadable.push({ id: keyOf(item), table, text: JSON.stringify(item), at: now })
  const parsed = <T>(table: Exclude<(typeof tables)[number], 'meta'>, schema: z.ZodType<T>): T[] => {
    const good: T[] = []
    for (const item of itemsOf(table)) {
      const result = safeParse(schema, item)
      if (result.success) good.push(result.data)
      else setAside(table, item)
    }
    return good
  }
  const entries = parsed('outbox', entrySchema)
  for (const cursor of parsed<StoredCursor>('cursors', storedCursorSchema)) memory.cursors.set(cursor.key, cursor)
  for (const notice of parsed<Notice>('notices', noticeSchema)) memory.notices.set(notice.id, notice)
  const parts = parsed('undo', undoSchema) as unknown as UndoStep[]
  const read = new Set(parts.map(({ id }) => id))
  const { whole, cut } = completeSteps(
    parts,
    itemsOf('undo').filter((item) => !read.has(keyOf(item))),
  )
  for (const step of whole) memory.undo.set(step.id, step)
  for (const part of cut) setAside('undo', part)
  const meta = new Map(itemsOf('meta').map((item) => Object.values(item as object) as [string, unknown]))
  const { downloads, pages, brought, leaving, removing } = storedDownloads(meta)
  for (const download of downloads) memory.downloads.set(download.key, download)
  for (const [target, place] of pages) memory.pages.set(target, place)
  for (const [target, ids] of brought) memory.brought.set(target, ids)
  for (const key of leaving) memory.leaving.add(key)
  memory.removing = removing
  for (const [service, result] of storedChecks(meta)) memory.checks.set(service, result)
  const checks = storedDues(meta)
  for (const [target, due] of checks.dues) memory.checksDue.set(target, due)
  const old = loadDeleted(memory, meta, now)
  const again = await readAgain(store, unreadable, new Set(entries.map(({ id }) => id)))
  const aside = unreadable.flatMap((item): Write[] => [
    { table: 'unreadable', put: item },
    { table: item.table as 'outbox', remove: item.id },
  ])
  const writes = [...aside, ...again.writes, ...old, ...checks.writes]
  if (writes.length > 0) await store.write(writes)
  const kept = new Set(again.unknown.map(({ item }) => item))
  return {
    meta,
    entries: [...entries, ...again.entries],
    unknown: again.unknown,
    unreadable: unreadable.filter((item) => !kept.has(item)),
  }
}

function keyOf(item: unknown): string {
  const { id, key } = item as { id?: unknown; key?: unknown }
  return String(id ?? key)
}

/** Reads what the first frame needs: complete collections, the visible range, and rows with pending edits. */
export async function loadVisible(
  store: Store,
  memory: Memory,
  entries: readonly OutboxEntry[],
  now: number,
): Promise<void> {
  const put = (rows: readonly (StoredRow | undefined)[]): void => {
    for (const row of rows) if (row && !memory.stored.has(row.key)) memory.setStored(row.key, row)
  }
  // Six weeks of the current month's view, and a week for time zones and long events.
  const today = new Date(now)
  const month = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1)
  const [whole, edited, needed, visible] = await Promise.all([
    store.wholeRows(),
    store.get('rows', [...new Set(entries.flatMap(keysOf))]),
    store.neededRows(),
    store.windowAt(month - 14 * dayMs, month + 45 * dayMs),
  ])
  put(whole)
  for (const row of edited) if (row) memory.hold(row)
  for (const entry of memory.behaviors.renewed(entries)) memory.setEntry(entry.id, entry)
  memory.letGo()
  put(needed)
  put(visible.rows)
  for (const block of visible.blocks) memory.takeBlock(block)
  memory.letGo()
}

/** Loads the rest of the windows into memory, in slices that block no frame. */
export async function fillWindow(
  store: Store,
  memory: Memory,
  environment: Environment,
  changed: (topics: ReadonlySet<Topic>) => void,
  stopped: () => boolean,
): Promise<void> {
  const pause = (): Promise<void> => new Promise((resolve) => environment.setTimer(resolve, 0))
  // Rows that a pull or an edit touches during the load are newer in memory, or gone.
  const touched = memory.watchTouched()
  try {
    for (const shelf of await store.shelfNames()) {
      // Views redraw when notified, so they are notified now and then.
      let unannounced = 0
      for (const block of await store.blocksOf(shelf)) {
        if (stopped()) return
        if (memory.takeBlock(block, touched)) unannounced++
        if (unannounced === blocksPerNews) {
          changed(new Set([shelf.collection]))
          unannounced = 0
        }
        await pause()
      }
      if (unannounced > 0) changed(new Set([shelf.collection]))
    }
    for (let after = ''; !stopped();) {
      const rows = await store.looseRows(after, fillSlice)
      if (stopped()) return
      if (rows.length === 0) {
        memory.isFilled = true
        return
      }
      const topics = new Set<Topic>()
      for (const row of rows) {
        if (touched.has(row.key) || memory.window.get(row.key) || memory.row(row.key) || row.series) continue
        memory.setStored(row.key, row)
        topics.add(row.collection)
      }
      memory.letGo()
      after = rows.at(-1)!.key
      if (topics.size > 0) changed(topics)
      await pause()
    }
  } finally {
    memory.endTouched()
  }
}

/** Idle time before tidying up the store, and between two attempts, in milliseconds. */
const foldAfter = 5_000
const foldEvery = 60_000
/** Pause between two pieces, in milliseconds. */
const foldPause = 50

/** Periodically folds recent changes into blocks, in pieces, unless `busy`. */
export function foldInIdleTime(store: Store, environment: Environment, busy: () => boolean): () => void {
  let stopped = false
  let timer: unknown
  const later = (ms: number): void => {
    if (!stopped) timer = environment.setTimer(() => void work(), ms)
  }
  const work = async (): Promise<void> => {
    if (busy()) return later(foldAfter)
    // Tidying up can wait if it fails.
    const more = await store.fold().catch(() => false)
    later(more ? foldPause : foldEvery)
  }
  later(foldAfter)
  return () => {
    stopped = true
    environment.clearTimer(timer)
  }
}
