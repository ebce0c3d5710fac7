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
/** As much of an edit as it takes to end entries. */
export type Ending = Pick<EditContext, 'tx' | 'ids' | 'now'>

/** Records that a deletion, a cut of a series, or a clearing removes besides its own. */
export interface Reach {
  /** Where they lie: in the record itself, or beside it in the same list. */
  lies: 'inside' | 'beside'
  /** Whether an entry reaches that far; absent: every deletion and action does. */
  when?(entry: OutboxEntry): boolean
  /** Whether a record of that place is one of them. `changed`: fields that someone else changed; absent for a new one. */
  has(of: { memory: Memory; entry: OutboxEntry; record: RemoteRecord; changed?: readonly string[] }): boolean
  /** What it changes in them, where it leaves them there. */
  leaves?: JsonObject
}

/**
 * What is truly special about a collection, beyond the facts that its table tells; a collection without any has an empty
 * one. Whatever is missing here is done in the common way.
 */
export interface Habit {
  /** The id of a record made here; undefined: the service gives it, or its content has none. */
  newId?(ids: IdSource, value: JsonObject): string | undefined
  /** Edits of it may mail people. */
  mails?: true
  /**
   * Records may be carried to another parent, as to another calendar, and keep their ids. Whether `now`, found there, is what
   * `before` was, and no copy for somebody else.
   */
  carried?(before: JsonObject | null, now: JsonObject): boolean

  /** What a creation shows beside the record's own fields. */
  showsNew?(memory: Memory, key: string, value: JsonObject, place: Place | undefined): Shows
  /** What a change of fields shows elsewhere. */
  showsChange?(key: string, patch: JsonObject): Shows
  /** Rows elsewhere that a deletion hides. */
  hides?(key: string): string[]
  /** A record takes its place among others, or leaves it. */
  entersPlace?(tx: Tx, key: string, place: Place): void
  leavesPlace?(tx: Tx, key: string): void
  placeOf?(memory: Memory, key: string): Place
  /** Rows that the service deletes along, parents before what lies in them. */
  children?(memory: Memory, key: string): string[]
  /** Records that an entry removes besides its own. Changes to them are asked about before it is sent. */
  reach?: Reach
  /** Further waiting entries that are nothing without a record that was never sent. */
  contained?(memory: Memory, key: string): OutboxEntry[]

  /** Further waiting entries that one on this record goes after. */
  waitsFor?(memory: Memory, key: string): OutboxEntry[]
  /** Ids of entries that go before this change of fields. */
  goesAfter?(context: EditContext, key: string, patch: JsonObject): string[]
  /** The record as another one implies it, which nobody changed yet. */
  derived?(memory: Memory, key: string): JsonObject | null
  /** The key of the record that implies this one while nobody has changed it. */
  impliedBy?(key: string): string | undefined
  /** How a record that can have no other id is brought back: what it is while it is gone, and what makes it be there. */
  revival?(id: string): { gone: JsonObject; back: JsonObject } | undefined
  /** Ends an entry that will never be sent, where more than that entry ends with it. */
  takeOut?(context: Ending, entry: OutboxEntry): void
  /** Whether an entry that waits for a creation can do without it. */
  doesWithout?(memory: Memory, entry: OutboxEntry, creation: OutboxEntry): boolean
  /** An entry in the words that the service understands now. */
  asSent?(memory: Memory, entry: OutboxEntry): OutboxEntry

  /** Whether the service's word is only a part of the record. */
  isPartial?(base: JsonObject): boolean
  /** By what the store finds the row. */
  indexed?(id: string, base: JsonObject): Pick<StoredRow, 'at' | 'series'>
  /** Rows that are nothing when the service no longer has this one. */
  goAlong?(memory: Memory, key: string): string[]
  /** Whether a row that an entry hid is still there, as the service's answer says. */
  stays?(records: readonly RemoteRecord[], ownKey: string, hiddenKey: string): boolean
  /** What an entry shows of its other rows comes with the next pull, not with the answer. */
  showsNothingLonger?: true
  /** Cursors of what has to be read whole once an entry that shows other rows has arrived. */
  rereads?(entry: OutboxEntry): string[]

  /** A row has changed: where it is drawn, its order. Whether its body need not be kept, for those on disk. */
  place?(memory: Memory, row: Row, value: JsonObject | null, waiting: boolean): boolean
  drop?(memory: Memory, key: string): void
}

/** What an action does here, and what is special about its entry. */
export interface ActionHabit<A extends Action = Action> {
  /** Returns the key where the record then is. */
  run(context: EditContext, key: string, action: A, content?: JsonObject): string
  /** A later edit of fields may go before it. */
  mindsNoOrder?(action: A): boolean
  /** The record is a new one, which the service may name. */
  creates?: true
  /** It puts the record at a place: where somebody else carried it elsewhere meanwhile, one of the two places is the right one. */
  places?: true
  /** Records that it removes besides its own. Changes to them are asked about before it is sent. */
  reach?: Reach
  /** The action that takes it back, as far as what it names is still there. */
  backNow?(memory: Memory, key: string, back: A): A
}

export interface Habits {
  of(collection: CollectionName): Habit
  action(name: Action['name']): ActionHabit
  /** By what else entries are looked up. */
  indexes: Readonly<Record<string, (entry: OutboxEntry) => readonly string[]>>
  /** Entries as they were kept by an earlier version, as they are now. */
  renewed(entries: readonly OutboxEntry[]): OutboxEntry[]
}
