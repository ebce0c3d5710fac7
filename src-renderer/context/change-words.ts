import { fieldName } from '#shared/fields/field-name'
import { insideSentence } from '#shared/fields/heads'
import { fieldChanges, type FieldChange } from '#shared/changes/field-changes'
import { collections, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { anyPosition, valueAt } from '#shared/fields/path'
import { sameJson, type JsonObject } from '#shared/json'
import { listWords } from '#shared/list-words'
import { applyPatch } from '#shared/mutation/fold'
import type { OutboxEntry } from '#shared/mutation/entry'
import { counted } from '../ui/counted'
import { recordTitle } from './record-words'

/** A changed place with the name that people know it by. */
export interface NamedChange extends FieldChange {
  head: string
}

/** Name of a place. The entries of a list that has several say which one they are. */
function headAt(path: string, collection: CollectionName, sides: readonly (JsonObject | null)[]): string {
  const [, list, place] = /^(.*?)\.(\d+)(?=\.|$)/.exec(path) ?? []
  const head = fieldName(path, collection)
  if (list === undefined) return head
  const isOnly = sides.every((side) => {
    const all = valueAt(side ?? undefined, list)
    return !Array.isArray(all) || all.length < 2
  })
  return isOnly && place === '0' ? head : `${head} (${Number(place) + 1})`
}

/** Leaves out places that only follow another one, as the first price follows the flight. */
function withoutFollowers({ follows = {} }: Collection, changes: readonly FieldChange[]): readonly FieldChange[] {
  const leading = changes.filter(({ path }) => follows[path] !== undefined)
  if (leading.length === 0) return changes
  const followers = new Map(leading.map((one) => [follows[one.path], one]))
  return changes.filter(({ path, before, after }) => {
    const leader = followers.get(anyPosition(path))
    return !leader || !sameJson(leader.before, before) || !sameJson(leader.after, after)
  })
}

/** Changes of an edit, in the order of the record's fields. */
export function namedChanges(facts: Collection, before: JsonObject | null, after: JsonObject | null): NamedChange[] {
  return withoutFollowers(facts, fieldChanges(facts, before, after)).map((change) => ({
    ...change,
    head: headAt(change.path, facts.name, [before, after]),
  }))
}

/**
 * Changes of a pending entry. Empty for a new or deleted record.
 * @param served the record before the entry is sent, if someone else may have changed it since
 */
export function entryChanges(
  entry: OutboxEntry,
  facts: Collection = collections[entry.collection],
  served?: JsonObject | null,
): NamedChange[] {
  if (entry.kind !== 'change') return []
  const before = Object.fromEntries(Object.keys(entry.patch).map((field) => [field, entry.base?.[field]]))
  const changes = namedChanges(facts, before, applyPatch(before, entry.patch))
  return served ? changes.map((change) => ({ ...change, before: valueAt(served, change.path) ?? undefined })) : changes
}

/** Maximum number of fields to name in a title. */
const maxNamed = 3

function fieldsWords(heads: ReadonlySet<string>): string {
  return heads.size > maxNamed ? `${heads.size} fields` : listWords([...heads].map(insideSentence))
}

const archivesOnly = ({ kind, patch }: OutboxEntry): boolean =>
  kind === 'change' && Object.keys(patch).length === 1 && typeof patch['archived'] === 'boolean'

const isDescribed = ({ kind, collection }: OutboxEntry): boolean =>
  kind === 'change' && collections[collection].references

/** The record's name on the service, or else its new one. */
const nameOf = ({ collection, base, patch }: OutboxEntry): string | undefined =>
  recordTitle(collections[collection], base) ?? recordTitle(collections[collection], patch)

/** Label of an entry. That of a changed campaign record says what differs, not what the last edit was called. */
export function entryTitle(entry: OutboxEntry): string {
  const name = isDescribed(entry) ? nameOf(entry)?.replaceAll('*', '') : undefined
  if (name === undefined) return entry.label
  if (archivesOnly(entry)) return `${entry.patch['archived'] === true ? 'Archive' : 'Unarchive'} *${name}*`
  const heads = new Set(entryChanges(entry).map(({ head }) => head))
  return heads.size === 0 ? entry.label : `Change *${name}*: ${fieldsWords(heads)}`
}

/** Label of entries that belong together. */
export function entriesTitle(entries: readonly OutboxEntry[]): string {
  const [first] = entries
  if (!first) return ''
  if (entries.length === 1) return entryTitle(first)
  const same = entries.every((one) => one.collection === first.collection && isDescribed(one) && !archivesOnly(one))
  if (!same) return first.label
  const { one, many } = collections[first.collection].words
  const heads = new Set(entries.flatMap((entry) => entryChanges(entry)).map(({ head }) => head))
  return `Change ${counted(entries.length, one, many)}: ${fieldsWords(heads)}`
}

/** The campaign or advertiser that a record belongs to, by its name. */
export function aroundName(
  facts: Collection,
  value: JsonObject | null,
  lookUp: (collection: string, id: string) => string | undefined,
): string | undefined {
  for (const { by, field } of [...facts.cuts].reverse()) {
    const id = field === undefined ? undefined : valueAt(value ?? undefined, field)
    const name = typeof id === 'string' ? lookUp(by, id) : undefined
    if (name !== undefined) return name
  }
  return undefined
}
