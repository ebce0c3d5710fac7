import Dexie from 'dexie'
import { keptForm } from '#shared/domain/deleted-forms'
import type { JsonObject } from '#shared/json'
import { DexieStore } from '../../src-renderer/replica/dexie-store'
import { storedRow } from '../../src-renderer/replica/records'
import type { StoredRow } from '../../src-renderer/replica/store'
import { behaviors } from '../../src-renderer/behaviors'

/** The benchmarks inside a Chromium page, since IndexedDB exists nowhere else. */

const rowsOfPage = (calendar: string, text: string): StoredRow[] =>
  (JSON.parse(text) as { items: (JsonObject & { id: string; etag: string })[] }).items.flatMap((value) => {
    const { id, etag } = value
    return storedRow(behaviors.of('events'), { collection: 'events', parent: calendar, id, etag, value }) ?? []
  })

export interface PageText {
  calendar: string
  text: string
}

const pages: PageText[] = []
const perBlock = 500

export const take = (page: PageText): number => pages.push(page)

/** Milliseconds to write the pages as the simplest blocks: hundreds of rows as one text under a key. */
export async function plainBlocks(): Promise<number> {
  const database = new Dexie('plain-blocks', { chromeTransactionDurability: 'relaxed' })
  database.version(1).stores({ blocks: 'key' })
  await database.open()
  let taken = 0
  for (const [number, { text }] of pages.entries()) {
    const { items } = JSON.parse(text) as { items: unknown[] }
    const started = performance.now()
    const blocks: { key: string; text: string }[] = []
    for (let at = 0; at < items.length; at += perBlock)
      blocks.push({ key: `${number} ${at}`, text: JSON.stringify(items.slice(at, at + perBlock)) })
    await database.table('blocks').bulkPut(blocks)
    taken += performance.now() - started
  }
  await database.delete()
  return taken
}

/** Milliseconds to write rows of the first pages one by one with four indexes, and their number. */
export async function indexedRows(most: number): Promise<{ ms: number; rows: number }> {
  const database = new Dexie('indexed-rows', { chromeTransactionDurability: 'relaxed' })
  database.version(1).stores({ rows: 'key, at, parent, etag, [parent+at]' })
  await database.open()
  let [ms, rows] = [0, 0]
  for (const { calendar, text } of pages) {
    if (rows >= most) break
    const page = rowsOfPage(calendar, text).slice(0, most - rows)
    const started = performance.now()
    await database.table('rows').bulkPut(page)
    ms += performance.now() - started
    rows += page.length
  }
  if ((await database.table('rows').count()) !== rows) throw new Error('Rows are missing')
  await database.delete()
  return { ms, rows }
}

/** The same through the store, as in a first sync. */
export async function storedRows(most: number): Promise<{ ms: number; rows: number }> {
  const store = new DexieStore('stored-rows')
  await store.open()
  let [ms, rows] = [0, 0]
  for (const { calendar, text } of pages) {
    if (rows >= most) break
    const page = rowsOfPage(calendar, text).slice(0, most - rows)
    const started = performance.now()
    await store.write(page.map((put) => ({ table: 'rows', put, fresh: true })))
    ms += performance.now() - started
    rows += page.length
  }
  let found = 0
  for (const calendar of new Set(pages.map((page) => page.calendar)))
    found += (await store.rowKeys('events', calendar)).length
  if (found !== rows) throw new Error(`${rows} rows were written, ${found} found`)
  await store.destroy()
  return { ms, rows }
}

/** Compares stored data with the service's, record by record. @returns the number of equal ones */
export async function sameAsPages(account: string): Promise<number> {
  const store = new DexieStore(`flightplan-${account}`)
  await store.open()
  let same = 0
  for (const { calendar, text } of pages) {
    const rows = rowsOfPage(calendar, text)
    const kept = await store.get(
      'rows',
      rows.map(({ key }) => key),
    )
    for (const [index, row] of rows.entries()) {
      if (JSON.stringify(kept[index]?.base) !== JSON.stringify(row.base)) throw new Error(`${row.key} is not the same`)
      same++
    }
  }
  await store.close()
  return same
}

export const living = (): number =>
  pages.reduce(
    (sum, { text }) =>
      sum +
      (JSON.parse(text) as { items: (JsonObject & { id: string })[] }).items.filter(
        (value) => keptForm('events', value.id, value) !== null,
      ).length,
    0,
  )
