import type { Facts } from '#shared/facts/facts'
import { listOfFirst, valueAt } from '#shared/fields/path'
import { sameJson, valuesOf, type Json, type JsonObject } from '#shared/json'
import { ownKey } from '#shared/mutation/fold'
import type { OutboxEntry } from '#shared/mutation/entry'
import { namedChanges, type NamedChange } from '../../context/change-words'
import type { Row } from '../../replica/api'
import { isOfSeveral } from './computed'

/** How the pending changes of a record differ from what the service has. */
export interface DraftMark {
  kind: 'new' | 'changed' | 'archived' | 'deleted'
  /** The changed fields on the service, and as the record shows them. Empty for a new record. */
  before: JsonObject
  after: JsonObject
  /** What the pending changes began with. Others may have changed it since. */
  began: JsonObject
  /** Pending changes of the record, oldest first. */
  entries: readonly OutboxEntry[]
}

function markOf(entries: readonly OutboxEntry[], row: Pick<Row, 'base' | 'value'> | undefined): DraftMark {
  const began: JsonObject = {}
  const changed: JsonObject = {}
  for (const { kind, base, patch } of entries) {
    if (kind !== 'change') continue
    for (const [field, value] of Object.entries(patch)) {
      if (!(field in began)) began[field] = base?.[field] ?? null
      changed[field] = value ?? null
    }
  }
  const fields = Object.keys(changed)
  const isKnown = row?.base && row.value
  const before = isKnown ? valuesOf(row.base, fields) : began
  const after = isKnown ? valuesOf(row.value, fields) : changed
  const deleted = entries.at(-1)?.kind === 'delete'
  const archived = after['archived'] === true && before['archived'] !== true
  const kind = entries[0]?.kind === 'create' ? 'new' : deleted ? 'deleted' : archived ? 'archived' : 'changed'
  return { kind, before, after, began, entries }
}

/** Marks of all records of campaigns with pending changes, by key. @param rowOf the current row of a record, if known */
export function draftMarks(
  facts: Pick<Facts, 'of'>,
  outbox: readonly OutboxEntry[],
  rowOf: (key: string) => Pick<Row, 'base' | 'value'> | undefined = () => undefined,
): ReadonlyMap<string, DraftMark> {
  const found = new Map<string, OutboxEntry[]>()
  for (const entry of outbox) {
    if (!facts.of(entry.collection).references) continue
    const key = ownKey(entry)
    const known = found.get(key)
    if (known) known.push(entry)
    else found.set(key, [entry])
  }
  return new Map([...found].map(([key, entries]) => [key, markOf(entries, rowOf(key))]))
}

/** What the service has in a place where the record differs. Undefined if it doesn’t. */
export function wasAt(mark: DraftMark | undefined, path: string): { before: Json } | undefined {
  if (!mark || mark.kind === 'new' || !(path.split('.')[0]! in mark.after)) return undefined
  const before = valueAt(mark.before, path) ?? null
  return sameJson(before, valueAt(mark.after, path) ?? null) ? undefined : { before }
}

/** The place that a cell of a column shows: with several prices, all of them. */
export const placeShown = ({ before, after }: DraftMark, path: string): string =>
  [before, after].some((value) => isOfSeveral((at) => valueAt(value, at), path)) ? listOfFirst(path)! : path

/** One line of the list of changes: a changed place, or a whole new or deleted record. */
export interface ListedChange {
  key: string
  entry: OutboxEntry
  kind: DraftMark['kind']
  /** Absent for a whole record. */
  change?: NamedChange
}

/** Everything that pending changes differ in from what the service has, oldest record first. */
export function listedChanges(facts: Pick<Facts, 'of'>, marks: ReadonlyMap<string, DraftMark>): ListedChange[] {
  return [...marks].flatMap(([key, { kind, before, after, entries }]): ListedChange[] => {
    const entry = entries.at(-1)!
    if (kind === 'new' || kind === 'deleted') return [{ key, entry, kind }]
    return namedChanges(facts.of(entry.collection), before, after).map((change) => ({ key, entry, kind, change }))
  })
}
