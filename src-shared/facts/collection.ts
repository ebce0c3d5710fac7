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
  /** The parameter takes several ids. */
  many: boolean
  field?: string
}

/** One kind of record: its place on the wire and its rules. */
export interface Collection {
  name: CollectionName
  service: ServiceName
  table: ServiceTable
  /** The schema of one record in the table. */
  schema: string
  /** Parents in the path, outermost first. */
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
  /** When it's pulled. Absent: never automatically. */
  pull?: Pull
  log?: LogFields
  /** Ways to download a part of the list, widest first. */
  cuts: readonly Cut[]
  /** `window`: memory holds columns of it, bodies lie on disk. */
  keep: 'whole' | 'window'
  /** Columns for sorting and filtering in tables, by path: the title first. */
  columns: readonly string[]
  /** How users see it. */
  sheet: Sheet
  /** Records that hold others: a field that keeps those from being read, and fields that bring them to the front. */
  holds?: { unless: string; first: readonly string[] }
  /** Writes after which the service changes other records of the list: those that move a record, or that set one of these fields. */
  sideEffects?: 'place' | readonly string[]
  /** Most ids that one list call takes, where it takes any. */
  readMany?: number
  /** How the next pull finds changes. `etag`: no list, one GET with If-None-Match per record. */
  cursor: 'syncToken' | 'updatedMin' | 'minChangeTime' | 'snapshot' | 'etag'
  ids: IdMaker
  /** True if records have etags for If-Match. */
  etag: boolean
  /** How records end: deleted, archived (a field), or never. */
  ends: 'delete' | 'archive' | 'never'
  /** True if any operation writes it. */
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
  /** Fields by path that move along with another as long as both are equal. */
  follows?: Readonly<Record<string, string>>
  notMade?: { field: string; values: readonly string[] }
  /** Records of it run between two days or moments. */
  flight?: Flight
  fixed: readonly string[]
  /** Fields that the service fills in, from the parent or by default. */
  filled: readonly string[]
  /** True if its content refers to other records by ID. */
  references: boolean
  /** Merge rules of its fields. */
  rules: Rules
}
