import type { JsonObject } from '../json'
import type { Rules } from '../merge/rules'
import type { OperationId, ServiceName } from '../wire/services'
import type { ServiceTable } from '../wire/table'
import type { CollectionName } from './names'

export type { CollectionName }

type Query = Readonly<Record<string, string | number | boolean>>

/** A field whose value means that the service means "deleted", unless another field is there too. */
export interface Gone {
  field: string
  is: string | boolean
  /** With this field the record is no tombstone: it says something about another one. */
  unless?: string
}

/**
 * Who makes a new record's id: the service; this computer (a repeated insert answers 409, never a second copy); or its
 * content, so that somebody else's creation may have the same one.
 */
export type IdMaker = 'service' | 'client' | 'content'

/** What a service's table does not tell of one collection. Everything absent is derived: see `derive.ts`. */
export interface Remark {
  schema?: string
  /** Fields that together name a record, where it is not `id`, and the parameters for them where they have other names. */
  id?: readonly string[]
  idParams?: readonly string[]
  ids?: IdMaker
  /** Fields from which the id of a new record follows, joined with a colon; the first alone where nothing else is given. */
  idFrom?: { fields: readonly string[]; alone?: string }
  parents?: readonly { collection: string; param: string }[]
  listParams?: Query
  /** Query parameters every write needs so that the service keeps what is in the body. */
  writeParams?: Query
  /** New records of this collection turn up in that one's list. */
  listedIn?: string
  /** There is one for each record of that collection, and no list: each is asked for by its id. */
  recordsOf?: string
  title?: string
  words?: { one: string; many: string }
  gone?: Gone
  /** Fields by which people tell two records apart, where the service makes the ids. */
  seen?: readonly string[]
  /** A list that none of these parameters narrows is empty. */
  needsOneOf?: readonly string[]
  /** What change logs call its objects. */
  objectType?: string
  /** What an insert fills in where the body says nothing. */
  defaults?: JsonObject
  /** Fields that never change, though no flag says so. */
  fixed?: readonly string[]
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
  /** Most ids that one list call takes, where it takes any. */
  readMany?: number
  /** How the next pull finds what changed. `etag`: no list, one GET with If-None-Match per record. */
  cursor: 'syncToken' | 'updatedMin' | 'snapshot' | 'etag'
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
  fixed: readonly string[]
  /** How its fields merge. */
  rules: Rules
}
