import type { JsonObject } from '../json'
import type { MergeRemarks } from '../merge/rules'
import type { SheetRemark } from './sheet'

export type Query = Readonly<Record<string, string | number | boolean>>

/** A field whose value means that the service means "deleted", unless another field is there too. */
export interface Gone {
  field: string
  is: string | boolean
  /** With this field the record is no tombstone: it says something about another one. */
  unless?: string
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
}

/** A stretch of days or moments, by the paths of its ends. */
export interface Stretch {
  start: string
  end: string
  /** One day is enough: it may end on the day on which it starts. */
  oneDay?: true
}

/** When a record runs, and what the service refuses about that (trafficking behaviour, dates). */
export interface Flight extends Stretch {
  /** The start of a new record must be in the future. */
  startsAhead?: true
  /** A new or moved end must not be in the past. Today is allowed for days. */
  endsAhead?: true
  /** A reference: an end that is new or was moved lies within the flight of that record. */
  within?: string
  /** Lists of ranges inside it. `inside`: they must be within its own range. */
  parts?: readonly (Stretch & { list: string; inside?: true })[]
}

/** Facts about a collection that its table doesn't contain. Everything absent is derived: see `derive.ts`. */
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
  /** When it's pulled. `never`: not automatically. */
  pull?: Pull | 'never'
  /** Fields of a change log for collections with an object type. */
  log?: LogFields
  /** `window`: there are so many that memory holds no bodies. */
  keep?: 'window'
  /** Columns of tables without a sheet, as paths that a version may lack. */
  columns?: readonly string[]
  /** Records that hold others: a field that keeps those from being read, and fields that bring them to the front. */
  holds?: { unless: string; first: readonly string[] }
  /** Writes after which the service changes other records of the list: those that move a record, or that set one of these fields. */
  sideEffects?: 'place' | readonly string[]
  title?: string
  words?: { one: string; many: string }
  gone?: Gone
  /** Fields by which users recognize a record, if the service makes IDs. */
  seen?: readonly string[]
  /** A list that none of these parameters narrows is empty. */
  needsOneOf?: readonly string[]
  /** Name of its objects in change logs. */
  objectType?: string
  /** Default values of an insert. */
  defaults?: JsonObject
  /** Places that move along while they say the same as another: `*` is every entry of a list. */
  follows?: Readonly<Record<string, string>>
  /** Records with one of these values are created by the service and can't be inserted. */
  notMade?: { field: string; values: readonly string[] }
  /** Records of it run between two days or moments. */
  flight?: Flight
  /** Fields that never change, though no flag says so. */
  fixed?: readonly string[]
}

/** Facts about one service that its tables don't contain. */
export interface ServiceRemarks {
  /** True if writes use If-Match. */
  etags: boolean
  send: 'soon' | 'whenPosted'
  /** Records refer to each other by ids in their content. */
  references?: boolean
  /** Every resource with a list is kept, not only those named in `collections`. */
  listed?: boolean
  /** Lists are read in parts: all that belongs to a record of one of these, widest first. */
  partsOf?: readonly string[]
  /** Which collection a path parameter names a record of. */
  parentOf?: Readonly<Record<string, string>>
  /** Fields that never change once a record was made. */
  fixed?: readonly string[]
  merge: MergeRemarks
  /** Columns and forms by resource. */
  sheets?: Readonly<Record<string, SheetRemark>>
  /** Remarks by resource: the part between service and verb in `trafficking.reports.files.list`. */
  collections: Readonly<Record<string, Remark>>
}
