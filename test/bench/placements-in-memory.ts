import { recordKey, type CollectionName } from '#shared/domain/collections'
import { laid, makeBlock, rowsPerBlock } from '../../src-renderer/replica/blocks/block'
import { newestLayouts } from '../../src-renderer/replica/blocks/layouts'
import type { Memory } from '../../src-renderer/replica/memory'
import type { StoredRow } from '../../src-renderer/replica/stored-row'

/** Sample placements and similar records in a replica's memory. */

export const collection = 'placements' as CollectionName
const firstId = 10_000_000
/** An order that helps no algorithm. */
export const shuffled = (n: number, count: number): number => (n * 7_919) % count

export interface Plain {
  key: string
  name: string
  campaignId: string
  advertiserId: string
  startDate: string
  archived: boolean
}

export function plain(n: number, count: number): Plain {
  const at = shuffled(n, count)
  const day = new Date(Date.UTC(2026, 0, 1 + (at % 360))).toISOString().slice(0, 10)
  return {
    key: recordKey(collection, '7', String(firstId + n)),
    name: `Campaign ${at % 700}_Site ${at % 90}_300x250_${at}`,
    campaignId: String(at % 700),
    advertiserId: String(at % 40),
    startDate: day,
    archived: at % 20 === 0,
  }
}

export function fill(memory: Memory, kind: CollectionName, count: number): void {
  const layout = newestLayouts.of(kind)
  for (let from = 0, seq = 0; from < count; from += rowsPerBlock, seq++) {
    const block = Array.from({ length: Math.min(rowsPerBlock, count - from) }, (_unused, at) => {
      const { name, campaignId, advertiserId, startDate, archived } = plain(from + at, count)
      const id = String(firstId + from + at)
      const row: StoredRow = {
        ...{ key: recordKey(kind, '7', id), collection: kind, parent: '7', id, complete: true },
        base: { id, name, campaignId, advertiserId, archived, pricingSchedule: { startDate } },
      }
      return laid(row, layout)
    })
    memory.takeBlock({
      head: makeBlock({ collection: kind, parent: '7', slot: '', seq }, block, layout).head,
      dead: new Set(),
    })
  }
}
