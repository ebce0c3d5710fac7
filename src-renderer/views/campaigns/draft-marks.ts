import type { Facts } from '#shared/facts/facts'
import { listOfFirst, valueAt } from '#shared/fields/path'
import { sameJson, valuesOf, type Json, type JsonObject } from '#shared/json'
import { ownKey } from '#shared/mutation/fold'
import type { OutboxEntry } from '#shared/mutation/entry'
import { namedChanges, type NamedChange } from '../../context/change-words'
import { isOfSeveral } from './computed'

/** How the pending changes of a record differ from what the service has. */
export interface DraftMark {
  kind: 'new' | 'changed' | 'archived' | 'deleted'
  /** The changed fields when they were changed, and with all pending changes. Empty for a new record. */
  before: JsonObject
  after: JsonObject
  /** Pending changes of the record, oldest first. */
  entries: readonly OutboxEntry[]
}

function markOf(entries: readonly OutboxEntry[]): DraftMark {
  const before: JsonObject = {}
  const after: JsonObject = {}
  for (const { kind, base, patch } of entries) {
    if (kind !== 'change') continue
    for (const [field, value] of Object.entries(patch)) {
      if (!(field in before)) before[field] = base?.[field] ?? null
      after[field] = value ?? null
    }
  }
  const deleted = entries.at(-1)?.kind === 'delete'
  const archived = after['archived'] === true && before['archived'] !== true
  const kind = entries[0]?.kind === 'create' ? 'new' : deleted ? 'deleted' : archived ? 'archived' : 'changed'
  return { kind, before, after, entries }
}

/** Marks of all records of campaigns with pending changes, by key. */
export function draftMarks(facts: Pick<Facts, 'of'>, outbox: readonly OutboxEntry[]): ReadonlyMap<string, DraftMark> {
  const found = new Map<string, OutboxEntry[]>()
  for (const entry of outbox) {
    if (!facts.of(entry.collection).references) continue
    const key = ownKey(entry)
    const known = found.get(key)
    if (known) known.push(entry)
    else found.set(key, [entry])
  }
  return new Map([...found].map(([key, entries]) => [key, markOf(entries)]))
}

/** The changed fields on the service by now. @param base the record there, if it exists */
export const servedBy = ({ before }: DraftMark, base: JsonObject | null | undefined): JsonObject =>
  base ? valuesOf(base, Object.keys(before)) : before

/** What a place contained when it was changed, if pending changes differ there. Undefined if they don’t. */
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
