import type { CollectionName } from '#shared/domain/collections'
import { fieldNameInside } from '#shared/fields/field-name'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { HistoryItem } from '../replica/api'

/** How an entry ended, in a word or two. A user's decision isn't called a merge. */
export function endedWords({ how, entry }: Pick<HistoryItem, 'how' | 'entry'>): string {
  if (how === 'withdrawn') return 'Discarded'
  if (how === 'confirmed') return 'Sent'
  if (!entry.conflict) return 'Merged'
  if (entry.conflict.remote === null) return 'Deleted'
  return entry.kind === 'delete' ? 'Not deleted' : 'Kept theirs'
}

/** `time from them, title from you`. */
export function receiptWords(
  receipt: {
    mine: readonly string[]
    theirs: readonly string[]
    combined: readonly string[]
  },
  collection?: CollectionName,
): string {
  const name = (fields: readonly string[]): string =>
    [...new Set(fields.filter((field) => field !== 'end').map((field) => fieldNameInside(field, collection)))].join(
      ', ',
    )
  const parts = [
    receipt.theirs.length > 0 ? `${name(receipt.theirs)} from the server` : '',
    receipt.mine.length > 0 ? `${name(receipt.mine)} from you` : '',
    receipt.combined.length > 0 ? `${name(receipt.combined)} from both` : '',
  ]
  return parts.filter(Boolean).join(' · ')
}

/** Heading for an entry that needs attention, or for several with the same fault. */
export function refusalWords(fault: OutboxEntry['fault'], many = false): string {
  switch (fault?.code) {
    case undefined:
      return many ? 'These changes need attention' : 'This change needs attention'
    case 'mistake':
      return 'Something went wrong in Flightplan'
    case 'badAnswer':
      return 'The service returned an invalid response'
    case 'forbidden':
      return `You don’t have permission to make ${many ? 'these changes' : 'this change'}`
    case 'conflict':
    case 'preconditionFailed':
      return many ? 'These records keep changing on the server' : 'This record keeps changing on the server'
    default:
      return many ? 'The server rejected these changes' : 'The server rejected this change'
  }
}
