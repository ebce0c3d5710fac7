import type { CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { Action, OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import type { IdSource } from '#shared/mutation/ids'
import type { Place } from '#shared/domain/task-order'
import type { Row } from './api'
import type { EditContext } from './context'
import type { Memory } from './memory'
import type { StoredRow } from './store'
import type { Tx } from './tx'

export type Shows = NonNullable<OutboxEntry['shows']>
/** The part of an edit needed to end entries. */
export type Ending = Pick<EditContext, 'tx' | 'ids' | 'now'>

/** Records that a deletion, a cut of a series, or a clearing removes besides its own. */
export interface Reach {
  /** Location of these records: inside the record, or next to it in the same list. */
  lies: 'inside' | 'beside'
  /** True if an entry reaches that far. Absent: every deletion and action does. */
  when?(entry: OutboxEntry): boolean
  /** True if a record of that place is one of them. `changed`: fields that someone else changed. Absent for a new one. */
  has(of: { memory: Memory; entry: OutboxEntry; record: RemoteRecord; changed?: readonly string[] }): boolean
  /** The change it makes in records that it doesn't remove. */
  leaves?: JsonObject
  /** True if it makes this change in a record. Absent: in all. */
  leavesIn?(base: JsonObject): boolean
}

/**
 * Behavior of a collection that its table can't express. Collections without any have an empty one, and everything absent
 * works as usual.
 */
export interface CollectionBehavior {
  /** The ID of a record created here. Undefined if the service assigns it, or if its content has none. */
  newId?(ids: IdSource, value: JsonObject): string | undefined
  /** Edits may send email. */
  mails?: true
  /**
   * For records that can move to another parent, such as another calendar, and keep their IDs: true if `now`, found there, is
   * the record that was `before`, and not a copy for someone else.
   */
  carried?(before: JsonObject | null, now: JsonObject): boolean

  /** Effects of a creation on other rows. */
  showsNew?(memory: Memory, key: string, value: JsonObject, place: Place | undefined): Shows
  /** Effects of a change of fields on other rows. */
  showsChange?(key: string, patch: JsonObject): Shows
  /** Keys of other rows that a change of fields leaves without a place. */
  strays?(memory: Memory, key: string, patch: JsonObject): string[]
  /** Keys of other rows that a deletion hides. */
  hides?(key: string): string[]
  /** Called when a record takes its place among others, or leaves it. */
  entersPlace?(tx: Tx, key: string, place: Place): void
  leavesPlace?(tx: Tx, key: string): void
  placeOf?(memory: Memory, key: string): Place
  /** Rows that the service deletes along, parents before their children. */
  children?(memory: Memory, key: string): string[]
  /** Further rows that the service deletes along, which stay in sight until it did. */
  contents?(memory: Memory, key: string): string[]
  /** Further records that an entry removes. If someone changed them, the user decides before it's sent. */
  reach?: Reach
  /** Further pending entries that are meaningless without a record that was never sent. */
  contained?(memory: Memory, key: string): OutboxEntry[]

  /**
   * Further pending entries that must be sent before one on this record.
   * @param references IDs of the places that the entry puts it in
   */
  waitsFor?(memory: Memory, key: string, references: readonly string[]): OutboxEntry[]
  /** Ids of entries that go before this change of fields. */
  goesAfter?(context: EditContext, key: string, patch: JsonObject): string[]
  /** The record as implied by the value of another one, before its first change. */
  derived?(implying: JsonObject, key: string): JsonObject | null
  /** Key of the record that implies this one until its first change. */
  impliedBy?(key: string): string | undefined
  /** True for a part of another record, whose ID can't change: it's restored, and never created again. */
  isPart?(id: string): boolean
  /** Ends an entry that will never be sent, where more than that entry ends with it. */
  takeOut?(context: Ending, entry: OutboxEntry): void
  /** True if an entry that waits for a creation can do without it. */
  doesWithout?(memory: Memory, entry: OutboxEntry, creation: OutboxEntry): boolean
  /** An entry in the words that the service understands now. */
  asSent?(memory: Memory, entry: OutboxEntry): OutboxEntry

  /** True if the service's record is only a part. */
  isPartial?(base: JsonObject): boolean
  /** Index values of the stored row. */
  indexed?(id: string, base: JsonObject): Pick<StoredRow, 'at' | 'series'>
  /** Rows that are meaningless once the service no longer has this one. */
  goAlong?(memory: Memory, key: string): string[]
  /** True if a hidden row still exists according to the service's answer. */
  stays?(records: readonly RemoteRecord[], ownKey: string, hiddenKey: string): boolean
  /** Effects on other rows come with the next pull instead of the answer. */
  showsNothingLonger?: true
  /** Cursors of lists to read again after an entry with effects on other rows has arrived. */
  rereads?(entry: OutboxEntry): string[]

  /** Updates views and order after a row changed. Returns true if its body may be on disk only. */
  place?(memory: Memory, row: Row, value: JsonObject | null, waiting: boolean): boolean
  drop?(memory: Memory, key: string): void
}

/** Local effects of an action, and special behavior of its entry. */
export interface ActionBehavior<A extends Action = Action> {
  /** Returns the key where the record then is. */
  run(context: EditContext, key: string, action: A, content?: JsonObject): string
  /** A later edit of fields may go before it. */
  mindsNoOrder?(action: A): boolean
  /** The record is a new one, which the service may name. */
  creates?: true
  /** The action moves the record. If someone else moved it elsewhere, only one of the places can be right. */
  places?: true
  /** Fields that the action changes: their base stays what the author saw. */
  touches?: readonly string[]
  /** Further records that the action removes. If someone changed them, the user decides before it's sent. */
  reach?: Reach
  /** The action that undoes this one, limited to records that still exist. */
  backNow?(memory: Memory, key: string, back: A): A
}

export interface Behaviors {
  of(collection: CollectionName): CollectionBehavior
  action(name: Action['name']): ActionBehavior
  /** Additional indexes of entries. */
  indexes: Readonly<Record<string, (entry: OutboxEntry) => readonly string[]>>
  /** Converts entries of an earlier version. */
  renewed(entries: readonly OutboxEntry[]): OutboxEntry[]
}
