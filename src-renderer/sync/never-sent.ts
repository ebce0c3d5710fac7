import type { OutboxEntry } from '#shared/mutation/entry'
import type { Memory } from '../replica/memory'

/**
 * Creations that waited when the app started and that, as far as this computer knows, were never sent. If its files are an
 * older copy, they were.
 */
export const neverSent = ({ carriedOver, outbox }: Pick<Memory, 'carriedOver' | 'outbox'>): OutboxEntry[] =>
  [...carriedOver].flatMap((id) => {
    const entry = outbox.get(id)
    return entry?.state === 'waiting' && entry.twins === undefined ? [entry] : []
  })
