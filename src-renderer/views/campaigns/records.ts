import { parseRecordKey, type CollectionName } from '#shared/domain/collections'
import type { AppContext } from '../../context/context'
import type { Replica, Row, Work } from '../../replica/api'
import { counted } from '../../ui/counted'

/** Number of records to read from disk at once. */
const batch = 200

/** Existing records by key, in the order of `keys`. */
export async function readAll(
  replica: Pick<Replica, 'readAll'>,
  keys: readonly string[],
  { signal, onprogress }: Work = {},
): Promise<Map<string, Row>> {
  const read = new Map<string, Row>()
  // Neighboring keys share disk blocks, so sort the keys to read each block once.
  const sorted = keys.length > batch ? [...keys].sort() : keys
  for (let at = 0; at < keys.length; at += batch) {
    signal?.throwIfAborted()
    for (const [key, row] of await replica.readAll(sorted.slice(at, at + batch))) read.set(key, row)
    onprogress?.(Math.min(at + batch, keys.length), keys.length)
  }
  return new Map(keys.flatMap((key) => (read.get(key)?.value ? [[key, read.get(key)!]] : [])))
}

/** Removes the emphasis marks of labels. */
export const plain = (text: string): string => text.replaceAll('*', '')

/** Subject of an edit's label: the title of one record, or the count and kind of several. */
export function aboutWords(
  model: { app: Pick<AppContext, 'replica'>; titleOf: (row: Row) => string },
  rows: readonly Row[],
  count = rows.length,
): string {
  const [first] = rows
  if (!first) return ''
  if (count === 1) return `*${plain(model.titleOf(first))}*`
  if (rows.some(({ collection }) => collection !== first.collection)) return counted(count, 'record')
  const { words } = model.app.replica.facts.of(parseRecordKey(first.key).collection)
  return counted(count, words.one, words.many)
}

/** Existing records of a kind in a profile whose field has one of some values. @throws the signal's reason */
export async function readWhere(
  replica: Pick<Replica, 'readAll' | 'table' | 'facts'>,
  kind: CollectionName,
  parent: string,
  { field, values }: { field: string; values: Iterable<string> },
  { signal }: Work = {},
): Promise<Row[]> {
  const { columns } = replica.facts.of(kind)
  const table = await replica.table(kind, { parent, columns, only: { [field]: [...values] } }, signal)
  const keys = Array.from({ length: table.length }, (_unused, at) => table.key(at))
  return [...(await readAll(replica, keys, { signal })).values()]
}
