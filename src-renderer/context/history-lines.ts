import type { CollectionName } from '#shared/domain/collections'
import { isJsonObject, type JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { HistoryItem, Replica } from '../replica/api'
import { plainLabel } from '../ui/plain-label'
import { endedWords, receiptWords, refusalWords } from './entry-words'

/** One event in a record's history. */
export interface HistoryLine {
  id: string
  at: number
  who: string
  what: string
  /** Old and new value, or the outcome. */
  more: string
  state: 'needsYou' | 'waits' | 'done'
  /** ID of the outbox entry behind the event, while it exists. */
  entry?: string
}

/** A record whose history is shown. */
export interface HistoryOf {
  collection: CollectionName
  parent: string | null
  id: string
}

/** Maximum number of changes to show. */
export const maxLines = 200

/** True if an entry changes this record. */
export const isOf =
  ({ collection, parent, id }: HistoryOf) =>
  (entry: OutboxEntry): boolean =>
    entry.collection === collection && entry.recordId === id && entry.parent === parent

/** Pending changes of a record, newest first. */
export function waitingOf(replica: Pick<Replica, 'outbox'>, record: HistoryOf): OutboxEntry[] {
  return replica.outbox().filter(isOf(record)).reverse()
}

/** A pending change as a line. */
export function waitingLine({
  id,
  kind,
  label,
  madeAt,
  editedAt,
  state,
  held,
  fault,
  conflict,
}: OutboxEntry): HistoryLine {
  const base = { id, entry: id, at: editedAt ?? madeAt, who: 'You', what: plainLabel(label) }
  if (state === 'needsYou') {
    const unread = kind === 'delete' ? 'couldn’t check what else would be deleted' : 'contents couldn’t be checked'
    const asked = conflict?.unread ? unread : 'also changed by someone else'
    return { ...base, more: conflict ? asked : refusalWords(fault), state: 'needsYou' }
  }
  return { ...base, more: state === 'sending' ? 'sending' : held ? 'draft' : 'pending', state: 'waits' }
}

/** A sent, merged, or discarded change as a line. */
export function endedLine(item: HistoryItem): HistoryLine {
  const receipt = item.receipt ? receiptWords(item.receipt, item.entry.collection) : ''
  const more = [endedWords(item), receipt].filter(Boolean).join(': ')
  return { id: item.id, at: item.at, who: 'You', what: plainLabel(item.entry.label), more, state: 'done' }
}

/** Changes made on this computer to any of these records, pending ones first, then newest first. */
export async function ownHistory(
  replica: Pick<Replica, 'outbox' | 'history'>,
  records: readonly HistoryOf[],
  limit: number,
): Promise<HistoryLine[]> {
  const waiting = replica.outbox().filter((entry) => records.some((record) => isOf(record)(entry)))
  const ended = (await replica.history(limit)).filter(({ entry }) => records.some((record) => isOf(record)(entry)))
  return [...waiting.reverse().map(waitingLine), ...ended.map(endedLine)].slice(0, maxLines)
}

/** Milliseconds by which the service's clock and the time of an answer may differ. */
const clockDifference = 60_000

/**
 * A record's past according to the service: who created it, and a last change that wasn't made here. It doesn't say who
 * changed it last.
 */
export function serviceLines(record: JsonObject, own: readonly HistoryLine[], email: string): HistoryLine[] {
  const timeOf = (field: string): number => Date.parse(typeof record[field] === 'string' ? record[field] : '')
  const [created, updated] = [timeOf('created'), timeOf('updated')]
  const lines: HistoryLine[] = []
  const here = own.filter(({ state }) => state === 'done').map(({ at }) => at)
  const known = Math.max(...here, Number.isNaN(created) ? -Infinity : created)
  if (updated > known + clockDifference)
    lines.push({ ...done('updated', updated), who: 'Elsewhere', what: 'Last change on the server' })
  const by = isJsonObject(record['creator']) ? record['creator'] : {}
  const mine = by['self'] === true || by['email'] === email
  const name = [by['displayName'], by['email']].find((text): text is string => typeof text === 'string' && text !== '')
  if (!Number.isNaN(created) && !here.some((at) => Math.abs(at - created) < clockDifference))
    lines.push({ ...done('created', created), who: mine ? 'You' : (name ?? 'Someone'), what: 'Created' })
  return lines
}

const done = (id: string, at: number): Omit<HistoryLine, 'who' | 'what'> => ({ id, at, more: '', state: 'done' })

/** Own changes and what the service says, pending ones first, then newest first. */
export function withService(own: readonly HistoryLine[], service: readonly HistoryLine[]): HistoryLine[] {
  const open = own.filter(({ state }) => state !== 'done')
  const past = [...own.filter(({ state }) => state === 'done'), ...service]
  return [...open, ...past.sort((a, b) => b.at - a.at)]
}
