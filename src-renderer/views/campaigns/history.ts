import type { Collection } from '#shared/facts/collection'
import type { Json } from '#shared/json'
import { endedLine, isOf, maxLines, waitingLine, waitingOf, type HistoryLine } from '../../context/history-lines'
import { outermost } from '../../context/record-names'
import type { RecordWordContext } from '../../context/record-words'
import type { Replica, Row } from '../../replica/api'
import { logLines } from './cells'
import { logReadAt } from './recent'

type HistoryReplica = Pick<Replica, 'facts' | 'table' | 'history' | 'outbox' | 'downloads'>

/** The service's change log for a collection. Undefined if it keeps none. */
export const logOf = ({ facts }: Pick<Replica, 'facts'>, { service, objectType }: Collection): Collection | undefined =>
  objectType === undefined ? undefined : facts.all.find((one) => one.log !== undefined && one.service === service)

/** History of a record, newest first: pending changes, sent changes, and everyone's changes from the change log. */
export async function historyOf(replica: HistoryReplica, row: Row, context: RecordWordContext): Promise<HistoryLine[]> {
  const facts = replica.facts.of(row.collection)
  const log = logOf(replica, facts)
  const waiting = waitingOf(replica, row).map(waitingLine)
  const [logged, ended] = await Promise.all([
    log ? loggedLines(replica, log, facts, row, context) : [],
    replica.history(maxLines),
  ])
  const readAt = log === undefined ? 0 : logReadAt(replica, log, outermost(row.parent) ?? '')
  // Skip sent changes that the change log already contains, with values.
  const own = ended
    .filter(({ entry, how, at }) => isOf(row)(entry) && !(how === 'confirmed' && at < readAt && logged.length > 0))
    .map(endedLine)
  return [...waiting, ...[...own, ...logged].sort((a, b) => b.at - a.at)].slice(0, maxLines)
}

async function loggedLines(
  replica: HistoryReplica,
  log: Collection,
  { objectType }: Collection,
  { parent, id }: Row,
  context: RecordWordContext,
): Promise<HistoryLine[]> {
  const fields = log.log!
  const profile = outermost(parent)
  const rows = await replica.table(log.name, {
    ...(profile !== null && { parent: profile }),
    columns: log.columns,
    only: { [fields.id]: [id], [fields.type]: [objectType!] },
    sort: { column: fields.at, down: true },
  })
  return Array.from({ length: Math.min(rows.length, maxLines) }, (_unused, index): HistoryLine => {
    const cell = (path: string): Json | undefined => rows.cell(index, rows.columns.indexOf(path))
    const words = (path: string): string => logLines(replica.facts, log, path, cell, context).join(', ')
    const [before, after] = [words(fields.before), words(fields.after)]
    return {
      id: rows.key(index),
      at: Date.parse(String(cell(fields.at))) || 0,
      who: words(fields.who) || 'Someone',
      what: words(fields.field) || words('action'),
      more: before === '' ? after : `${before} → ${after === '' ? '(empty)' : after}`,
      state: 'done',
    }
  })
}
