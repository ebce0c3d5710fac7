import { isLocalId, recordKey } from '#shared/domain/collections'
import type { Facts } from '#shared/facts/facts'
import type { OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import type { Engine } from './engine'
import { logTargets } from './download-targets'

/** Number of records read in one call before their changes are sent one by one. */
const atOnce = 40
/** Number of queue entries searched for them. */
const maxRecords = 1_000
/**
 * Maximum age of a prefetched record for comparison, in milliseconds. Reading again detects later changes by others.
 */
const fresh = 30_000

/** Records prefetched together before their changes are sent, for services without etags. Each is used once. */
export class ReadAheadCache {
  private readonly seen = new Map<string, { record: RemoteRecord; at: number }>()

  /**
   * The state of an entry's record that was just read, or undefined if the write reads it itself.
   * `next`: the entries to send, in order.
   */
  async of(engine: Engine, entry: OutboxEntry, next: Iterable<OutboxEntry>): Promise<RemoteRecord | undefined> {
    const { facts } = engine.memory
    // Only if a change log reveals lost updates afterwards.
    const collection = facts.of(entry.collection)
    if (!isCompared(facts, entry) || logTargets(engine.memory, collection, entry.parent).length === 0) return undefined
    const key = keyOf(entry)
    const { elapsed } = engine.environment
    for (const [other, { at }] of this.seen) if (elapsed() - at > fresh) this.seen.delete(other)
    if (!this.seen.has(key)) await this.read(engine, entry, next)
    const found = this.seen.get(key)
    this.seen.delete(key)
    return found?.record
  }

  /** Drops everything read ahead, because someone else may have changed it. */
  forget(): void {
    this.seen.clear()
  }

  private async read(engine: Engine, first: OutboxEntry, next: Iterable<OutboxEntry>): Promise<void> {
    const { collection, parent } = first
    const ids = new Set([first.recordId])
    let looked = 0
    for (const entry of next) {
      if (ids.size >= atOnce || looked++ >= maxRecords) break
      if (entry.collection === collection && entry.parent === parent && isCompared(engine.memory.facts, entry))
        ids.add(entry.recordId)
    }
    // A single one is read with its write.
    if (ids.size < 2) return
    const at = engine.environment.elapsed()
    const request = { accountId: engine.account.id, collection, parent, ids: [...ids] }
    // A failure here fails again with the write, which reports it.
    const answer = await engine.bridge.ask('sync/read-many', request)
    if (!answer.ok) return
    engine.spend(answer.value.units)
    for (const record of answer.value.records)
      this.seen.set(recordKey(record.collection, record.parent, record.id), { record, at })
  }
}

const keyOf = ({ collection, parent, recordId }: OutboxEntry): string => recordKey(collection, parent, recordId)

/** True if the record is read and compared before it's written. A new one can't be until the service has it. */
function isCompared(facts: Facts, { collection, kind, recordId }: OutboxEntry): boolean {
  const { etag, readMany } = facts.of(collection)
  return !etag && readMany !== undefined && (kind === 'change' || kind === 'delete') && !isLocalId(recordId)
}
