import type { CollectionName } from '#shared/domain/collections'
import type { HistoryItem } from './api'
import type { Blocks } from './blocks/blocks'
import type { LiveBlock } from './blocks/shelf'
import type { Layouts } from './blocks/layouts'
import type { Moved, PlainTable, ShelfName, Store, StoredRow, TableName, Tables, WindowPart, Write } from './store'

/** Shared behavior of all stores: rows are in blocks on any disk. */
export abstract class BlockStore implements Store {
  abstract readonly layouts: Layouts
  protected abstract readonly blocks: Blocks

  abstract open(): Promise<void>
  abstract all(table: TableName): Promise<unknown[]>
  abstract history(limit: number): Promise<HistoryItem[]>
  abstract onLost(listener: () => void): void
  abstract onEmptied(listener: () => void): void
  abstract close(): Promise<void>
  abstract destroy(): Promise<void>
  /** Reads tables without blocks. */
  protected abstract getPlain<N extends PlainTable>(
    table: N,
    keys: readonly string[],
  ): Promise<(Tables[N] | undefined)[]>

  get<N extends PlainTable>(table: N, keys: readonly string[]): Promise<(Tables[N] | undefined)[]> {
    if (table === 'rows') return this.blocks.get(keys) as Promise<(Tables[N] | undefined)[]>
    return this.getPlain(table, keys)
  }

  write(batch: readonly Write[]): Promise<void> {
    return this.blocks.write(batch)
  }

  wholeRows(): Promise<StoredRow[]> {
    return this.blocks.wholeRows()
  }

  neededRows(): Promise<StoredRow[]> {
    return this.blocks.neededRows()
  }

  windowAt(from: number, to: number): Promise<WindowPart> {
    return this.blocks.windowAt(from, to)
  }

  shelfNames(): Promise<ShelfName[]> {
    return this.blocks.shelfNames()
  }

  blocksOf(shelf: ShelfName): Promise<readonly LiveBlock[]> {
    return this.blocks.blocksOf(shelf)
  }

  looseRows(after: string, limit: number): Promise<StoredRow[]> {
    return this.blocks.looseRows(after, limit)
  }

  fold(): Promise<boolean> {
    return this.blocks.fold()
  }

  rowKeys(collection: CollectionName, parent: string | null): Promise<string[]> {
    return this.blocks.rowKeys(collection, parent)
  }

  onMoved(listener: (moved: Moved) => void): void {
    this.blocks.onMoved(listener)
  }
}
