import type { JsonObject } from '../json'
import type { Rules } from '../merge/rules'
import type { OperationId, ServiceName } from '../wire/services'
import type { ServiceTable } from '../wire/table'
import type { CollectionName } from './names'
import type { Sheet } from './sheet'
import type { Flight, Gone, IdMaker, LogFields, Pull, Query, Remark } from './remark'

export type { CollectionName }

/** How a download selects the records of one parent: by a list parameter and the field that confirms it, or by the path. */
export interface Cut {
  by: CollectionName
  param?: string
  /** True if the parameter accepts several IDs. */
  many: boolean
  field?: string
}

/** A kind of record: its operations and its rules. */
export interface Collection {
  name: CollectionName
  service: ServiceName
  table: ServiceTable
  /** The schema of one record in the table. */
  schema: string
  /** Parents in the path, outermost first. */
  parents: readonly { collection: CollectionName; param: string }[]
  /** The collection whose records contain these, and the parameter that names it. The innermost of `parents`. */
  parent?: { collection: CollectionName; param: string }
  /** Fields that identify a record, in the order of the parameters that do so in a call. */
  idFields: readonly string[]
  idParams: readonly string[]
  idFrom?: Remark['idFrom']
  list?: { operation: OperationId; params: Query }
  get?: OperationId
  insert?: OperationId
  update?: OperationId
  patch?: OperationId
  delete?: OperationId
  /** Opens a channel through which the service reports changes of the list. */
  watch?: Extract<OperationId, `${string}.watch`>
  listedIn?: CollectionName
  recordsOf?: CollectionName
  /** When it's pulled. Absent: never automatically. */
  pull?: Pull
  log?: LogFields
  /** Ways to download a part of the list, widest first. */
  cuts: readonly Cut[]
  /** `window` keeps columns in memory and bodies on disk. */
  keep: 'whole' | 'window'
  /** Columns for sorting and filtering in tables, by path: the title first. */
  columns: readonly string[]
  /** The kind's presentation to users. */
  sheet: Sheet
  /** For records that contain others: a field that excludes them from reading, and fields that prioritize them. */
  holds?: { unless: string; first: readonly string[] }
  /** Writes that make the service change other records of the list: moves, or changes of one of these fields. */
  sideEffects?: 'place' | readonly string[]
  /** Maximum number of IDs in a list call, if it accepts any. */
  readMany?: number
  /** How the next pull finds changes. `etag`: no list, one GET with If-None-Match per record. */
  cursor: 'syncToken' | 'updatedMin' | 'minChangeTime' | 'snapshot' | 'etag'
  ids: IdMaker
  /** True if records have etags for If-Match. */
  etag: boolean
  /** How a record is removed: deleted, archived (a field), or never. */
  ends: 'delete' | 'archive' | 'never'
  /** True if any operation writes it. */
  writable: boolean
  /** `whenPosted`: an edit is a draft until the user posts it. */
  send: 'soon' | 'whenPosted'
  writeParams?: Query
  /** The field with the record's name. Undefined if it has none. */
  title?: string
  words: { one: string; many: string }
  gone?: Gone
  partial?: Remark['partial']
  /** Fields that no record created from another one takes over, such as IDs. */
  own: readonly string[]
  keepsDeleted?: Remark['keepsDeleted']
  seen: readonly string[]
  needsOneOf?: readonly string[]
  objectType?: string
  defaults?: JsonObject
  /** Fields, by path, that follow another one while both are equal. */
  follows?: Readonly<Record<string, string>>
  notMade?: { field: string; values: readonly string[] }
  /** Records of it run between two days or moments. */
  flight?: Flight
  fixed: readonly string[]
  /** Fields that the service fills in, from the parent or by default. */
  filled: readonly string[]
  /** True if its content refers to other records of its service by ID, in fields that the service knows. */
  references: boolean
  /** True if its content may name other records at all. What it names is created first. */
  names: boolean
  /** Merge rules of its fields. */
  rules: Rules
}
