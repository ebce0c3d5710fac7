import { parseRecordKey } from '#shared/domain/collections'
import type { Replica, Row, Work } from '../../replica/api'
import { counted } from '../../ui/counted'
import type { CampaignsModel } from './model.svelte'

/** Records that are read from the disk at once. */
const batch = 200

/** Existing records by key, in the order of `keys`. */
export async function readAll(
  replica: Pick<Replica, 'readAll'>,
  keys: readonly string[],
  { signal, onprogress }: Work = {},
): Promise<Map<string, Row>> {
  const read = new Map<string, Row>()
  // On disk, records lie together by their keys: a piece of the disk is read once, not for each of its records.
  const sorted = keys.length > batch ? [...keys].sort() : keys
  for (let at = 0; at < keys.length; at += batch) {
    signal?.throwIfAborted()
    for (const [key, row] of await replica.readAll(sorted.slice(at, at + batch))) read.set(key, row)
    onprogress?.(Math.min(at + batch, keys.length), keys.length)
  }
  return new Map(keys.flatMap((key) => (read.get(key)?.value ? [[key, read.get(key)!]] : [])))
}

/** Without the signs by which labels emphasize. */
export const plain = (text: string): string => text.replaceAll('*', '')

/** What an edit is about, for its label: the name of one record, or how many of the kind of the first. */
export function aboutWords(
  model: Pick<CampaignsModel, 'app' | 'titleOf'>,
  rows: readonly Row[],
  count = rows.length,
): string {
  const [first] = rows
  if (!first) return ''
  if (count === 1) return `*${plain(model.titleOf(first))}*`
  const { words } = model.app.replica.facts.of(parseRecordKey(first.key).collection)
  return counted(count, words.one, words.many)
}
