import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { kindsOf } from '#shared/facts/kinds'
import { referencesIn } from '#shared/facts/references'
import { isWithin, uniqueFields, type UniqueField } from '#shared/facts/unique'
import { closedAt, isNeeded } from '#shared/fields/open'
import { withValueAt } from '#shared/fields/path'
import type { Json, JsonObject } from '#shared/json'
import { patchBetween } from '#shared/mutation/fold'
import { localIdsIn } from '#shared/mutation/local-ids'
import type { Change, Replica, Row } from '../../replica/api'
import { contentWithout } from '../../replica/dangling-references'
import { copyDates, type Move } from './copy-dates'
import { readAll } from './records'

export type Creation = Extract<Change, { kind: 'create' }>

export interface Copies {
  /** Changes that create the copies, in the order to send them. */
  changes: Change[]
  /** Keys of the originals, in the order of the creations at the start of `changes`. */
  copied: string[]
  /** Keys of related records that can't be copied, because they need a record that a copy can't refer to. */
  left: string[]
  /** Creations whose start was moved into the future. */
  moved: Creation[]
  /** Creations shortened to the flight that contains them. */
  cut: Creation[]
}

/** The records to copy, including everything below them if `whole`. */
export async function sourcesOf(replica: Replica, keys: readonly string[], whole: boolean): Promise<Map<string, Row>> {
  const all = await readAll(replica, keys)
  if (whole) for (const key of keys) for (const [child, row] of await childrenOf(replica, key)) all.set(child, row)
  // The service creates these together with the records they belong to.
  for (const [key, { collection, value }] of all)
    if (comesByItself(replica.facts.of(collection), value!)) all.delete(key)
  return all
}

/** Identifies a record in the maps of references. */
export const referenceKey = (collection: string, id: string): string => `${collection} ${id}`

/**
 * Builds the changes that copy records, including everything below them if `whole`. References among the originals
 * point to the copies. References to archived records and to uncopied records of the originals are dropped. Dates move
 * along, required future starts move past `now`, and flights are cut to the copied flight that contains them.
 * @param replacements IDs for other references, such as those to another owner, by `referenceKey`; null drops them
 */
export async function copiesOf(
  replica: Replica,
  keys: readonly string[],
  whole: boolean,
  now: number,
  move: Move = { days: 0, zone: 'UTC' },
  replacements: ReadonlyMap<string, string | null> = new Map(),
): Promise<Copies> {
  const all = await sourcesOf(replica, keys, whole)
  const first = new Map(keys.flatMap((key) => (all.has(key) ? [[key, all.get(key)!] as const] : [])))
  const datesOf = copyDates(replica.facts, all, now, move)
  const dated = new Map(
    [...all].map(([key, row]) => [key, datesOf(row, contentOf(replica.facts.of(row.collection), row.value!))]),
  )
  const copied = new Map([...dated].map(([key, { value }]) => [key, value]))
  const ids = new Map<string, string>()
  for (const { collection, id } of all.values())
    if (replica.facts.of(collection).ids === 'service') ids.set(referenceKey(collection, id), replica.newLocalId())
  const lost = await lostTo(replica, [...all.values()], ids, [...first.values()], replacements)

  const left: string[] = []
  // Placeholder for lost references, removed afterward in the same way as references to a discarded draft.
  const nothing = replica.newLocalId()
  for (let before = -1; before !== left.length;) {
    before = left.length
    const to = (name: string): string | undefined =>
      ids.get(name) ?? replacements.get(name) ?? (replacements.has(name) || lost.has(name) ? nothing : undefined)
    for (const [key, { collection, id }] of all) {
      const facts = replica.facts.of(collection)
      const original = dated.get(key)!.value
      const content = contentWithout(facts, renamed(facts, original, to), nothing)
      if (content) copied.set(key, content)
      else if (first.has(key) && replacements.size === 0)
        copied.set(
          key,
          renamed(facts, original, (name) => ids.get(name)),
        )
      else {
        all.delete(key)
        ids.delete(referenceKey(collection, id))
        lost.add(referenceKey(collection, id))
        left.push(key)
      }
    }
  }
  const originals = new Map<Creation, string>()
  const used: Used = new Map()
  for (const [key, { collection, parent, id: original }] of all) {
    const facts = replica.facts.of(collection)
    const value = copied.get(key)!
    const id = ids.get(referenceKey(collection, original))
    const title = first.has(key) && titleOfCopy(replica, facts, value, replacements.size > 0, used)
    const named = { ...withoutTaken(replica, facts, value, used.get(collection)), ...title }
    const creation: Creation = { kind: 'create', collection, parent, value: named, ...(id && { id }) }
    if (!used.has(collection)) used.set(collection, [])
    used.get(collection)!.push(named)
    originals.set(creation, key)
  }
  const { changes, order } = inOrder(replica, [...originals.keys()])
  return {
    changes,
    copied: order.map((creation) => originals.get(creation)!),
    left,
    moved: order.filter((creation) => dated.get(originals.get(creation)!)!.late),
    cut: order.filter((creation) => dated.get(originals.get(creation)!)!.cut),
  }
}

/**
 * Orders new records after those they refer to. In a cycle, a reference that isn't required is left out at first and
 * added by a later change.
 */
function inOrder(
  { facts: all }: Pick<Replica, 'facts'>,
  creations: readonly Creation[],
): { changes: Change[]; order: Creation[] } {
  const byId = new Map(creations.flatMap((one): [string, Creation][] => (one.id ? [[one.id, one]] : [])))
  const state = new Map<Creation, 'entered' | 'made'>()
  const made = new Map<Creation, Creation>()
  const later: Change[] = []
  const without = ({ collection }: Creation, content: JsonObject, other: string): JsonObject | null | undefined =>
    contentWithout(all.of(collection), content, other)
  /** True if a new record requires, directly or indirectly, one whose creation has begun but isn't finished. */
  const waits = (creation: Creation, asked = new Set<Creation>()): boolean => {
    if (asked.has(creation)) return false
    asked.add(creation)
    return localIdsIn(creation.value).some((other) => {
      const target = byId.get(other)
      if (!target || target === creation || state.get(target) === 'made' || without(creation, creation.value, other))
        return false
      return state.get(target) === 'entered' || waits(target, asked)
    })
  }
  const visit = (creation: Creation): void => {
    if (state.has(creation)) return
    state.set(creation, 'entered')
    const { collection, parent, id, value } = creation
    let bare = value
    for (const other of localIdsIn(value)) {
      const target = byId.get(other)
      if (!target || target === creation || state.get(target) === 'made') continue
      const rest = id && (state.get(target) === 'entered' || waits(target)) ? without(creation, bare, other) : undefined
      if (rest) bare = rest
      else visit(target)
    }
    state.set(creation, 'made')
    made.set(creation, { ...creation, value: bare })
    const patch = patchBetween(bare, value)
    if (id && Object.keys(patch).length > 0)
      later.push({ kind: 'change', key: recordKey(collection, parent, id), patch })
  }
  for (const creation of creations) visit(creation)
  return { changes: [...made.values(), ...later], order: [...made.keys()] }
}

const comesByItself = ({ notMade }: Collection, value: JsonObject): boolean =>
  notMade !== undefined && notMade.values.includes(String(value[notMade.field]))

/** The fields that a copy starts with, without read-only ones and `archived`. */
export function contentOf(facts: Collection, value: JsonObject): JsonObject {
  const content: JsonObject = {}
  for (const [name, inner] of Object.entries(value))
    if (inner !== undefined && !closedAt(facts, name, value, false) && name !== 'archived') content[name] = inner
  return content
}

/** True if the copy of a record can’t do without a reference. */
export function lacksWithout(
  replica: Pick<Replica, 'facts' | 'newLocalId'>,
  { collection, value }: Row,
  name: string,
): boolean {
  const facts = replica.facts.of(collection)
  const nothing = replica.newLocalId()
  const content = renamed(facts, contentOf(facts, value!), (one) => (one === name ? nothing : undefined))
  return contentWithout(facts, content, nothing) === null
}

/** New records that no list has yet, by collection. */
type Used = Map<string, JsonObject[]>

/** Without fields that must be unique and that the service can fill in itself, such as the tag string of an activity. */
function withoutTaken(
  replica: Pick<Replica, 'rows'>,
  facts: Collection,
  value: JsonObject,
  used: readonly JsonObject[] = [],
): JsonObject {
  const { fields } = facts.table.schemas[facts.schema]!
  const out = uniqueFields(facts).flatMap((unique) => {
    const { field } = unique
    const isOptional = field !== facts.title && value[field] !== undefined && !isNeeded(fields[field]!)
    return isOptional && takenValues(replica, facts, unique, value, used).has(value[field]) ? [field] : []
  })
  return Object.fromEntries(Object.entries(value).filter(([name]) => !out.includes(name)))
}

/** Values of a unique field that a record can't have, as far as this computer knows. */
function takenValues(
  replica: Pick<Replica, 'rows'>,
  { name, keep }: Collection,
  unique: UniqueField,
  value: JsonObject,
  used: readonly JsonObject[],
): Set<Json | undefined> {
  const rows = keep === 'whole' ? replica.rows(name as Parameters<Replica['rows']>[0]) : []
  const others = [...rows.map((row) => row.value), ...used]
  return new Set(others.flatMap((other) => (isWithin(unique, value, other) ? [other?.[unique.field]] : [])))
}

/** Title of a copy. A copy elsewhere keeps it if it can. */
function titleOfCopy(
  replica: Replica,
  facts: Collection,
  value: JsonObject,
  hasDestination: boolean,
  used: Used,
): JsonObject {
  const { title } = facts
  const own = title === undefined ? undefined : value[title]
  if (title === undefined || typeof own !== 'string') return {}
  const ends = hasDestination ? ['', ' (copy)'] : [' (copy)']
  const endOf = (number: number): string => ends[number - 1] ?? ` (copy ${number - ends.length + 1})`
  return { [title]: freeTitle(replica, facts, value, own, endOf, used.get(facts.name)) }
}

/**
 * A title without the characters that the service forbids, and unused where titles must be unique.
 * @param value the record that gets it, which says where that is
 * @param endOf what to add to it at each attempt, from 1 on
 * @param used records that are created in the same step
 */
export function freeTitle(
  replica: Pick<Replica, 'rows'>,
  facts: Collection,
  value: JsonObject,
  own: string,
  endOf: (attempt: number) => string,
  used: readonly JsonObject[] = [],
): string {
  const { title = '', table, schema } = facts
  const { maxLength = Infinity, mustNotContain = [] } = table.schemas[schema]!.fields[title]!
  const accepted = (text: string): string => mustNotContain.reduce((all, one) => all.replaceAll(one, '-'), text)
  const unique = uniqueFields(facts).find(({ field }) => field === title)
  const taken = unique ? takenValues(replica, facts, unique, value, used) : new Set()
  for (let attempt = 1; ; attempt++) {
    const end = accepted(endOf(attempt))
    const made = accepted(own).slice(0, maxLength - end.length) + end
    if (!taken.has(made)) return made
  }
}

/** Downloaded records that belong to a record, in an order in which they can be created. */
async function childrenOf(replica: Replica, key: string): Promise<Map<string, Row>> {
  const { collection, parent, id } = parseRecordKey(key)
  const found = new Map<string, Row>()
  for (const kind of kindsOf(replica.facts)) {
    const field = kind.cuts.find(({ by }) => by === collection)?.field
    if (field === undefined || !kind.insert) continue
    const rows = await replica.table(kind.name, {
      ...(parent !== null && { parent }),
      columns: kind.columns,
      only: { [field]: [id] },
      ...(kind.columns.includes('archived') && { where: [{ column: 'archived', isNot: ['true'] }] }),
    })
    const keys = Array.from({ length: rows.length }, (_unused, row) => rows.key(row))
    for (const [child, row] of await readAll(replica, keys)) found.set(child, row)
  }
  return found
}

/**
 * References that copies can't keep, because the target is archived, or belongs to an original or an owner that the
 * copies leave, and isn't copied.
 */
async function lostTo(
  replica: Replica,
  rows: readonly Row[],
  ids: ReadonlyMap<string, string>,
  originals: readonly Row[],
  replacements: ReadonlyMap<string, string | null>,
): Promise<Set<string>> {
  const wanted = new Map<string, Set<string>>()
  for (const { collection, value } of rows) {
    const { table, schema } = replica.facts.of(collection)
    for (const { collection: target, id } of referencesIn(table, schema, value!)) {
      if (ids.has(referenceKey(target, id))) continue
      if (!wanted.has(target)) wanted.set(target, new Set())
      wanted.get(target)!.add(id)
    }
  }
  const owners = new Set([
    ...originals.map(({ collection, id }) => referenceKey(collection, id)),
    ...replacements.keys(),
  ])
  const lost = new Set<string>()
  for (const [target, targetIds] of wanted) {
    const facts = replica.facts.find(target)
    const { fields } = facts ? facts.table.schemas[facts.schema]! : { fields: {} }
    const [idField] = facts?.idFields ?? []
    if (!facts || idField === undefined) continue
    const cuts = facts.cuts.flatMap(({ by, field }) => (field === undefined ? [] : [{ by, field }]))
    const columns = [idField, ...cuts.map(({ field }) => field), ...(fields['archived'] ? ['archived'] : [])]
    const found = await replica.table(facts.name, { columns, only: { [idField]: [...targetIds] } })
    const unknown = new Set(targetIds)
    for (let row = 0; row < found.length; row++) {
      const cell = (name: string): Json | undefined => {
        const column = found.columns.indexOf(name)
        return column < 0 ? undefined : found.cell(row, column)
      }
      const id = parseRecordKey(found.key(row)).id
      unknown.delete(id)
      if (cell('archived') === true || cuts.some(({ by, field }) => owners.has(referenceKey(by, String(cell(field))))))
        lost.add(referenceKey(target, id))
    }
    // A record that isn't downloaded may belong to an original if it requires an owner.
    const owned = cuts.some(({ by, field }) => isNeeded(fields[field]!) && belongsToOne(originals, by))
    if (owned) for (const id of unknown) lost.add(referenceKey(target, id))
  }
  return lost
}

const belongsToOne = (originals: readonly Row[], by: CollectionName): boolean =>
  originals.some(({ collection }) => collection === by)

/** Replaces the IDs of references for which `to` returns a new one. */
function renamed(facts: Collection, value: JsonObject, to: (name: string) => string | undefined): JsonObject {
  let made: Json = value
  for (const { path, collection, id } of referencesIn(facts.table, facts.schema, value)) {
    const other = to(referenceKey(collection, id))
    if (other !== undefined) made = withValueAt(made, path.replace(/\[(\d+)\]/g, '.$1'), other)
  }
  return { ...(made as JsonObject) }
}
