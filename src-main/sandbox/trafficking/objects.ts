import type { Store } from '../store'
import type { Stored } from './stored'
import { referenceRows } from './reference/reference'

const idsInBlock = 32

interface Shelf {
  byId: Map<string, Stored>
  /** In ID order. Rebuilt after a write. */
  ordered?: Stored[]
}

/**
 * Trafficking's objects by collection (named as in the tables: `campaigns`) and ID. Objects that were read stay in memory and
 * are shared, so they must not be changed: put a copy. Includes read-only reference data.
 */
export class Objects {
  readonly #store: Store
  readonly #shelves = new Map<string, Shelf>()
  readonly #counters = new Map<string, { value: number; reserved: number }>()
  #generation: number

  constructor(store: Store) {
    this.#store = store
    this.#generation = store.generation
  }

  get(collection: string, id: string): Stored | undefined {
    return this.#shelf(collection).byId.get(id)
  }

  /** In ID order, including reference data. */
  list(collection: string): readonly Stored[] {
    const shelf = this.#shelf(collection)
    return (shelf.ordered ??= [...shelf.byId.values()].sort(byId))
  }

  put(collection: string, object: Stored): void {
    const shelf = this.#shelf(collection)
    const { id } = object
    const number = /^\d{1,15}$/.test(id) ? Number(id) : 0
    this.#store.put('objects', { collection, id, number, data: JSON.stringify(object) })
    if (shelf.ordered) place(shelf.ordered, object)
    shelf.byId.set(id, object)
  }

  remove(collection: string, id: string): void {
    const shelf = this.#shelf(collection)
    this.#store.run('DELETE FROM objects WHERE collection = ? AND id = ?', collection, id)
    shelf.byId.delete(id)
    shelf.ordered = undefined
  }

  /** A numeric ID never used before in this collection. Each collection has its own range. */
  nextId(collection: string): string {
    this.#refresh()
    const counter = this.#counters.get(collection) ?? this.#reserve(collection)
    const value = ++counter.value
    if (value === counter.reserved) this.#reserve(collection)
    return String(value)
  }

  /** Makes new IDs follow an ID that another service assigned. */
  passId(collection: string, id: string): void {
    this.#refresh()
    const counter = this.#counters.get(collection) ?? this.#reserve(collection)
    if (!/^\d{1,15}$/.test(id) || Number(id) <= counter.value) return
    counter.value = Number(id)
    if (counter.value >= counter.reserved) this.#reserve(collection, counter.value)
  }

  /** Reserves IDs from the store in blocks. The rest of a block is lost when the process ends. */
  #reserve(collection: string, from = 0): { value: number; reserved: number } {
    const name = `object:${collection}`
    const sql = 'SELECT value FROM counters WHERE name = ?'
    const value = Math.max(from, this.#store.get<{ value: number }>(sql, name)?.value ?? firstId(collection))
    const counter = { value, reserved: value + idsInBlock }
    this.#store.put('counters', { name, value: counter.reserved })
    this.#counters.set(collection, counter)
    return counter
  }

  #shelf(collection: string): Shelf {
    this.#refresh()
    const known = this.#shelves.get(collection)
    if (known) return known
    const shelf: Shelf = { byId: new Map(referenceRows(collection).map((row) => [row.id, row])) }
    const sql = 'SELECT data FROM objects WHERE collection = ? ORDER BY number, id'
    for (const { data } of this.#store.all<{ data: string }>(sql, collection)) {
      const object = JSON.parse(data) as Stored
      shelf.byId.set(object.id, object)
    }
    this.#shelves.set(collection, shelf)
    return shelf
  }

  #refresh(): void {
    if (this.#generation === this.#store.generation) return
    this.#generation = this.#store.generation
    this.#shelves.clear()
    this.#counters.clear()
  }
}

/** Puts an object into its place in an ordered list, where the one with its ID was or would be. */
function place(ordered: Stored[], object: Stored): void {
  let [low, high] = [0, ordered.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (byId(ordered[middle]!, object) < 0) low = middle + 1
    else high = middle
  }
  ordered.splice(low, ordered[low]?.id === object.id ? 1 : 0, object)
}

const opened = new WeakMap<Store, Objects>()

/** The objects of a store, always the same instance. */
export function objectsOf(store: Store): Objects {
  let objects = opened.get(store)
  if (!objects) opened.set(store, (objects = new Objects(store)))
  return objects
}

/** Compares by number if IDs are numbers, otherwise by text. */
export function compareIds(a: string, b: string): number {
  if (a.length !== b.length && numeric.test(a) && numeric.test(b)) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}

const numeric = /^\d+$/
const byId = (a: Stored, b: Stored): number => compareIds(a.id, b.id)

/** First ID of a collection. IDs have eight or nine digits, and the first two or three distinguish collections. */
function firstId(collection: string): number {
  let hash = 7
  for (const letter of collection) hash = (hash * 31 + letter.charCodeAt(0)) % 900
  return (hash + 10) * 1_000_000
}
