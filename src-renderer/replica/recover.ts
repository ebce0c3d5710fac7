import type { Facts } from '#shared/facts/facts'
import type { JournalRecord, JournalState } from '#shared/ipc/sync-questions'
import type { OutboxEntry } from '#shared/mutation/entry'
import { ownKey } from '#shared/mutation/fold'
import { localIdsIn } from '#shared/mutation/local-ids'
import type { Notice } from './api'
import type { Unreadable } from './store'

export interface Reconciled {
  /** The reconciled outbox. */
  entries: OutboxEntry[]
  /** Entries missing from the store. */
  restored: OutboxEntry[]
  /** IDs of ended entries that the store still has. */
  dropped: string[]
  /** Records that the store knows by local IDs only, and the IDs that the service gave them. */
  names: { key: string; to: string }[]
  /** Lines that the journal lacks. */
  journal: JournalRecord[]
}

/**
 * Reconciles outbox and journal, either of which may have lost its last writes. An entry that ended in one of them has ended.
 * The newer version of an entry wins, and an entry that only one of them has stays. If one lacks something, the entry may have
 * been sent, so it's looked up before it's sent again.
 * @param inHistory IDs of entries that ended according to the store
 */
export function reconcile(
  facts: Pick<Facts, 'of'>,
  accountId: string,
  stored: readonly OutboxEntry[],
  journal: Pick<JournalState, 'open' | 'ended'>,
  inHistory: ReadonlySet<string>,
): Reconciled {
  const inStore = new Map(stored.map((entry) => [entry.id, entry]))
  const noted = journal.open.filter((entry) => entry.accountId === accountId)
  const inJournal = new Map(noted.map((entry) => [entry.id, entry]))
  const ended = new Map(journal.ended.map(({ id, made }) => [id, made]))
  const ends = noted.filter((entry) => !inStore.has(entry.id) && inHistory.has(entry.id))
  const restored = noted
    .filter((entry) => !inStore.has(entry.id) && !inHistory.has(entry.id))
    .map((entry) => lookedFor(facts, entry))
  const kept = stored
    .filter((entry) => !ended.has(entry.id))
    .map((entry) => {
      const other = inJournal.get(entry.id)
      if (!other) return lookedFor(facts, entry)
      return revision(other) > revision(entry) ? lookedFor(facts, other) : awake(entry)
    })
  const isBehind = (entry: OutboxEntry): boolean => {
    const other = inJournal.get(entry.id)
    return !other || revision(other) < revision(entry)
  }
  return {
    entries: [...kept, ...restored].sort((a, b) => (a.id < b.id ? -1 : 1)),
    restored,
    dropped: stored.filter((entry) => ended.has(entry.id)).map(({ id }) => id),
    names: stored.flatMap((entry) => {
      const made = ended.get(entry.id)
      return made === undefined ? [] : [{ key: ownKey(entry), to: made }]
    }),
    journal: [
      ...kept.filter(isBehind).map((entry): JournalRecord => ({ kind: 'entry', entry })),
      ...ends.map(({ id }): JournalRecord => ({ kind: 'end', entryId: id, accountId, how: 'confirmed' })),
    ],
  }
}

const revision = (entry: OutboxEntry): number => entry.revision ?? 0

/** Marks an entry whose last state one side has lost, because it may have been sent since. */
function lookedFor(facts: Pick<Facts, 'of'>, entry: OutboxEntry): OutboxEntry {
  const woken = awake(entry)
  return { ...woken, unknownOutcome: woken.unknownOutcome || mayHaveLeft(facts, entry) }
}

/**
 * True if an entry may have been sent. Entries with a local ID as record, parent, or in their content were never sent. A
 * creation whose ID the service assigns is never sent before both sides have the list of existing records. Without that list,
 * it's certainly unsent, and an equal older record is another one.
 */
function mayHaveLeft(
  facts: Pick<Facts, 'of'>,
  { kind, collection, parent, recordId, patch, twins }: OutboxEntry,
): boolean {
  const creates = kind === 'create'
  if (localIdsIn([parent, creates ? null : recordId, patch]).length > 0) return false
  return !creates || facts.of(collection).ids !== 'service' || twins !== undefined
}

/** Returns an entry that was being sent when the window crashed as pending, with an unknown outcome. */
function awake(entry: OutboxEntry): OutboxEntry {
  return entry.state === 'sending' ? { ...entry, state: 'waiting', unknownOutcome: true } : entry
}

export type Loss = 'none' | 'missing' | 'both' | 'damaged' | 'newer' | 'stranger'

/**
 * Detects whether the database belongs to this journal.
 * @param opened true if the account had a database on this computer before. An empty one is then a loss, not a first start
 */
export function lossOf(epoch: unknown, journal: Pick<JournalState, 'epoch' | 'fresh'>, opened: boolean): Loss {
  if (epoch === undefined) return !opened ? 'none' : journal.fresh ? 'both' : 'missing'
  return epoch === journal.epoch ? 'none' : 'stranger'
}

const what: Record<Exclude<Loss, 'none'>, string> = {
  missing: 'The local database was unexpectedly empty',
  both: 'The local database and the journal of pending changes were both lost',
  damaged: 'The local database was damaged',
  newer: 'The local database was written by a newer version of Flightplan',
  stranger: 'The local database didn’t match the journal of pending changes',
}

/**
 * What happened, what's safe, and what to do.
 * @param kept number of pending changes
 * @param aside folder of the damaged files
 */
export function lossNotice(loss: Exclude<Loss, 'none'>, kept: number, at: number, aside: string | null = null): Notice {
  const restored = kept === 1 ? '1 pending change was' : `${kept.toLocaleString('en')} pending changes were`
  const lost = loss === 'both' && kept === 0
  const safe = lost
    ? 'Changes that were already sent are safe, but pending changes are lost'
    : kept === 0
      ? 'You had no pending changes'
      : `${restored} restored from the journal`
  const todo = lost
    ? 'Check your latest edits, and make sure no other program deletes files from Flightplan’s folder.'
    : loss === 'newer'
      ? 'To avoid this, don’t start an older version again.'
      : loss === 'stranger'
        ? ''
        : 'Check your free disk space.'
  return {
    id: `loss-${at}`,
    level: lost ? 'error' : kept === 0 ? 'info' : 'warning',
    title: 'Your data is downloading again',
    text: `${what[loss]}. ${safe}.${aside === null ? '' : ` You can find the damaged files in ${aside}.`} Your data on the server is downloading again. You can’t undo earlier edits. ${todo}`.trim(),
    at,
  }
}

export function damagedLinesNotice(count: number, file: string | undefined, at: number): Notice {
  const lines = count === 1 ? '1 line' : `${count.toLocaleString('en')} lines`
  return {
    id: `journal-${at}`,
    level: 'error',
    title: 'Part of the journal of pending changes is damaged',
    text: `${lines} failed the checksum and may have contained pending changes.${file ? ` You can find the damaged part in ${file}.` : ''} All other changes are safe. Check your latest edits.`,
    at,
  }
}

/** A single alert, repeated at each start while it applies. */
export const unknownNoticeId = 'newer-entries'

export function unknownNotice(count: number, at: number): Notice {
  const text =
    count === 1
      ? 'This version can’t read 1 change that a newer version of Flightplan made on this computer. It stays here unsent, along with changes that depend on it, until you open the newer version.'
      : `This version can’t read ${count.toLocaleString('en')} changes that a newer version of Flightplan made on this computer. They stay here unsent, along with changes that depend on them, until you open the newer version.`
  return {
    id: unknownNoticeId,
    level: 'warning',
    title: 'Some changes need a newer version of Flightplan',
    text,
    at,
  }
}

export function unreadableNotice(items: readonly Unreadable[], at: number): Notice {
  return {
    id: `unreadable-${at}`,
    level: 'error',
    title: 'Couldn’t read some saved data',
    text: `This version can’t read ${items.length === 1 ? '1 saved item. It’s' : `${items.length} saved items. They’re`} still on this computer. Details:\n${items
      .map((item) => item.text.slice(0, 500))
      .join('\n')}`,
    at,
  }
}
