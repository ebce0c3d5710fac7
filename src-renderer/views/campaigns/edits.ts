import { isLocalId, parseRecordKey, recordKey } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { referencesIn } from '#shared/facts/references'
import { kindAt, type FieldKind } from '#shared/fields/kind'
import { closedAt, type Closed } from '#shared/fields/open'
import { fieldAt, nameAt, patchAt, valueAt, withValueAt } from '#shared/fields/path'
import { readField } from '#shared/fields/read'
import { isJsonObject, sameJson, type Json, type JsonObject } from '#shared/json'
import { headFor } from './columns'
import type { AppContext } from '../../context/context'
import { insideSentence } from '../../context/record-words'
import type { Change, Row } from '../../replica/api'
import type { CampaignsModel } from './model.svelte'
import { parentIn } from './scope'
import { startOf } from './starts'

/** What is to stand in one place of one record: a value, or a text to be read there. */
export interface CellEdit {
  key: string
  path: string
  value?: Json
  text?: string
}

export interface Refusal {
  key: string
  path: string
  why: string
}

const closedWords: Readonly<Record<Closed, string>> = {
  service: 'The service fills this in',
  fixed: 'This never changes once it was made',
  otherType: 'This has no meaning for this type',
}

/** Records that are read from the disk at once. */
const batch = 200
const plain = (text: string): string => text.replaceAll('*', '')

/** Why a place cannot be typed into now, in words. */
export function whyClosed(facts: Collection, path: string, value: JsonObject, id: string): string | undefined {
  if (path.startsWith('fx.')) return 'This is computed'
  const closed = closedAt(facts, path, value, !isLocalId(id))
  return closed && closedWords[closed]
}

async function readAll(model: CampaignsModel, keys: readonly string[]): Promise<Map<string, Row>> {
  const found = new Map<string, Row>()
  for (let at = 0; at < keys.length; at += batch) {
    const rows = await Promise.all(keys.slice(at, at + batch).map((key) => model.app.replica.read(key)))
    for (const [index, row] of rows.entries()) if (row?.value) found.set(keys[at + index]!, row)
  }
  return found
}

/** Writes into cells, as one step of undo; what cannot be written is answered and stays as it is. */
export const writeCells = (
  model: CampaignsModel,
  edits: readonly CellEdit[],
  verb = 'Change',
): Promise<{ written: number; refused: Refusal[] }> => model.inTurn(() => write(model, edits, verb))

async function write(
  model: CampaignsModel,
  edits: readonly CellEdit[],
  verb: string,
): Promise<{ written: number; refused: Refusal[] }> {
  const { app } = model
  const { facts } = app.replica
  const byKey = grouped(edits)
  const rows = await readAll(model, [...byKey.keys()])
  const changes: Change[] = []
  const refused: Refusal[] = []
  const heads = new Set<string>()
  let written = 0
  for (const [key, own] of byKey) {
    const row = rows.get(key)
    if (!row) continue
    const collection = facts.of(row.collection)
    let value = row.value!
    const patch: JsonObject = {}
    for (const edit of own) {
      const read = readEdit(model, collection, edit, value, row)
      if ('problem' in read) {
        refused.push({ key, path: edit.path, why: read.problem })
        continue
      }
      if (sameJson(valueAt(value, edit.path) ?? null, read.value)) continue
      const part = patchAt(value, edit.path, read.value, collection)
      value = { ...value, ...part }
      Object.assign(patch, part)
      heads.add(insideSentence(headFor(collection, edit.path)))
      written += 1
    }
    if (Object.keys(patch).length > 0) changes.push({ kind: 'change', key, patch })
  }
  if (changes.length > 0) {
    const [first] = changes as [Extract<Change, { kind: 'change' }>]
    const what =
      changes.length === 1
        ? `*${plain(model.titleOf(rows.get(first.key)!))}*`
        : counted(model, first.key, changes.length)
    const fields = heads.size > 2 ? `${heads.size} fields` : [...heads].join(' and ')
    const done = await app.edit(changes, { label: `${verb} ${what}: ${fields}` }, { show: changes.length > 1 })
    if (!done) return { written: 0, refused }
  }
  return { written, refused }
}

function grouped(edits: readonly CellEdit[]): Map<string, CellEdit[]> {
  const found = new Map<string, CellEdit[]>()
  for (const edit of edits) {
    const own = found.get(edit.key)
    if (own) own.push(edit)
    else found.set(edit.key, [edit])
  }
  return found
}

function counted(model: CampaignsModel, key: string, count: number): string {
  const { words } = model.app.replica.facts.of(parseRecordKey(key).collection)
  return `${count.toLocaleString('en')} ${count === 1 ? words.one : words.many}`
}

function readEdit(
  model: CampaignsModel,
  collection: Collection,
  { path, value, text }: CellEdit,
  record: JsonObject,
  { id, parent }: Row,
): { value: Json } | { problem: string } {
  const closed = whyClosed(collection, path, record, id)
  if (closed) return { problem: closed }
  if (text === undefined) return { value: value ?? null }
  return readTyped(model, collection, path, text, parent)
}

/** What was typed for a place, as the field keeps it, or why it cannot be. @param parent where the record lies */
export function readTyped(
  model: CampaignsModel,
  collection: Collection,
  path: string,
  text: string,
  parent: string | null,
): { value: Json } | { problem: string } {
  const field = fieldAt(collection, path)
  if (!field) return { problem: closedWords.service }
  const read = readField(collection.table, nameAt(path), field, text, {
    today: model.context.today,
    zone: model.context.zone,
    find: (target, wanted) => findByName(model, target, parent, wanted),
  })
  return 'problem' in read ? read : { value: withKnownSizes(model, parent, kindAt(collection, path), read.value) }
}

/** Sizes that were typed, by their ids where the service has them; any other value as it is. */
export function withKnownSizes(
  model: CampaignsModel,
  parent: string | null,
  kind: FieldKind | undefined,
  value: Json,
): Json {
  if (kind === 'size' && isJsonObject(value)) return knownSize(model, parent, value)
  if (kind !== 'sizes' || !Array.isArray(value)) return value
  return value.map((one) => (isJsonObject(one) ? knownSize(model, parent, one) : one))
}

function knownSize({ app }: CampaignsModel, parent: string | null, size: JsonObject): JsonObject {
  const facts = app.replica.facts.find('sizes')
  if (!facts) return size
  const same = app.replica
    .rows('sizes' as Parameters<AppContext['replica']['rows']>[0], parent?.split('/')[0])
    .find(({ value }) => value?.['width'] === size['width'] && value?.['height'] === size['height'])
  return same ? { id: same.id, width: size['width']!, height: size['height']! } : size
}

/** Ids of records that memory knows by a name. */
export function findByName({ app }: CampaignsModel, target: string, parent: string | null, name: string): string[] {
  const facts = app.replica.facts.find(target)
  if (!facts?.title || facts.keep === 'window') return []
  const wanted = name.trim().toLowerCase()
  return app.replica
    .rows(facts.name as Parameters<AppContext['replica']['rows']>[0], parent?.split('/')[0])
    .filter(({ value }) => String(value?.[facts.title!] ?? '').toLowerCase() === wanted)
    .map(({ id }) => id)
}

/** Makes a record of the kind that is shown, where one is, and opens it. */
export async function makeNew(model: CampaignsModel): Promise<void> {
  const { kind, app } = model
  const value = startOf(model)
  const label = `New ${kind.words.one} *${plain(String(value[kind.title ?? ''] ?? ''))}*`
  const done = await app.edit(
    [{ kind: 'create', collection: kind.name, parent: parentOf(model), value }],
    { label },
    { text: `New ${kind.words.one} made` },
  )
  if (done?.keys[0]) model.openKey(done.keys[0])
}

/** Where new records of the kind lie; null where the scope does not say it. */
export const parentOf = ({ kind, scope }: CampaignsModel): string | null => parentIn(kind, scope) ?? null

const comesByItself = ({ notMade }: Collection, value: JsonObject): boolean =>
  notMade !== undefined && notMade.values.includes(String(value[notMade.field]))

/** Fields that a copy starts without: what the service fills in, and what names the record. */
function copyOf(facts: Collection, value: JsonObject): JsonObject {
  const copied: JsonObject = {}
  for (const [name, inner] of Object.entries(value))
    if (inner !== undefined && !closedAt(facts, name, value, false) && name !== 'archived') copied[name] = inner
  return copied
}

/**
 * Copies records, with everything that belongs to them where `whole`: what the copies refer to among each other are the
 * copies. One step of undo.
 */
export async function duplicate(model: CampaignsModel, keys: readonly string[], whole: boolean): Promise<string[]> {
  const { app } = model
  const { replica } = app
  const { kinds } = model
  const first = await readAll(model, keys)
  const all = new Map(first)
  if (whole) for (const key of keys) for (const [child, row] of await childrenOf(model, kinds, key)) all.set(child, row)
  // What comes by itself comes with the copies as well.
  for (const [key, { collection, value }] of all)
    if (comesByItself(replica.facts.of(collection), value!)) all.delete(key)
  const ids = new Map<string, string>()
  for (const [, { collection, id }] of all)
    if (replica.facts.of(collection).ids === 'service') ids.set(`${collection} ${id}`, replica.newLocalId())
  const changes = [...all].map(([key, row]): Change => {
    const facts = replica.facts.of(row.collection)
    const value = renamed(facts, copyOf(facts, row.value!), ids)
    const title = facts.title
    if (title && first.has(key) && typeof value[title] === 'string') value[title] = `${value[title]} (copy)`
    const id = ids.get(`${row.collection} ${row.id}`)
    return { kind: 'create', collection: row.collection, parent: row.parent, value, ...(id && { id }) }
  })
  if (changes.length === 0) return []
  const [one] = first.values()
  const what = first.size === 1 ? `*${plain(model.titleOf(one!))}*` : counted(model, keys[0]!, first.size)
  const rest = changes.length - [...first.keys()].filter((key) => all.has(key)).length
  const label = `Duplicate ${what}${rest > 0 ? ` with ${rest.toLocaleString('en')} records of it` : ''}`
  const done = await app.edit(changes, { label }, { show: true })
  if (done?.keys[0] && first.size === 1) model.openKey(done.keys[0])
  return done?.keys ?? []
}

/** What belongs to a record and lies on this computer, in the order in which it can be made. */
async function childrenOf(model: CampaignsModel, kinds: readonly Collection[], key: string): Promise<Map<string, Row>> {
  const { replica } = model.app
  const { collection, parent, id } = parseRecordKey(key)
  const found = new Map<string, Row>()
  for (const kind of kinds) {
    const field = kind.cuts.find(({ by }) => by === collection)?.field
    if (field === undefined || !kind.insert) continue
    const rows = await replica.table(kind.name, {
      ...(parent !== null && { parent }),
      columns: kind.columns,
      only: { [field]: [id] },
      ...(kind.columns.includes('archived') && { where: [{ column: 'archived', isNot: ['true'] }] }),
    })
    const keys = Array.from({ length: rows.length }, (_unused, row) => rows.key(row))
    for (const [child, row] of await readAll(model, keys)) found.set(child, row)
  }
  return found
}

/** The same content under other ids, wherever it refers to one that has another now. */
function renamed(facts: Collection, value: JsonObject, ids: ReadonlyMap<string, string>): JsonObject {
  let made: Json = value
  for (const { path, collection, id } of referencesIn(facts.table, facts.schema, value)) {
    const other = ids.get(`${collection} ${id}`)
    if (other !== undefined) made = withValueAt(made, path.replace(/\[(\d+)\]/g, '.$1'), other)
  }
  return { ...(made as JsonObject) }
}

/** Deletes records, or archives those that cannot be deleted. */
export async function end(model: CampaignsModel, keys: readonly string[]): Promise<void> {
  const rows = await readAll(model, keys)
  const ending = [...rows].filter(([, { collection }]) => model.app.replica.facts.of(collection).ends !== 'never')
  if (ending.length === 0) {
    model.app.announce('These cannot be deleted')
    return
  }
  const [[firstKey, row]] = ending as [[string, Row]]
  const facts = model.app.replica.facts.of(row.collection)
  const archives = facts.ends === 'archive' && ending.some(([, { id }]) => !isLocalId(id))
  const what = ending.length === 1 ? `*${plain(model.titleOf(row))}*` : counted(model, firstKey, ending.length)
  await model.app.edit(
    ending.map(([key]) => ({ kind: 'delete', key })),
    { label: `${archives ? 'Archive' : 'Delete'} ${what}` },
    { show: true },
  )
}

export async function unarchive(model: CampaignsModel, keys: readonly string[]): Promise<void> {
  const rows = [...(await readAll(model, keys))].filter(([, { value }]) => value?.['archived'] === true)
  const [first] = rows
  if (!first) return
  const what = rows.length === 1 ? `*${plain(model.titleOf(first[1]))}*` : counted(model, first[0], rows.length)
  await model.app.edit(
    rows.map(([key]) => ({ kind: 'change', key, patch: { archived: false } })),
    { label: `Take ${what} out of the archive` },
    { show: true },
  )
}

/** The key of a record that another refers to. */
export const targetKey = (collection: Collection, parent: string | null, id: string): string =>
  recordKey(collection.name, parent?.split('/')[0] ?? null, id)
