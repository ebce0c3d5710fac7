import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { referencesIn } from '#shared/facts/references'
import { isNeeded } from '#shared/fields/open'
import { valueAt } from '#shared/fields/path'
import type { Json } from '#shared/json'
import type { Condition, Replica, Row } from '../../replica/api'
import { byName } from '../../ui/by-name'
import type { Choice } from '../../ui/choices'
import type { Copying } from './copy-dates'
import { contentOf, referenceKey, lacksWithout } from './copies'

/** A record that copies belonging to another one can't refer to, and what they may refer to instead. */
export interface Replaced {
  /** Identifies the record in references. */
  name: string
  facts: Collection
  id: string
  title: string
  /** Name of its owner, if others of the same name are listed. */
  owner?: string
  /** Number of originals that refer to it. */
  count: number
  /** True if one of the records to copy can’t do without. */
  required: boolean
  /** Number of records in them that can’t. Without a replacement, they aren't copied. */
  needing: number
  /** Records of the new owner. */
  choices: Choice[]
  /** ID of the one with the same name. */
  suggested: string | undefined
}

/** Direct parent collection of a kind. Undefined if its parent is the profile. */
export const ownerOf = ({ cuts }: Pick<Collection, 'cuts'>): { by: CollectionName; field: string } | undefined =>
  cuts.flatMap(({ by, field }) => (field === undefined ? [] : [{ by, field }])).at(-1)

/** The new owners of copies, by the names of the old ones that change. Null if an original has no such owner. */
export function ownersIn(
  replica: Pick<Replica, 'facts' | 'peek'>,
  originals: readonly Row[],
  destination: string,
): Map<string, string> | null {
  const { collection: by, id: to } = parseRecordKey(destination)
  const wider = replica.facts
    .of(by)
    .cuts.flatMap((cut) => (cut.field === undefined ? [] : [{ ...cut, field: cut.field }]))
  const goal = replica.peek(destination)?.value ?? undefined
  const found = new Map<string, string>()
  const add = (kind: string, from: unknown, into: unknown): void => {
    if (typeof from === 'string' && typeof into === 'string' && from !== into) found.set(referenceKey(kind, from), into)
  }
  for (const { collection, parent, value } of originals) {
    const field = replica.facts.of(collection).cuts.find((cut) => cut.by === by)?.field
    const from = field === undefined ? undefined : valueAt(value ?? undefined, field)
    if (typeof from !== 'string') return null
    add(by, from, to)
    const old = replica.peek(recordKey(by, parent, from))?.value ?? undefined
    for (const cut of wider) add(cut.by, valueAt(old, cut.field), valueAt(goal, cut.field))
  }
  return found
}

/** References of the originals to records of the old owners that aren't copied along, each once. */
export async function replacedIn(
  replica: Replica,
  { keys, sources }: Pick<Copying, 'keys' | 'sources'>,
  owners: ReadonlyMap<string, string>,
): Promise<Replaced[]> {
  const { facts: all } = replica
  const copied = new Set([...sources.values()].map(({ collection, id }) => referenceKey(collection, id)))
  const users = new Map<string, { facts: Collection; id: string; rows: Row[] }>()
  for (const row of sources.values()) {
    const own = all.of(row.collection)
    const content = contentOf(own, row.value!)
    const names = new Map(
      referencesIn(own.table, own.schema, content).map((one) => [referenceKey(one.collection, one.id), one]),
    )
    for (const [name, { collection, id }] of names) {
      const facts = all.find(collection)
      if (!facts || copied.has(name) || owners.has(name)) continue
      const known = users.get(name)
      if (known) known.rows.push(row)
      else users.set(name, { facts, id, rows: [row] })
    }
  }
  const parent = [...sources.values()][0]?.parent ?? null
  const found: Replaced[] = []
  for (const [name, { facts, id, rows }] of users) {
    const only = await narrowed(replica, facts, recordKey(facts.name, parent, id), owners)
    if (!only) continue
    const choices = await choicesIn(replica, facts, parent, only)
    const title = titleIn(facts, (await replica.read(recordKey(facts.name, parent, id)))?.value?.[facts.title ?? ''])
    const same = choices.filter(({ label }) => title !== undefined && label.toLowerCase() === title.toLowerCase())
    const needing = rows.filter((row) => lacksWithout(replica, row, name))
    const required = needing.some(({ key }) => keys.includes(key))
    found.push({
      ...{ name, facts, id, title: title ?? `#${id}`, count: rows.length, choices, suggested: same[0]?.value },
      ...{ required, needing: needing.length },
    })
  }
  for (const one of found) {
    const isUnique = found.every(
      ({ facts, title }, at) => found[at] === one || facts !== one.facts || title !== one.title,
    )
    const owner = isUnique ? undefined : await ownerTitle(replica, one.facts, recordKey(one.facts.name, parent, one.id))
    if (owner !== undefined) one.owner = owner
  }
  return found
}

async function ownerTitle(
  replica: Pick<Replica, 'facts' | 'read'>,
  facts: Collection,
  key: string,
): Promise<string | undefined> {
  const owner = ownerOf(facts)
  const id = owner && (await replica.read(key))?.value?.[owner.field]
  if (!owner || typeof id !== 'string') return undefined
  const own = replica.facts.of(owner.by)
  return titleIn(
    own,
    (await replica.read(recordKey(owner.by, parseRecordKey(key).parent, id)))?.value?.[own.title ?? ''],
  )
}

const titleIn = ({ title }: Collection, value: Json | undefined): string | undefined =>
  title !== undefined && typeof value === 'string' ? value : undefined

/** The owners that a record in place of this one must have, by field. Undefined if this one can stay. */
async function narrowed(
  replica: Pick<Replica, 'facts' | 'read'>,
  { cuts, table, schema }: Collection,
  key: string,
  owners: ReadonlyMap<string, string>,
): Promise<Record<string, string[]> | undefined> {
  const value = (await replica.read(key))?.value
  const only: Record<string, string[]> = {}
  for (const { by, field } of cuts) {
    if (field === undefined) continue
    const own = value ? valueAt(value, field) : undefined
    // A record that isn't downloaded belongs to the old owner if it needs one.
    const known = [...owners].find(([name]) =>
      value ? name === referenceKey(by, String(own)) : name.startsWith(referenceKey(by, '')),
    )
    if (known && (value || isNeeded(table.schemas[schema]!.fields[field]!))) only[field] = [known[1]]
  }
  return Object.keys(only).length > 0 ? only : undefined
}

async function choicesIn(
  replica: Pick<Replica, 'table'>,
  facts: Collection,
  parent: string | null,
  only: Record<string, string[]>,
): Promise<Choice[]> {
  const { name, title, table, schema } = facts
  const archives = table.schemas[schema]!.fields['archived'] !== undefined
  const where: Condition[] = archives ? [{ column: 'archived', isNot: ['true'] }] : []
  const columns = [...new Set([...Object.keys(only), ...(title ? [title] : []), ...(archives ? ['archived'] : [])])]
  const rows = await replica.table(name, { ...(parent !== null && { parent }), columns, only, where })
  const at = title === undefined ? -1 : rows.columns.indexOf(title)
  return Array.from({ length: rows.length }, (_unused, row) => {
    const { id } = parseRecordKey(rows.key(row))
    return { id, name: titleIn(facts, at < 0 ? undefined : rows.cell(row, at)) ?? `#${id}` }
  })
    .sort(byName)
    .map(({ id, name: label }) => ({ value: id, label, aside: `#${id}` }))
}
