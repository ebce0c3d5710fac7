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
/** Part of an edit's context that ending entries needs. */
export type Ending = Pick<EditContext, 'tx' | 'ids' | 'now'>

/** Records that a deletion, a cut of a series, or a clearing removes besides its own. */
export interface Reach {
  /** Location of these records: inside the record, or next to it in the same list. */
  lies: 'inside' | 'beside'
  /** True if an entry removes further records. Absent: every deletion and action does. */
  when?(entry: OutboxEntry): boolean
  /** True if the entry removes a record of that place. `changed`: fields that someone else changed, absent for a new record. */
  has(of: { memory: Memory; entry: OutboxEntry; record: RemoteRecord; changed?: readonly string[] }): boolean
  /** Change that the entry makes in records that it doesn't remove. */
  leaves?: JsonObject
  /** True if the entry makes this change in a record. Absent: in all. */
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
   * For records that can move to another parent, such as another calendar, and keep their IDs: true if `now`, found at the new
   * parent, is the moved record, and not someone else's copy with the same ID.
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
  /** Further rows that the service deletes along, which stay visible until the service has deleted them. */
  contents?(memory: Memory, key: string): string[]
  /** Further records that an entry removes. If someone else changed one, the entry becomes a conflict before it's sent. */
  reach?: Reach
  /** Further pending entries that are meaningless without a record that was never sent. */
  contained?(memory: Memory, key: string): OutboxEntry[]

  /**
   * Further pending entries that must be sent before one on this record.
   * @param references IDs of the parents at the entry's place
   */
  waitsFor?(memory: Memory, key: string, references: readonly string[]): OutboxEntry[]
  /** IDs of entries to send before this change of fields. */
  goesAfter?(context: EditContext, key: string, patch: JsonObject): string[]
  /** The record before its first change, as the value of another record implies it. */
  derived?(implying: JsonObject, key: string): JsonObject | null
  /** Key of the record that implies this one until its first change. */
  impliedBy?(key: string): string | undefined
  /** True for a part of another record, whose ID can't change. Such a record is restored, never created again. */
  isPart?(id: string): boolean
  /** Ends an entry that will never be sent, and everything that ends with it. */
  endUnsent?(context: Ending, entry: OutboxEntry): void
  /** True if an entry can be sent although an entry it waits for was discarded. */
  survivesDiscard?(memory: Memory, entry: OutboxEntry, creation: OutboxEntry): boolean
  /** The entry to send, adapted to the service's current state. */
  asSent?(memory: Memory, entry: OutboxEntry): OutboxEntry

  /** True if the service's record is only a part. */
  isPartial?(base: JsonObject): boolean
  /** Index values of the stored row. */
  indexed?(id: string, base: JsonObject): Pick<StoredRow, 'at' | 'series'>
  /** Rows that are meaningless once the service no longer has this one. */
  removedWith?(memory: Memory, key: string): string[]
  /** True if a hidden row still exists according to the service's answer. */
  stays?(records: readonly RemoteRecord[], ownKey: string, hiddenKey: string): boolean
  /** Local effects on other rows end with the answer, because the next pull brings those rows. */
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
  /** True if a later edit of fields may be sent before the action. */
  commutes?(action: A): boolean
  /** The record is a new one, which the service may name. */
  creates?: true
  /** The action moves the record. If someone else also moved it, the user decides between the places. */
  places?: true
  /** Fields that the action changes: their base stays what the author saw. */
  touches?: readonly string[]
  /** Further records that the action removes. If someone else changed one, the action becomes a conflict before it's sent. */
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
