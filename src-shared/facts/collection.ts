import type { JsonObject } from '../json'
import type { Rules } from '../merge/rules'
import type { OperationId, ServiceName } from '../wire/services'
import type { ServiceTable } from '../wire/table'
import type { CollectionName } from './names'
import type { Sheet } from './sheet'
import type { Flight, Gone, IdMaker, LogFields, Pull, Query, Remark } from './remark'

export type { CollectionName }

/** How all that belongs to one record is asked for: a parameter of the list, and the field that says so in each; without a parameter, by the place. */
export interface Cut {
  by: CollectionName
  param?: string
  /** The parameter takes several ids. */
  many: boolean
  field?: string
}

/** One kind of record that this computer keeps: where it lives on the wire and by which rules it travels. */
export interface Collection {
  name: CollectionName
  service: ServiceName
  table: ServiceTable
  /** The schema of one record in the table. */
  schema: string
  /** What stands around a record in its path, outermost first. */
  parents: readonly { collection: CollectionName; param: string }[]
  /** The collection whose record contains these, and the parameter that names it; the innermost of `parents`. */
  parent?: { collection: CollectionName; param: string }
  /** Fields that name a record, and the parameters of the same order that do so in a call. */
  idFields: readonly string[]
  idParams: readonly string[]
  idFrom?: Remark['idFrom']
  list?: { operation: OperationId; params: Query }
  get?: OperationId
  insert?: OperationId
  update?: OperationId
  patch?: OperationId
  delete?: OperationId
  /** Opens a channel on which the service says that the list has changed. */
  watch?: Extract<OperationId, `${string}.watch`>
  listedIn?: CollectionName
  recordsOf?: CollectionName
  /** When it is read; absent: never by itself. */
  pull?: Pull
  log?: LogFields
  /** By what a part of the list can be asked for, widest first. */
  cuts: readonly Cut[]
  /** `window`: memory holds columns of it, bodies lie on disk. */
  keep: 'whole' | 'window'
  /** What a table of it is read, narrowed and sorted by, by path: its title first. */
  columns: readonly string[]
  /** How people see it. */
  sheet: Sheet
  /** Records that hold others: a field that keeps those from being read, and fields that bring them to the front. */
  holds?: { unless: string; first: readonly string[] }
  /** After which writes the service changes others of the list by itself: those that place a record, or on a record with one of these fields. */
  stirs?: 'place' | readonly string[]
  /** Most ids that one list call takes, where it takes any. */
  readMany?: number
  /** How the next pull finds what changed. `etag`: no list, one GET with If-None-Match per record. */
  cursor: 'syncToken' | 'updatedMin' | 'minChangeTime' | 'snapshot' | 'etag'
  ids: IdMaker
  /** Whether a record carries an etag that If-Match understands. */
  etag: boolean
  /** How a record ends: deleted, archived (a field), or never. */
  ends: 'delete' | 'archive' | 'never'
  /** Whether any operation writes it. */
  writable: boolean
  /** `whenPosted`: an edit is a draft until the person posts it. */
  send: 'soon' | 'whenPosted'
  writeParams?: Query
  /** The field that people call it by; undefined where none does. */
  title?: string
  words: { one: string; many: string }
  gone?: Gone
  seen: readonly string[]
  needsOneOf?: readonly string[]
  objectType?: string
  defaults?: JsonObject
  /** By place: another that has moved along with it as long as both say the same. */
  follows?: Readonly<Record<string, string>>
  notMade?: { field: string; values: readonly string[] }
  /** Records of it run between two days or moments. */
  flight?: Flight
  fixed: readonly string[]
  /** Fields that the service fills in by what the record lies in, or where nobody did. */
  filled: readonly string[]
  /** Whether its content refers to other records by their ids. */
  references: boolean
  /** How its fields merge. */
  rules: Rules
}
