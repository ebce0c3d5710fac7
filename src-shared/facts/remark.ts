import type { JsonObject } from '../json'
import type { MergeRemarks } from '../merge/rules'
import type { SheetRemark } from './sheet'

export type Query = Readonly<Record<string, string | number | boolean>>

/** A field value that means deleted, unless another field is set. */
export interface Gone {
  field: string
  is: string | boolean
  /** With this field, the record isn't a tombstone. It describes another record. */
  unless?: string
  /** The value that restores a deleted record, if the service can do that. */
  back?: string | boolean
  /** The deleted form may have only an ID, so restoring it sends the whole record. */
  bare?: true
}

/**
 * Source of a new record's ID: the service, this computer (a repeated insert returns 409, never a second copy), or its
 * content, so that someone else's creation may have the same one.
 */
export type IdMaker = 'service' | 'client' | 'content'

/** Minimum and maximum interval between pulls, in milliseconds. */
export const often = [60_000, 300_000] as const
export const seldom = [300_000, 1_800_000] as const
export const daily = [86_400_000, 86_400_000] as const

export interface Pull {
  /**
   * `root`: first, because other lists depend on it. `perParent`: a list for each record of its parent. `perRecord`: record
   * by record, as listed elsewhere. For downloads: `index`, to choose from; `chosen`, the chosen parts; `reference`,
   * everything they refer to; `log`, their changes.
   */
  when: 'root' | 'perParent' | 'perRecord' | 'index' | 'chosen' | 'reference' | 'log'
  /** Within its service, lower first. */
  order: number
  /** Minimum and maximum interval while nothing changes, in milliseconds. */
  patience: readonly [number, number]
  /** Only where a field of the record that holds or lists it has one of these values. */
  only?: { field: string; values: readonly string[] }
}

/** Fields of a log's entries: what changed, when, by whom, and from what to what. */
export interface LogFields {
  type: string
  id: string
  at: string
  who: string
  whoId: string
  field: string
  before: string
  after: string
  /** Field and value that mark the row of a deletion. */
  deletion: { field: string; is: string }
}

/** A stretch of days or moments, by the paths of its ends. */
export interface Stretch {
  start: string
  end: string
  /** One day is enough: the flight may end on its start day. */
  oneDay?: true
}

/** Dates of a record, and the service's rules for them (trafficking behavior, dates). */
export interface Flight extends Stretch {
  /** The start of a new record must be in the future. */
  startsAhead?: true
  /** A new or moved end must not be in the past. Today is allowed for days. */
  endsAhead?: true
  /** A reference: new or changed ends must be within that record's flight. */
  within?: string
  /** Lists of ranges inside it. `inside`: they must be within its own range. */
  parts?: readonly (Stretch & { list: string; inside?: true })[]
}

/** Facts about a collection that its table doesn't contain. Everything absent is derived: see `derive.ts`. */
export interface Remark {
  schema?: string
  /** Fields that together identify a record instead of `id`, and their parameters if those have other names. */
  id?: readonly string[]
  idParams?: readonly string[]
  ids?: IdMaker
  /** Fields that form the ID of a new record, joined with a colon. If the others are empty, the first one only. */
  idFrom?: { fields: readonly string[]; alone?: string }
  parents?: readonly { collection: string; param: string }[]
  listParams?: Query
  /** Always read whole: with a sync token, its list omits records of which only read-only fields changed. */
  whole?: true
  /** Query parameters that every write needs for the service to keep the body. */
  writeParams?: Query
  /** New records of this collection turn up in that one's list. */
  listedIn?: string
  /** There's one record for each record of that collection, and no list. Each is read by ID. */
  recordsOf?: string
  /** When it's pulled. `never`: not automatically. */
  pull?: Pull | 'never'
  /** Fields of a change log for collections with an object type. */
  log?: LogFields
  /** `window` is for collections too large to keep bodies in memory. */
  keep?: 'window'
  /** Columns of tables without a sheet, as paths that a version may lack. */
  columns?: readonly string[]
  /** For records that contain others: a field that excludes them from reading, and fields that prioritize them. */
  holds?: { unless: string; first: readonly string[] }
  /** Writes that make the service change other records of the list: moves, or changes of one of these fields. */
  sideEffects?: 'place' | readonly string[]
  title?: string
  words?: { one: string; many: string }
  gone?: Gone
  /** With this value, the service shows only a part of the record, which mustn't be sent back as all of it. */
  partial?: { field: string; is: string | boolean }
  /** Fields besides `id` that no record created from another one takes over. */
  own?: readonly string[]
  /**
   * The service stores deleted records for a while, so that they can be restored. `only`: if a field of their parent has one of
   * these values.
   */
  keepsDeleted?: { only?: { field: string; values: readonly string[] } }
  /** Fields by which users recognize a record, if the service makes IDs. */
  seen?: readonly string[]
  /** Parameters of which a list needs one. Without any, it's empty. */
  needsOneOf?: readonly string[]
  /** Its content may name records of other services. */
  names?: boolean
  /** Name of its objects in change logs. */
  objectType?: string
  /** Default values of an insert. */
  defaults?: JsonObject
  /** Paths that follow another one while both are equal. `*` means every entry of a list. */
  follows?: Readonly<Record<string, string>>
  /** Records with one of these values are created by the service and can't be inserted. */
  notMade?: { field: string; values: readonly string[] }
  /** Records of it run between two days or moments. */
  flight?: Flight
  /** Fields that can't change, although no flag says so. */
  fixed?: readonly string[]
}

/** Facts about one service that its tables don't contain. */
export interface ServiceRemarks {
  /** True if writes use If-Match. */
  etags: boolean
  send: 'soon' | 'whenPosted'
  /** Records refer to each other by IDs in their content. */
  references?: boolean
  /** Keeps every resource with a list, not only those named in `collections`. */
  listed?: boolean
  /** Lists are read in parts: all that belongs to a record of one of these, widest first. */
  partsOf?: readonly string[]
  /** Which collection a path parameter names a record of. */
  parentOf?: Readonly<Record<string, string>>
  /** Fields that can't change after creation. */
  fixed?: readonly string[]
  merge: MergeRemarks
  /** Columns and forms by resource. */
  sheets?: Readonly<Record<string, SheetRemark>>
  /** Remarks by resource: the part between service and verb in `trafficking.reports.files.list`. */
  collections: Readonly<Record<string, Remark>>
}
