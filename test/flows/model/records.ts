import { parseInstanceId } from '#shared/domain/instances'
import type { JsonObject } from '#shared/json'
import { differences, followSeries, implied } from './events'
import { Ledger } from './ledger'
import { fail } from './refusal'
import { alive, Shelf, type Held } from './shelf'

/** The records of all services but trafficking, with what a write or a deletion of one does to others. */
export class ModelRecords {
  readonly shelves = new Map<string, Shelf>()
  readonly ledger: Ledger
  protected sequence = 0

  constructor(protected readonly now: () => number) {
    this.ledger = new Ledger(now)
  }

  /** The visible records of a shelf. */
  living(shelf: string): JsonObject[] {
    return [...this.shelf(shelf).held.values()].filter((held) => !held.deleted).map((held) => held.value)
  }

  /** IDs of the canceled occurrences of living series. */
  canceled(shelf: string): string[] {
    return [...this.shelf(shelf).held].flatMap(([id, { deleted, fallen }]) =>
      deleted && !fallen && this.hasOccurrence(shelf, id) ? [id] : [],
    )
  }

  /** True if a living series has this occurrence, canceled or not. */
  hasOccurrence(shelf: string, id: string): boolean {
    return implied(this.shelf(shelf), id) !== undefined
  }

  shelf(name: string): Shelf {
    let shelf = this.shelves.get(name)
    if (!shelf) this.shelves.set(name, (shelf = new Shelf(name, this.ledger)))
    return shelf
  }

  write(shelf: Shelf, id: string, value: JsonObject, isDeleted = false): JsonObject {
    if (value.summary === 'poison' || value.title === 'poison') fail('invalid', 'Poison is not allowed')
    const clean = Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null && field !== undefined))
    const held = this.fresh({ ...clean, id })
    const deleted = isDeleted || clean.status === 'cancelled'
    delete clean.deleted
    const before = shelf.held.get(id)?.value
    const own = parseInstanceId(id) ? differences(implied(shelf, id, true) ?? {}, held.value) : undefined
    shelf.put(id, { ...held, deleted, ...(own && { own }) })
    if (before?.recurrence) followSeries(shelf, held.value, deleted, (now) => this.fresh(now))
    return held.value
  }

  remove(shelf: Shelf, collection: string, id: string): void {
    const leaveTombstone = (on: Shelf, key: string): void => {
      const { value } = on.held.get(key)!
      on.put(key, { ...this.fresh(value), deleted: true })
    }
    const instance = collection === 'events' ? parseInstanceId(id) : undefined
    if (instance) {
      this.write(shelf, id, { ...this.find(shelf, 'events', id).value, status: 'cancelled' })
      return
    }
    leaveTombstone(shelf, id)
    if (collection === 'events')
      for (const [key, held] of shelf.held)
        if (parseInstanceId(key)?.masterId === id && !held.fallen)
          shelf.put(key, { ...held, ...this.fresh(held.value), deleted: true, fallen: true })
    if (collection === 'tasks') {
      for (const [key, held] of shelf.held)
        if (!held.deleted && held.value.parent === id) this.remove(shelf, collection, key)
    }
    if (collection === 'tasklists') this.discard(`tasks ${id}`)
    if (collection === 'calendars') {
      leaveTombstone(this.shelf('calendarList'), id)
      this.discard(`events ${id}`)
    }
  }

  private discard(name: string): void {
    const shelf = this.shelves.get(name)
    for (const id of shelf?.held.keys() ?? []) shelf!.drop(id)
    this.shelves.delete(name)
  }

  find(shelf: Shelf, collection: string, id: string): Held {
    const held = this.findAny(shelf, collection, id)
    return held.deleted ? fail(collection === 'events' ? 'gone' : 'notFound') : held
  }

  /** Finds events and tasks that were deleted, too, and occurrences of deleted series. */
  findAny(shelf: Shelf, collection: string, id: string): Held {
    const held = shelf.held.get(id)
    if (held && (!held.deleted || /^(events|tasks)$/.test(collection))) return held
    const occurrence = collection === 'events' ? implied(shelf, id, true) : undefined
    if (!occurrence) return fail('notFound')
    const { masterId } = parseInstanceId(id)!
    // An occurrence without changes of its own is as old as its series.
    const { etag } = shelf.held.get(masterId)!.value
    return { value: { ...occurrence, etag: `${id} of ${String(etag)}` }, sequence: 0, deleted: !alive(shelf, masterId) }
  }

  alive(shelf: string, id: string): boolean {
    return alive(this.shelf(shelf), id)
  }

  fresh(value: JsonObject): Held {
    this.sequence++
    const updated = new Date(this.now()).toISOString()
    return { value: { ...value, etag: `"${this.sequence}"`, updated }, sequence: this.sequence, deleted: false }
  }
}
