import type { JsonObject } from '#shared/json'
import { wordsIn, type Ledger } from './ledger'

export interface Held {
  value: JsonObject
  sequence: number
  deleted: boolean
  /** True for an exception whose occurrence no longer exists. */
  fallen?: boolean
  /** What an exception has that its series doesn't imply, with null for missing fields. */
  own?: JsonObject
}

/** One list of records with versions, tombstones, and a change sequence. */
export class Shelf {
  readonly held = new Map<string, Held>()

  constructor(
    private readonly name: string,
    private readonly ledger: Ledger,
  ) {}

  put(id: string, held: Held): void {
    this.held.set(id, held)
    this.ledger.store(`${this.name} ${id}`, held.deleted ? undefined : wordsIn(held.value))
  }

  /** Hidden records count as removed, like deleted ones. */
  hides(id: string, value: JsonObject): void {
    this.ledger.hide(`${this.name} ${id}`, wordsIn(value))
  }

  drop(id: string): void {
    this.held.delete(id)
    this.ledger.store(`${this.name} ${id}`)
  }
}

export const alive = (shelf: Shelf, id: string): boolean => shelf.held.get(id)?.deleted === false
