import type { JsonObject } from '#shared/json'
import type { Call } from '../operation'
import type { Objects } from './objects'
import type { Stored } from './stored'
import type { Profile } from './profiles'

/** A write in progress: the object before it, and after it if every rule agrees. */
export interface Draft {
  call: Call
  collection: string
  schema: string
  verb: 'insert' | 'update' | 'patch'
  objects: Objects
  profile: Profile
  /** The caller's body, checked against the table. */
  body: JsonObject
  before?: Stored
  /** Filled and changed in place. */
  after: JsonObject
}

/** Special rules for writes of one collection. */
export interface Rules {
  /** Computes fields from others, before references are checked. */
  fill?(draft: Draft): void
  /** @throws Problem 400 that names the field */
  check?(draft: Draft): void
  /** Side effects after the object is stored. */
  stored?(draft: Draft, object: Stored): void
  /**
   * Called before an object is deleted.
   * @throws Problem 400 if it can't be
   */
  removing?(call: Call, objects: Objects, object: Stored): void
}

/** The object that a field of the draft refers to, if it exists. */
export function referred(draft: Draft, field: string, collection: string): Stored | undefined {
  const id = draft.after[field]
  return typeof id === 'string' ? draft.objects.get(collection, id) : undefined
}

/** Sets an empty field. */
export function fillIn(draft: Draft, field: string, value: JsonObject[string]): void {
  if (value !== undefined && draft.after[field] === undefined) draft.after[field] = value
}
