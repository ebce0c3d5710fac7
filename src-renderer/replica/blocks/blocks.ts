import { collectionOf, parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { StoredRow } from '../stored-row'
import { writeKey, type Moved, type ShelfName, type WindowPart, type Write } from '../store'
import { parseBlockKey, renewed, rowOf, type Body, type Head } from './block'
import { last, type Disk, type Reader } from './disk'
import { foldJob } from './fold'
import type { Layouts } from './layouts'
import { Plan, usualLimits, type BlockLimits } from './plan'
import { Shelf, type BlockNumbers, type LiveBlock } from './shelf'
import { sliced } from './sliced'

const keptBodies = 4

/** Number of heads per read. */
const headSlice = 32

/**
 * Rows of windows on disk: in blocks, and recent changes in separate records. Each row is in one place. Moving a row marks its
 * old place as dead in the same transaction. Writes are serialized.
 */
export class Blocks {
  private readonly shelves = new Map<string, Promise<Shelf>>()
  private readonly blockNumbers = new Map<string, BlockNumbers>()
  private turn: Promise<unknown> = Promise.resolve()
  private readonly bodies = new Map<string, Promise<Body | undefined>>()
  private readonly listeners: ((moved: Moved) => void)[] = []

  constructor(
    private readonly disk: Disk,
    readonly layouts: Layouts,
    private readonly limits: BlockLimits = usualLimits,
  ) {}

  /** Forgets the state of the disk after it was emptied or closed. */
  forget(): void {
    this.shelves.clear()
    this.blockNumbers.clear()
    this.bodies.clear()
  }

  onMoved(listener: (moved: Moved) => void): void {
    this.listeners.push(listener)
  }

  async write(batch: readonly Write[]): Promise<void> {
    const byItem = new Map<string, Write>()
    for (const write of batch) byItem.set(`${write.table} ${writeKey(write)}`, write)
    const writes = [...byItem.values()]
    if (!writes.some((write) => this.isOfWindow(write))) return this.disk.write(writes)
    return this.inTurn(async () => {
      const plan = new Plan(this.layouts, this.limits)
      for (const write of writes) {
        if (!this.isOfWindow(write)) plan.writes.push(write)
        else {
          const { collection, parent, id } = parseRecordKey(writeKey(write))
          const shelf = await this.shelf({ collection, parent })
          if ('remove' in write) plan.remove(shelf, write.remove, id)
          else plan.put(shelf, write.put as StoredRow, 'fresh' in write && write.fresh === true)
        }
      }
      plan.lay()
      await this.disk.write(plan.writes).catch((error: unknown) => this.failed(error, [...plan.shelves]))
      this.book(plan)
    })
  }

  async get(keys: readonly string[]): Promise<(StoredRow | undefined)[]> {
    const found = await this.look(keys)
    const missing = [...keys.entries()].filter(
      ([index, key]) => !found[index] && this.isWindow(parseRecordKey(key).collection),
    )
    if (missing.length === 0) return found
    return this.inTurn(async () => {
      // Retry once, because the row may have been moving, or another window moved it.
      for (let round = 0; round < 2; round++) {
        const stale = new Set<string>()
        const again = await this.look(
          missing.map(([, key]) => key),
          stale,
        )
        missing.forEach(([index], at) => (found[index] = again[at]))
        if (stale.size === 0) break
        for (const name of stale) this.shelves.delete(name)
      }
      return found
    })
  }

  /** @param stale receives the names of shelves that refer to a missing block */
  private async look(keys: readonly string[], stale?: Set<string>): Promise<(StoredRow | undefined)[]> {
    const rows = await this.disk.read(['rows'], (reader) => reader.get('rows', keys))
    const wanted = new Map<string, { shelf: string; rows: { index: number; row: number }[] }>()
    for (const [index, key] of keys.entries()) {
      if (rows[index]) continue
      const { collection, parent, id } = parseRecordKey(key)
      if (!this.isWindow(collection)) continue
      const shelf = await this.shelf({ collection, parent })
      const place = shelf.find(id)
      if (!place) continue
      const known = wanted.get(place.block.head.key)
      if (known) known.rows.push({ index, row: place.row })
      else wanted.set(place.block.head.key, { shelf: shelf.name, rows: [{ index, row: place.row }] })
    }
    for (const part of sliced([...wanted], headSlice)) {
      const bodies = await Promise.all(part.map(([key]) => this.body(key)))
      for (const [at, body] of bodies.entries()) {
        const [, place] = part[at]!
        if (!body) stale?.add(place.shelf)
        else for (const { index, row } of place.rows) rows[index] = rowOf(body, row)
      }
    }
    return rows
  }

  /** The body of a block. Caches the last few, because rows are often read one by one in block order. */
  private body(key: string): Promise<Body | undefined> {
    const body =
      this.bodies.get(key) ??
      this.disk.read(['bodies'], (reader) => reader.get('bodies', [key])).then(([found]) => found)
    this.bodies.delete(key)
    this.bodies.set(key, body)
    for (const oldest of this.bodies.keys()) {
      if (this.bodies.size <= keptBodies) break
      this.bodies.delete(oldest)
    }
    const forget = (): boolean => this.bodies.delete(key)
    body.then((found) => found ?? forget(), forget)
    return body
  }

  /** Rows of collections that are completely in memory. */
  async wholeRows(): Promise<StoredRow[]> {
    const { windows } = this.layouts
    const ends = [...windows.map((name) => [`${name}\n`, `${name}\n${last}`] as const), [last, last] as const]
    return this.disk.read(['rows'], async (reader) => {
      const rows: StoredRow[] = []
      let lower = ''
      for (const [from, to] of ends) {
        rows.push(...(await reader.range('rows', lower, from)))
        lower = to
      }
      return rows
    })
  }

  neededRows(): Promise<StoredRow[]> {
    return this.disk.read(['rows'], (reader) => reader.rowsNeeded())
  }

  windowAt(from: number, to: number): Promise<WindowPart> {
    return this.disk.read(['rows', 'heads', 'dead', 'bodies'], async (reader) => {
      const blocks: LiveBlock[] = []
      for (const name of this.layouts.windows) {
        const slots = this.layouts.of(name).slots?.(from, to)
        if (!slots) continue
        const heads = await reader.headsAt(`${name}\n${slots[0]}`, `${name}\n${slots[1]}`)
        blocks.push(...(await this.alive(reader, heads)))
      }
      return { rows: await reader.rowsAt(from, to), blocks }
    })
  }

  /** Collections and parents that have blocks. */
  async shelfNames(): Promise<ShelfName[]> {
    const keys = await this.disk.read(['heads'], (reader) => reader.keys('heads', '', last))
    const names = new Map<string, ShelfName>()
    for (const key of keys) {
      const { collection, parent } = parseBlockKey(key)
      names.set(`${collection}\n${parent ?? ''}`, { collection, parent })
    }
    return [...names.values()]
  }

  async blocksOf(name: ShelfName): Promise<readonly LiveBlock[]> {
    return (await this.shelf(name)).all()
  }

  /** Rows of windows that are stored separately, by key. */
  looseRows(after: string, limit: number): Promise<StoredRow[]> {
    return this.disk.read(['rows'], async (reader) => {
      for (const name of this.layouts.windows) {
        if (after >= `${name}\n${last}`) continue
        const lower = after > `${name}\n` ? after : `${name}\n`
        const rows = await reader.range('rows', lower, `${name}\n${last}`, limit)
        if (rows.length > 0) return rows
      }
      return []
    })
  }

  async rowKeys(collection: CollectionName, parent: string | null): Promise<string[]> {
    const prefix = recordKey(collection, parent, '')
    if (!this.isWindow(collection))
      return this.disk.read(['rows'], (reader) => reader.keys('rows', prefix, prefix + last))
    return this.inTurn(async () => {
      const shelf = await this.shelf({ collection, parent })
      return shelf
        .ids()
        .map((id) => prefix + id)
        .sort()
    })
  }

  /**
   * Moves separate rows into blocks, or merges small and half-empty blocks: one step, in one transaction. Returns true if
   * there may be more to do.
   */
  async fold(): Promise<boolean> {
    for (const [name, loading] of [...this.shelves]) {
      const shelf = await loading
      if (this.shelves.get(name) !== loading) continue
      if (foldJob(shelf, this.limits)) return this.inTurn(() => this.foldShelf(name, shelf))
    }
    return false
  }

  private async foldShelf(name: string, shelf: Shelf): Promise<boolean> {
    const [collection, parent] = name.split('\n') as [CollectionName, string]
    const prefix = recordKey(collection, parent === '' ? null : parent, '')
    const job = foldJob(shelf, this.limits)
    if (!job) return true
    const layout = this.layouts.of(collection)
    // A transaction is retried from its start after the connection was lost.
    let plan: Plan | undefined
    const change = this.disk.change(['rows', 'heads', 'bodies', 'dead'], async (reader) => {
      const planned = (plan = new Plan(this.layouts, { ...this.limits, minRows: 1 }))
      const rows = await reader.get(
        'rows',
        job.loose.map((id) => prefix + id),
      )
      for (const [index, row] of rows.entries()) {
        if (!row) planned.vanished(shelf, job.loose[index]!)
        else if (layout.slot(row) === null) planned.fix(shelf, row.id)
        else planned.put(shelf, row, true)
      }
      const blocks = job.blocks(planned.slots(shelf))
      const bodies = await reader.get(
        'bodies',
        blocks.map(({ head }) => head.key),
      )
      // Another window folded the block without a body, so this shelf is outdated.
      const whole = bodies.every((body) => body !== undefined)
      if (!whole) throw new StaleShelf()
      blocks.forEach((block, index) => planned.empty(shelf, block, bodies[index]!))
      planned.lay()
      return planned.writes
    })
    try {
      await change
    } catch (error) {
      this.shelves.delete(name)
      if (error instanceof StaleShelf) return true
      throw error
    }
    this.book(plan!)
    return true
  }

  private book(plan: Plan): void {
    const moved = plan.book()
    for (const listener of this.listeners) listener(moved)
  }

  /** After a failed transaction the shelves' state is unknown, so reread them. */
  private failed(error: unknown, shelves: readonly Shelf[]): never {
    for (const { name } of shelves) this.shelves.delete(name)
    throw error
  }

  private shelf({ collection, parent }: ShelfName): Promise<Shelf> {
    const name = `${collection}\n${parent ?? ''}`
    let shelf = this.shelves.get(name)
    if (!shelf) {
      shelf = this.load(name)
      this.shelves.set(name, shelf)
      shelf.catch(() => this.shelves.delete(name))
    }
    return shelf
  }

  private load(name: string): Promise<Shelf> {
    const numbers = this.blockNumbers.get(name) ?? { next: 0 }
    this.blockNumbers.set(name, numbers)
    const shelf = new Shelf(name, numbers)
    return this.disk.read(['rows', 'heads', 'dead', 'bodies'], async (reader) => {
      const upper = `${name}\n${last}`
      for (let lower = `${name}\n`; ;) {
        const heads = await reader.range('heads', lower, upper, headSlice)
        for (const { head, dead } of await this.alive(reader, heads)) shelf.add(head, dead)
        if (heads.length < headSlice) break
        lower = heads.at(-1)!.key
      }
      const prefix = `${name}\n`.length
      for (const key of await reader.keys('rows', `${name}\n`, upper)) shelf.loose.add(key.slice(prefix))
      return shelf
    })
  }

  /** Heads with their dead rows. Recreates heads whose columns another version wrote. */
  private async alive(reader: Reader, heads: readonly Head[]): Promise<LiveBlock[]> {
    const dead = await reader.get(
      'dead',
      heads.map(({ key }) => key),
    )
    const blocks: LiveBlock[] = []
    for (const [index, head] of heads.entries()) {
      const layout = this.layouts.of(parseBlockKey(head.key).collection)
      const [body] = head.shape === layout.shape ? [] : await reader.get('bodies', [head.key])
      blocks.push({ head: body ? renewed(head, body, layout) : head, dead: new Set(dead[index]?.rows) })
    }
    return blocks
  }

  private isOfWindow(write: Write): boolean {
    return write.table === 'rows' && this.isWindow(collectionOf(writeKey(write)))
  }

  private isWindow(collection: string): boolean {
    return this.layouts.of(collection).keep === 'window'
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work)
    this.turn = result.catch(() => undefined)
    return result
  }
}

class StaleShelf extends Error {}
