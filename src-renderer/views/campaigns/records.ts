import { parseRecordKey } from '#shared/domain/collections'
import type { Replica, Row } from '../../replica/api'
import { counted } from '../../ui/counted'
import type { CampaignsModel } from './model.svelte'

/** Records that are read from the disk at once. */
const batch = 200

/** Records by their keys, as far as they are there, in the order in which they were asked for. */
export async function readAll(replica: Pick<Replica, 'read'>, keys: readonly string[]): Promise<Map<string, Row>> {
  const found = new Map<string, Row>()
  for (let at = 0; at < keys.length; at += batch) {
    const rows = await Promise.all(keys.slice(at, at + batch).map((key) => replica.read(key)))
    for (const [index, row] of rows.entries()) if (row?.value) found.set(keys[at + index]!, row)
  }
  return found
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
