import { isSubscribed } from '#shared/domain/subscribed'
import { FaultError } from '#shared/fault'
import { collectionOf, keyBeside, parseRecordKey } from '#shared/domain/collections'
import { sameJson, type Json } from '#shared/json'
import type { JournalRecord } from '#shared/ipc/sync-questions'
import { keysOf } from '#shared/mutation/fold'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Deleted, HistoryItem, Notice, Topic } from './api'
import { checkMeta, type CheckResult } from './check-result'
import { dueWrite } from './checks-due'
import {
  broughtMeta,
  choicesOf,
  downloadsMeta,
  idsText,
  leavingMeta,
  removingMeta,
  pageMeta,
  type Download,
  type PagePlace,
} from './downloads'
import type { Memory } from './memory'
import { deletedWrite } from './deleted-meta'
import { idName } from './id-names'
import { writeKey, type StoredCursor, type StoredRow, type TableName, type Write } from './store'
import type { UndoStep } from './undo'
import type { RemoteChange } from './remote-seq'
import { renameMeta, type UndoRename } from './undo-steps'

/**
 * One transaction: applied to memory at once, and recorded as a batch for the store, as journal lines, and as rollback.
 */
export class Tx {
  readonly writes: Write[] = []
  readonly journal: JournalRecord[] = []
  readonly topics = new Set<Topic>()
  /** Functions that each undo one change in a later transaction, after other changes in between. */
  readonly undoing: ((tx: Tx) => void)[] = []
  /** Records that got another ID. */
  readonly renames: { key: string; to: string }[] = []
  /** Bodies of rows that this transaction's entries are the first to change. Other windows may have these on disk only. */
  readonly bodies: StoredRow[] = []
  /** Changes of `RemoteSeq` by a pull or an outcome. */
  remote: readonly RemoteChange[] = []
  private readonly back: (() => void)[] = []
  private readonly revert: Write[] = []

  constructor(readonly memory: Memory) {}

  /** @throws FaultError for a record of no service, which could never be sent */
  putEntry(given: OutboxEntry): void {
    refuseSubscribed(given)
    const before = this.memory.outbox.get(given.id)
    const changed = !before || !sameContent(before, given)
    const revision = Math.max(given.revision ?? 0, before?.revision ?? 0) + (changed ? 1 : 0)
    const entry = { ...given, revision }
    const unchanged = keysOf(entry).filter((key) => !this.memory.outbox.any('shows', key))
    this.write({ table: 'outbox', put: entry }, before)
    this.memory.setEntry(entry.id, entry)
    for (const key of unchanged) {
      const body = this.memory.stored.get(key)
      if (body && this.memory.isWindow(body.collection)) this.bodies.push(body)
    }
    this.back.push(() => this.memory.setEntry(entry.id, before ?? null))
    this.undoing.push((tx) => (before ? tx.putEntry(tx.memory.withRealIds(before)) : tx.dropEntry(entry.id)))
    if (changed) this.journal.push({ kind: 'entry', entry })
    this.touch(entry)
    if (before) this.touch(before)
  }

  /** Ends an entry, and adds its outcome to the history. */
  endEntry(entry: OutboxEntry, item: HistoryItem): void {
    const before = this.memory.outbox.get(entry.id)
    if (!before) return
    this.write({ table: 'outbox', remove: entry.id }, before)
    this.memory.setEntry(entry.id, null)
    this.back.push(() => this.memory.setEntry(entry.id, before))
    this.write({ table: 'history', put: item }, undefined)
    this.undoing.push((tx) => {
      tx.putEntry(tx.memory.withRealIds(before))
      tx.writes.push({ table: 'history', remove: item.id })
    })
    const { recordId } = item.entry
    const made = recordId !== entry.recordId && { made: recordId }
    this.journal.push({ kind: 'end', entryId: entry.id, accountId: entry.accountId, how: item.how, ...made })
    this.touch(before)
    this.topics.add('history')
  }

  /** Removes an entry without a history item. */
  private dropEntry(id: string): void {
    const before = this.memory.outbox.get(id)
    if (!before) return
    this.write({ table: 'outbox', remove: id }, before)
    this.memory.setEntry(id, null)
    this.back.push(() => this.memory.setEntry(id, before))
    this.journal.push({ kind: 'end', entryId: id, accountId: before.accountId, how: 'withdrawn' })
    this.touch(before)
  }

  /** @param fresh true for one of many rows that arrive together, as in a full listing */
  putRow(row: StoredRow, fresh = false): void {
    this.back.push(this.memory.snapshot(row.key))
    this.endRename(row.key)
    this.writes.push({ table: 'rows', put: row, ...(fresh && { fresh }) })
    this.memory.setStored(row.key, row)
    this.topics.add(row.collection)
  }

  removeRow(key: string): void {
    this.back.push(this.memory.snapshot(key))
    this.writes.push({ table: 'rows', remove: key })
    this.memory.setStored(key, null)
    this.topics.add(collectionOf(key))
  }

  putCursor(cursor: StoredCursor): void {
    this.keep('cursors', this.memory.cursors, cursor.key, cursor)
  }

  removeCursor(key: string): void {
    this.keep('cursors', this.memory.cursors, key, null)
  }

  putUndo(step: UndoStep): void {
    this.keep('undo', this.memory.undo, step.id, step)
    this.topics.add('undo')
  }

  removeUndo(id: string): void {
    this.keep('undo', this.memory.undo, id, null)
    this.topics.add('undo')
  }

  putNotice(notice: Notice): void {
    this.keep('notices', this.memory.notices, notice.id, notice)
    this.topics.add('notices')
  }

  removeNotice(id: string): void {
    this.keep('notices', this.memory.notices, id, null)
    this.topics.add('notices')
  }

  /** Stores a deleted record as the newest one, or removes it if null. */
  putDeleted(key: string, deleted: Deleted | null): void {
    const all = this.memory.deleted
    const before = all.get(key)
    if (!before && !deleted) return
    const set = (next: Deleted | null | undefined): void => {
      all.delete(key)
      if (next) all.set(key, next)
    }
    this.writes.push(deletedWrite(key, deleted))
    this.revert.push(deletedWrite(key, before ?? null))
    set(deleted)
    this.back.push(() => set(before))
    this.undoing.push((tx) => tx.putDeleted(key, before ?? null))
    this.topics.add('deleted')
  }

  /** Stores a download, or removes it if null. */
  putDownload(key: string, download: Download | null): void {
    const { downloads } = this.memory
    const before = downloads.get(key)
    const set = (next: Download | null | undefined): void => {
      if (next) downloads.set(key, next)
      else downloads.delete(key)
      this.memory.noteChange('downloads')
    }
    set(download)
    this.back.push(() => set(before))
    this.putMeta(downloadsMeta, choicesOf(downloads.values()))
    this.topics.add('downloads')
  }

  /** Progress of reading a list. null: start over. */
  putPage(target: string, place: PagePlace | null): void {
    const { pages } = this.memory
    const before = pages.get(target)
    if (!before && !place) return
    const set = (next: PagePlace | null | undefined): void =>
      void (next ? pages.set(target, next) : pages.delete(target))
    set(place)
    this.back.push(() => set(before))
    const key = pageMeta(target)
    this.writes.push(place ? { table: 'meta', put: { key, value: { ...place } } } : { table: 'meta', remove: key })
    this.topics.add('downloads')
  }

  /** IDs that came with a part of a list, if nothing else shows that they belong to it. null: removes them. */
  putBrought(target: string, ids: ReadonlySet<string> | null): void {
    const { brought } = this.memory
    const before = brought.get(target)
    if (!before && !ids) return
    const set = (next: ReadonlySet<string> | null | undefined): void =>
      void (next ? brought.set(target, next) : brought.delete(target))
    set(ids)
    this.back.push(() => set(before))
    const key = broughtMeta(target)
    this.writes.push(ids ? { table: 'meta', put: { key, value: idsText(ids) } } : { table: 'meta', remove: key })
  }

  /** Marks rows to remove once none of their changes is pending, or unmarks them. */
  putLeaving(keys: Iterable<string>, leave: boolean): void {
    const { leaving } = this.memory
    const changed = [...keys].filter((key) => leaving.has(key) !== leave)
    if (changed.length === 0) return
    const set = (on: boolean): void => changed.forEach((key) => (on ? leaving.add(key) : leaving.delete(key)))
    set(leave)
    this.back.push(() => set(!leave))
    this.putMeta(leavingMeta, [...leaving])
  }

  /** Targets of removed downloads that aren't deleted yet. */
  putRemoving(targets: readonly Json[]): void {
    const { memory } = this
    const before = memory.removing
    memory.removing = targets
    this.back.push(() => (memory.removing = before))
    this.putMeta(removingMeta, [...targets])
  }

  /** Result of a sync check of a service. */
  putCheck(service: string, result: CheckResult): void {
    const { checks } = this.memory
    const before = checks.get(service)
    checks.set(service, result)
    this.back.push(() => void (before ? checks.set(service, before) : checks.delete(service)))
    this.putMeta(checkMeta(service), result as unknown as Json)
  }

  /** Time of a target's next check, in epoch milliseconds. Null if the target is no longer read. */
  putCheckDue(target: string, due: number | null): void {
    const { checksDue } = this.memory
    const before = checksDue.get(target)
    const set = (next: number | null | undefined): void =>
      void (next === null || next === undefined ? checksDue.delete(target) : checksDue.set(target, next))
    set(due)
    this.back.push(() => set(before))
    this.writes.push(dueWrite(target, due))
  }

  putMeta(key: string, value: Json): void {
    this.writes.push({ table: 'meta', put: { key, value } })
  }

  /** Replaces a record's ID in IDs that views may still use. */
  rename(key: string, to: string): void {
    this.renames.push({ key, to })
    const { renamed, firstIds, facts } = this.memory
    const [from, now] = [idName(facts, key), idName(facts, keyBeside(key, to))]
    renamed.set(from, to)
    firstIds.set(now, firstIds.get(from) ?? parseRecordKey(key).id)
    this.back.push(() => (renamed.delete(from), firstIds.delete(now)))
  }

  /** Once a deleted record is back, its ID no longer leads to the record created in its place. */
  private endRename(key: string): void {
    const { renamed, firstIds, facts } = this.memory
    const from = idName(facts, key)
    const to = renamed.get(from)
    if (to === undefined) return
    const { id } = parseRecordKey(key)
    const isOf = (name: string): boolean => from === id || name.startsWith(keyBeside(key, ''))
    const firsts = [...firstIds].filter(([name, first]) => first === id && isOf(name))
    renamed.delete(from)
    for (const [one] of firsts) firstIds.delete(one)
    this.back.push(() => {
      renamed.set(from, to)
      for (const [one, first] of firsts) firstIds.set(one, first)
    })
  }

  /** Notes a record's new ID for steps up to `upTo`. `more`: further facts about the new record. */
  renameInUndo(recordKey: string, to: string, upTo: string, more: Pick<UndoRename, 'again'> = {}): void {
    const { undo, facts } = this.memory
    const name = idName(facts, recordKey)
    const names = name === recordKey ? undo.keysOf(recordKey, upTo) : new Map([[name, upTo]])
    for (const [from, last] of names) this.noteRename(from, { to, upTo: last, ...more })
  }

  private noteRename(from: string, rename: UndoRename): void {
    const { renames } = this.memory.undo
    const before = renames.get(from)
    const next = [...(before ?? []), rename]
    renames.set(from, next)
    this.back.push(() => (before ? renames.set(from, before) : renames.delete(from)))
    const key = renameMeta(from)
    const put = (renames: readonly UndoRename[]): Write => ({
      table: 'meta',
      put: { key, value: renames.map((rename): Json => ({ ...rename })) },
    })
    this.writes.push(put(next))
    this.revert.push(before ? put(before) : { table: 'meta', remove: key })
  }

  /** Restores memory to its previous state. */
  rollback(): void {
    for (const step of this.back.reverse()) step()
    this.back.length = 0
  }

  /** The batch that restores the store's state before this step. Only for edits, which write no rows. */
  reverting(): Write[] {
    return [...this.revert].reverse()
  }

  private keep<V>(table: TableName, map: Keyed<V>, key: string, value: V | null): void {
    const before = map.get(key)
    const set = (next: V | null | undefined): void => {
      if (next === null || next === undefined) map.delete(key)
      else map.set(key, next)
    }
    this.write((value === null ? { table, remove: key } : { table, put: value }) as Write, before)
    set(value)
    this.back.push(() => set(before))
    this.undoing.push((tx) => tx.keep(table, map, key, before ?? null))
  }

  private write(write: Write, before: unknown): void {
    this.writes.push(write)
    const removed: Write = { table: write.table, remove: writeKey(write) }
    this.revert.push(before === undefined ? removed : ({ table: write.table, put: before } as Write))
  }

  private touch(entry: OutboxEntry): void {
    this.topics.add('outbox').add('status').add(entry.collection)
    for (const shown of entry.shows ?? []) this.topics.add(collectionOf(shown.key))
  }
}

interface Keyed<V> {
  get(key: string): V | undefined
  set(key: string, value: V): unknown
  delete(key: string): unknown
}

/** True if two versions of an entry have equal content. The state of sending isn't in the journal. */
function sameContent(a: OutboxEntry, b: OutboxEntry): boolean {
  const content = (entry: OutboxEntry): unknown => ({
    ...entry,
    revision: 0,
    state: 0,
    attempts: 0,
    unknownOutcome: 0,
    notBefore: 0,
    fault: 0,
  })
  return sameJson(content(a), content(b))
}

function refuseSubscribed({ parent, recordId, action }: OutboxEntry): void {
  const destination = action && 'destination' in action ? action.destination : undefined
  if ([parent, recordId, destination].some((id) => isSubscribed(id)))
    throw new FaultError({ code: 'forbidden', message: 'You can’t change a calendar that you subscribed to.' })
}
