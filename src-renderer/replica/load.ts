import { z } from 'zod'
import { entrySchema, type OutboxEntry } from '#shared/mutation/entry'
import { cursorSchema } from '#shared/ipc/contract'
import { keysOf } from '#shared/mutation/fold'
import type { Environment } from './environment'
import type { Notice, Topic } from './api'
import type { Memory } from './memory'
import { readAgain, type KeptEntry } from './unread'
import type { Store, StoredCursor, StoredRow, Unreadable, Write } from './store'
import type { UndoStep } from './undo'

const dayMs = 86_400_000
/** Rows of one slice of the background fill. */
const fillSlice = 500

const noticeSchema = z.object({
  id: z.string(),
  level: z.enum(['info', 'warning', 'error']),
  title: z.string(),
  text: z.string(),
  at: z.number(),
})
const storedCursorSchema = z.object({ key: z.string(), cursor: cursorSchema, pulledAt: z.number() })
const undoSchema = z
  .object({
    id: z.string(),
    stack: z.enum(['undo', 'redo']),
    label: z.string(),
    items: z.array(z.looseObject({ key: z.string() })),
  })
  .loose()

export interface LoadedState {
  meta: Map<string, unknown>
  entries: OutboxEntry[]
  /** Waiting changes that this version does not understand. */
  unknown: KeptEntry[]
  unreadable: Unreadable[]
}

/** Reads the bookkeeping. What cannot be read is moved to `unreadable` with its content, never dropped. @throws FaultError */
export async function loadState(store: Store, memory: Memory, now: number): Promise<LoadedState> {
  const unreadable: Unreadable[] = []
  const parsed = async <T>(table: 'outbox' | 'cursors' | 'notices' | 'undo', schema: z.ZodType<T>): Promise<T[]> => {
    const good: T[] = []
    for (const item of await store.all(table)) {
      const result = schema.safeParse(item)
      if (result.success) good.push(result.data)
      else unreadable.push({ id: keyOf(item), table, text: JSON.stringify(item), at: now })
    }
    return good
  }
  const entries = await parsed('outbox', entrySchema)
  for (const cursor of await parsed<StoredCursor>('cursors', storedCursorSchema)) memory.cursors.set(cursor.key, cursor)
  for (const notice of await parsed<Notice>('notices', noticeSchema)) memory.notices.set(notice.id, notice)
  const steps = await parsed('undo', undoSchema)
  for (const step of steps as unknown as UndoStep[]) memory.undo.set(step.id, step)
  const meta = new Map((await store.all('meta')).map((item) => Object.values(item as object) as [string, unknown]))
  const again = await readAgain(store, unreadable, new Set(entries.map(({ id }) => id)))
  const aside = unreadable.flatMap((item): Write[] => [
    { table: 'unreadable', put: item },
    { table: item.table as 'outbox', remove: item.id },
  ])
  if (aside.length + again.writes.length > 0) await store.write([...aside, ...again.writes])
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

/** Reads what the first picture needs: small collections, series, the visible range, and rows with waiting edits. */
export async function loadVisible(
  store: Store,
  memory: Memory,
  entries: readonly OutboxEntry[],
  now: number,
): Promise<void> {
  const put = (rows: readonly (StoredRow | undefined)[]): void => {
    for (const row of rows) if (row && !memory.stored.has(row.key)) memory.setStored(row.key, row)
  }
  put(await store.smallRows())
  for (const row of await store.get('rows', [...new Set(entries.flatMap(keysOf))])) if (row) memory.hold(row)
  for (const entry of memory.habits.renewed(entries)) memory.setEntry(entry.id, entry)
  memory.letGo()
  put(await store.seriesRows())
  // The six weeks that a month view of today draws, and the week that any zone and a long event may add.
  const today = new Date(now)
  const month = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1)
  put(await store.eventsAt(month - 14 * dayMs, month + 45 * dayMs))
  memory.letGo()
}

/** Brings the rest of the events into the window, slice by slice, without keeping a frame waiting. */
export async function fillWindow(
  store: Store,
  memory: Memory,
  environment: Environment,
  changed: (topics: ReadonlySet<Topic>) => void,
  stopped: () => boolean,
): Promise<void> {
  for (let after = ''; !stopped();) {
    const rows = await store.eventsAfter(after, fillSlice)
    if (rows.length === 0 || stopped()) return
    let added = false
    for (const row of rows) {
      // A row that a pull or an edit touched meanwhile is already newer in memory.
      if (memory.window.get(row.key) || memory.row(row.key) || row.series) continue
      memory.setStored(row.key, row)
      added = true
    }
    memory.letGo()
    after = rows.at(-1)!.key
    if (added) changed(new Set(['events']))
    await new Promise<void>((resolve) => environment.setTimer(resolve, 0))
  }
}
