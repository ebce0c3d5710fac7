import Dexie from 'dexie'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import { fieldLayout } from '../../src-renderer/replica/blocks/layout'
import { layoutsOf } from '../../src-renderer/replica/blocks/layouts'
import { DexieStore } from '../../src-renderer/replica/dexie-store'
import { fillWindow } from '../../src-renderer/replica/load'
import { Memory } from '../../src-renderer/replica/memory'
import { systemEnvironment } from '../../src-renderer/replica/environment'
import type { StoredRow } from '../../src-renderer/replica/store'
import { behaviors } from '../../src-renderer/behaviors'

/** The large collection benchmark inside a Chromium page. */

const collection = 'placements' as CollectionName
const layouts = layoutsOf({
  [collection]: fieldLayout(
    ['name', 'campaignId', 'siteId', 'pricing.startDate', 'pricing.endDate', 'pricing.pricingType', 'size', 'archived'],
    'advertiserId',
  ),
})
const perPage = 1_000
/** Makes a record about 2.5 KB of JSON. */
const comment = 'Booked with the site as agreed, see the plan. '.repeat(46)

function placement(n: number): StoredRow {
  const id = String(10_000_000 + n)
  const day = (more: number): string => new Date(Date.UTC(2026, 0, 1 + ((n + more) % 360))).toISOString().slice(0, 10)
  return {
    key: recordKey(collection, null, id),
    collection,
    parent: null,
    id,
    complete: true,
    base: {
      id,
      name: `Campaign ${n % 700}_Site ${n % 90}_300x250_${n}`,
      advertiserId: String(n % 40),
      campaignId: String(n % 700),
      siteId: String(n % 90),
      pricing: { startDate: day(0), endDate: day(30), pricingType: n % 3 ? 'CPM' : 'CPC' },
      size: '300x250',
      archived: n % 20 === 0,
      comment,
    },
  }
}

const page = (from: number, count: number): StoredRow[] =>
  Array.from({ length: count }, (_unused, n) => placement(from + n))

/** Milliseconds to write this many placements, page by page, as a download does. */
export async function writePlacements(count: number): Promise<number> {
  const store = new DexieStore('placements', { layouts })
  await store.open()
  let ms = 0
  for (let from = 0; from < count; from += perPage) {
    const rows = page(from, Math.min(perPage, count - from))
    const started = performance.now()
    await store.write(rows.map((put) => ({ table: 'rows', put, fresh: true })))
    ms += performance.now() - started
  }
  await store.close()
  return ms
}

/** The same as rows with four indexes. */
export async function writeIndexedPlacements(count: number): Promise<number> {
  const database = new Dexie('indexed-placements', { chromeTransactionDurability: 'relaxed' })
  database.version(1).stores({ rows: 'key, base.name, base.campaignId, base.siteId, base.pricing.startDate' })
  await database.open()
  let ms = 0
  for (let from = 0; from < count; from += perPage) {
    const rows = page(from, Math.min(perPage, count - from))
    const started = performance.now()
    await database.table('rows').bulkPut(rows)
    ms += performance.now() - started
  }
  await database.delete()
  return ms
}

/** Opens what was written, loads all columns into memory, and verifies them and some bodies. */
export async function openPlacements(count: number): Promise<{ ms: number; opened: number }> {
  const store = new DexieStore('placements', { layouts })
  const memory = new Memory(behaviors, layouts)
  const started = performance.now()
  await store.open()
  const going = (): boolean => false
  await fillWindow(store, memory, systemEnvironment, () => undefined, going)
  const ms = performance.now() - started
  let found = 0
  memory.columns(collection).each((key, cells) => {
    const { base } = placement(Number(key.split('\n')[2]) - 10_000_000)
    if (cells(0) !== base.name || cells(7) !== base.archived) throw new Error(`${key} is not the same`)
    found++
  })
  if (found !== count) throw new Error(`${count} placements were written, ${found} found`)
  const began = performance.now()
  const [row] = await store.get('rows', [placement(count >> 1).key])
  const opened = performance.now() - began
  if (JSON.stringify(row?.base) !== JSON.stringify(placement(count >> 1).base))
    throw new Error('A body is not the same')
  Object.assign(globalThis, { kept: { store, memory } })
  return { ms, opened }
}
