import { logOf } from '#shared/facts/log'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Replica } from '../replica/api'
import { outermost } from './record-names'

/** Author and time of a change. */
export interface Author {
  who: string
  /** Epoch milliseconds. */
  at: number
}

type LogReplica = Pick<Replica, 'facts' | 'table' | 'rows'>

/** The last other person who changed the record of an entry, by the downloaded change log. Undefined if it doesn’t say. */
export async function authorOf(
  replica: LogReplica,
  { collection, recordId, parent }: Pick<OutboxEntry, 'collection' | 'recordId' | 'parent'>,
): Promise<Author | undefined> {
  const facts = replica.facts.of(collection)
  const log = logOf(replica.facts, facts)
  const fields = log?.log
  if (!log || !fields || facts.objectType === undefined) return undefined
  const profile = outermost(parent)
  const rows = await replica.table(log.name, {
    ...(profile !== null && { parent: profile }),
    columns: [fields.who, fields.at],
    only: { [fields.id]: [recordId], [fields.type]: [facts.objectType] },
    sort: { column: fields.at, down: true },
  })
  const own = profileName(replica, profile)
  const [whoAt, timeAt] = [rows.columns.indexOf(fields.who), rows.columns.indexOf(fields.at)]
  for (let row = 0; row < rows.length; row++) {
    const who = rows.cell(row, whoAt)
    const at = Date.parse(String(rows.cell(row, timeAt)))
    if (typeof who === 'string' && who !== '' && who !== own && Number.isFinite(at)) return { who, at }
  }
  return undefined
}

const profileName = (replica: LogReplica, profile: string | null): unknown =>
  replica.rows('userProfiles').find(({ id }) => id === profile)?.value?.['userName']
