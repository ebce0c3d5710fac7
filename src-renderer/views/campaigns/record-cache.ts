import type { Replica, Row } from '../../replica/api'
import { readAll } from './records'

/**
 * Records of a list as last read. Rereads only records that changed since. Others have the same `remoteSeq` and no pending
 * changes.
 */
export class RecordCache {
  #rows = new Map<string, Row>()

  constructor(private readonly replica: Pick<Replica, 'peek' | 'readAll' | 'remoteSeq'>) {}

  /** Existing records by key, in the order of `keys`. Forgets all others. @throws the signal's reason */
  async read(keys: readonly string[], signal?: AbortSignal): Promise<Map<string, Row>> {
    const { replica } = this
    const known = this.#rows
    const read = new Map<string, Row | undefined>()
    const rowOf = (key: string): Row | undefined => {
      const held = replica.peek(key)
      if (held) return held
      if (read.has(key)) return read.get(key)
      const row = known.get(key)
      return row?.remoteSeq === replica.remoteSeq(key) ? row : undefined
    }
    // Checked again after each wait, because memory may have freed rows.
    for (;;) {
      const missing = keys.filter((key) => !read.has(key) && !rowOf(key))
      if (missing.length === 0) break
      const found = await readAll(replica, missing, { signal })
      for (const key of missing) read.set(key, found.get(key))
    }
    const found = new Map<string, Row>()
    this.#rows = new Map()
    for (const key of keys) {
      const row = rowOf(key)
      if (!row?.value) continue
      found.set(key, row)
      // A record with pending changes is out of date as soon as they change.
      if (row.mark === 'synced') this.#rows.set(key, row)
    }
    return found
  }

  /** Forgets records whose changes are pending: once those are confirmed, `remoteSeq` needn't grow. */
  forget(keys: Iterable<string>): void {
    for (const key of keys) this.#rows.delete(key)
  }
}
