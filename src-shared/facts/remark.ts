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
 * Who makes a new record's id: the service; this computer (a repeated insert answers 409, never a second copy); or its
 * content, so that somebody else's creation may have the same one.
 */
export type IdMaker = 'service' | 'client' | 'content'

/** How long what changes often, or seldom, is left alone: at first and at most, in milliseconds. */
export const often = [60_000, 300_000] as const
export const seldom = [300_000, 1_800_000] as const
export const daily = [86_400_000, 86_400_000] as const

export interface Pull {
  /**
   * `root`: by itself and first, for it says what else there is. `perParent`: a list in each record of its parent.
   * `perRecord`: record by record, as listed elsewhere. In records that somebody opened: `index`, by which people choose
   * what to keep; `chosen`, as far as it was chosen; `reference`, what all of it refers to; `log`, what changed in it.
   */
  when: 'root' | 'perParent' | 'perRecord' | 'index' | 'chosen' | 'reference' | 'log'
  /** Within its service, lower first. */
  order: number
  /** How long it is left alone while nothing changes, at first and at most, in milliseconds. */
  patience: readonly [number, number]
  /** Only where a field of the record that holds or lists it has one of these values. */
  only?: { field: string; values: readonly string[] }
}

/** Fields of a log's records: what changed, when, who did it, and from what to what. */
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
  /** Of a new record the start lies ahead. */
  startsAhead?: true
  /** An end that is new or was moved has not passed; of days, today has not. */
  endsAhead?: true
  /** A reference: an end that is new or was moved lies within the flight of that record. */
  within?: string
  /** Lists of stretches of its own; `inside`: they lie within it. */
  parts?: readonly (Stretch & { list: string; inside?: true })[]
}

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
  /** When it is read; `never`: not by itself. */
  pull?: Pull | 'never'
  /** It tells of changes in collections that have an object type. */
  log?: LogFields
  /** `window`: there are so many that memory holds no bodies. */
  keep?: 'window'
  /** What a table of it can be read by, where no sheet says so: paths, as far as a version has them. */
  columns?: readonly string[]
  /** Records that hold others: a field that keeps those from being read, and fields that bring them to the front. */
  holds?: { unless: string; first: readonly string[] }
  /** After which writes the service changes others of the list by itself: those that place a record, or on a record with one of these fields. */
  stirs?: 'place' | readonly string[]
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
  /** Places that move along while they say the same as another: `*` is every entry of a list. */
  follows?: Readonly<Record<string, string>>
  /** Records with one of these values come by themselves and cannot be inserted. */
  notMade?: { field: string; values: readonly string[] }
  /** Records of it run between two days or moments. */
  flight?: Flight
  /** Fields that never change, though no flag says so. */
  fixed?: readonly string[]
}

/** What the tables of one service do not tell. */
export interface ServiceRemarks {
  /** Whether writes are made under If-Match. */
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
  /** By resource: what people see of its records. */
  sheets?: Readonly<Record<string, SheetRemark>>
  /** By resource: what is between the service's name and the verb in `trafficking.reports.files.list`. */
  collections: Readonly<Record<string, Remark>>
}
