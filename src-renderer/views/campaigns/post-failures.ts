import { fieldNameInside } from '#shared/fields/field-name'
import { currentText } from '#shared/former-words'
import type { OutboxEntry } from '#shared/mutation/entry'
import { sentence } from '../../context/account-words'
import { refusalWords } from '../../context/entry-words'
import type { PlannedRow } from './post-plan'

/** Posted rows of one kind that failed for the same reason. */
export interface FailedGroup {
  id: string
  why: string
  /** True if someone else changed the same fields, or deleted the record. */
  conflict: boolean
  /** The field that the service blames. */
  location?: string | undefined
  rows: PlannedRow[]
}

/** Groups rows whose entries need attention by kind and reason. @param rejected words for a rejection */
export function failedGroups(
  rows: readonly PlannedRow[],
  byId: ReadonlyMap<string, OutboxEntry>,
  rejected = (entry: OutboxEntry): string => refusalWords(entry.fault),
): FailedGroup[] {
  const found = new Map<string, FailedGroup>()
  for (const row of rows) {
    const entry = byId.get(row.entry.id)
    if (entry?.state !== 'needsYou') continue
    const conflict = entry.conflict !== undefined
    const theirs = entry.conflict?.remote === null ? 'Someone else deleted this' : 'Someone else changed this, too'
    const why = conflict ? theirs : reasonOf(entry, rejected(entry))
    const id = `${entry.collection} ${why}`
    const known = found.get(id)
    if (known) known.rows.push(row)
    else found.set(id, { id, why, conflict, location: entry.fault?.location, rows: [row] })
  }
  return [...found.values()]
}

/** Why the service rejected an entry, in a sentence or two. */
export function reasonOf(entry: OutboxEntry, rejected = refusalWords(entry.fault)): string {
  const { fault, collection } = entry
  const field = fault?.location ? `: ${fieldNameInside(fault.location, collection)}` : ''
  return `${rejected}${field}. ${fault ? quoted(currentText(fault.message)) : ''}`
}

/** The service's own words. Some services put a number before them. */
function quoted(message: string): string {
  const [, number, words] = /^(\d+) : (.+?)\.?$/s.exec(message) ?? []
  return words === undefined ? sentence(message) : `“${words}” (error ${number}).`
}
