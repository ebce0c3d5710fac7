import { insideSentence } from '#shared/fields/heads'
import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { collectionOf } from '#shared/facts/references'
import { kindOf } from '#shared/fields/kind'
import { isNeeded } from '#shared/fields/open'
import { nameAt, valueAt } from '#shared/fields/path'
import { readField } from '#shared/fields/read'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import { listWords } from '#shared/list-words'
import type { Change } from '../../replica/api'
import type { Choice } from '../../ui/choices'
import { plainLabel } from '../../ui/plain-label'
import { headFor } from './grid-columns'
import type { CampaignsModel } from './model.svelte'
import { missingIn } from './problems'
import { plain } from './records'
import type { Scope } from './scope'
import { firstChoices, usualIn } from './starts'

export type Creation = Extract<Change, { kind: 'create' }>
type Surroundings = Pick<CampaignsModel, 'app' | 'context'>

/** A field that may refer to another record. */
export interface Referring {
  facts: Collection
  path: string
  record: JsonObject
  /** Parent of the record. */
  parent: string | null
}

/** A new record created for a reference. */
export interface Made {
  creation: Creation & { id: string }
  /** Names of the required fields that are still empty. */
  missing: readonly string[]
}

/** The collection a field refers to. Undefined if the account has no such collection. */
export function targetOf(
  { app }: Pick<Surroundings, 'app'>,
  { path }: Pick<Referring, 'path'>,
): Collection | undefined {
  const target = collectionOf(nameAt(path))
  return target === undefined ? undefined : app.replica.facts.find(target)
}

/** The parent of records that a path may refer to. Undefined until a sibling field determines it. */
export function targetParent(target: Collection, { path, record, parent }: Referring): string | null | undefined {
  const outer = parent?.split('/')[0] ?? null
  if (target.parents.length < 2 || outer === null) return outer
  const beside = valueAt(record, path.split('.').slice(0, -1).join('.')) ?? record
  const inner = isJsonObject(beside)
    ? Object.entries(beside).find(
        ([name, value]) => typeof value === 'string' && collectionOf(name) === target.parent?.collection,
      )?.[1]
    : undefined
  return typeof inner === 'string' ? `${outer}/${inner}` : undefined
}

/**
 * Builds the record that typed text describes, by name or by URL, in the same campaign and advertiser. Returns
 * undefined if too little is known to create it.
 */
export function madeFrom(model: Surroundings, referring: Referring, words: string): Made | undefined {
  const { replica } = model.app
  const target = targetOf(model, referring)
  // Records of large collections need too many fields to be created in passing.
  if (!target?.insert || target.ids !== 'service' || target.keep === 'window') return undefined
  const parent = targetParent(target, referring)
  if (parent === undefined) return undefined
  const named = contentOfWords(target, words)
  if (!named) return undefined
  const scope = scopeOf(target, referring)
  const known = { ...knownAround(model, target, referring, scope), ...named }
  const usual = Object.entries(usualIn(model, target, scope)).filter(
    ([name]) => neededField(target, name) && kindIn(target, name) !== 'text' && kindIn(target, name) !== 'reference',
  )
  const rough: JsonObject = { ...Object.fromEntries(usual), ...known }
  const value = { ...firstChoices(target, rough), ...rough }
  const missing = missingIn(target, value)
  if (missing === undefined || missing.some((path) => kindIn(target, path) !== 'text')) return undefined
  return {
    creation: { kind: 'create', collection: target.name, parent, value, id: replica.newLocalId() },
    missing: missing.map((path) => insideSentence(headFor(target, path))),
  }
}

const fieldsOf = ({ table, schema }: Collection): Collection['table']['schemas'][string]['fields'] =>
  table.schemas[schema]!.fields
const neededField = (target: Collection, name: string): boolean => {
  const field = fieldsOf(target)[name]
  return field !== undefined && (isNeeded(field) || field.oneOfRequiredOnInsert !== undefined)
}
const kindIn = (target: Collection, name: string): string => {
  const field = fieldsOf(target)[name]
  return field ? (name === 'url' ? 'text' : kindOf(target.table, name, field)) : 'any'
}

/** Parses typed text into a name, dimensions, or a URL and the name derived from it. */
function contentOfWords({ table, schema, title }: Collection, words: string): JsonObject | undefined {
  const typed = words.trim()
  const { fields } = table.schemas[schema]!
  if (schema === 'Size') {
    const size = readField(table, 'size', { ref: 'Size' }, typed, { today: 0, zone: 'UTC', find: () => [] })
    return 'value' in size && isJsonObject(size.value) ? size.value : undefined
  }
  const field = title === undefined ? undefined : fields[title]
  if (typed === '' || title === undefined || !field || field.readOnly || /^#?\d+$/.test(typed)) return undefined
  const address = fields['url'] && /^https?:\/\/\S+$/i.test(typed) && URL.canParse(typed) ? new URL(typed) : undefined
  const name = address ? (address.host + address.pathname).replace(/\/$/, '') : typed
  return { [title]: name.slice(0, field.maxLength ?? undefined), ...(address && { url: typed }) }
}

/** Scope of a new record: the record that refers to it, or that record's narrowest owner. */
function scopeOf(target: Collection, { facts, record, parent }: Referring): Scope {
  const profile = parent?.split('/')[0] ?? ''
  const own = record['id']
  const key = (by: CollectionName, id: Json | undefined): string[] =>
    typeof id === 'string' && id !== '' ? [recordKey(by, profile, id)] : []
  const within = [
    ...facts.cuts.flatMap(({ by, field }) => (field === undefined ? [] : key(by, record[field]))),
    ...(target.cuts.some(({ by }) => by === facts.name) ? key(facts.name, own) : []),
  ].at(-1)
  return { profile, ...(within !== undefined && { within }) }
}

/** Fields that a new record shares with the record that refers to it and with their owners. */
function knownAround(
  { app }: Surroundings,
  target: Collection,
  { facts, record }: Referring,
  { profile, within }: Scope,
): JsonObject {
  const around: JsonObject[] = [record]
  if (within !== undefined) {
    const { collection, id } = parseRecordKey(within)
    around.push({ ...app.replica.peek(within)?.value, ...ownId(collection, id) })
  }
  for (const { by, field } of facts.cuts) {
    const id = field === undefined ? undefined : around.map((one) => one[field]).find((one) => typeof one === 'string')
    if (typeof id === 'string') around.push(app.replica.peek(recordKey(by, profile, id))?.value ?? {})
  }
  const cuts = new Set(target.cuts.map(({ field }) => field))
  const known: JsonObject = {}
  for (const [name, field] of Object.entries(fieldsOf(target))) {
    if (field.readOnly || !collectionOf(name) || !(cuts.has(name) || neededField(target, name))) continue
    const alike = field.oneOfRequiredOnInsert?.some((other) => known[other] !== undefined)
    const value = around.map((one) => one[name]).find((one) => typeof one === 'string')
    if (value !== undefined && !alike) known[name] = value
  }
  return known
}

/** The field by which others refer to a record: `campaignId` for a campaign. */
const ownId = (collection: CollectionName, id: string): JsonObject => ({ [`${collection.slice(0, -1)}Id`]: id })

/** True if a record and the new one it refers to don't belong to different owners. */
export const fitsTogether = ({ cuts }: Collection, record: JsonObject, made: JsonObject): boolean =>
  cuts.every(({ field }) => {
    const [own, other] = field === undefined ? [] : [record[field], made[field]]
    return typeof own !== 'string' || typeof other !== 'string' || own === other
  })

/** Options of a picker that offers to create a record it can't find. */
export function makingOf(
  model: Surroundings,
  referring: () => Referring,
  onmade: (made: Made) => void,
): {
  createLabel: string
  creates: (words: string, found: readonly Choice[]) => boolean
  oncreate: (words: string) => void
} {
  const target = targetOf(model, referring())
  const make = (words: string): Made | undefined => madeFrom(model, referring(), words)
  return {
    createLabel: `New ${target?.words.one ?? ''}`,
    creates: (words, found) => {
      const same = words.trim().toLowerCase()
      return same !== '' && !found.some(({ label }) => label.toLowerCase() === same) && make(words) !== undefined
    },
    oncreate: (words) => {
      const made = make(words)
      if (made) onmade(made)
    },
  }
}

/** `new landing page *Spring*`, for the label of an edit. */
export function wordsOfMade({ app }: Pick<Surroundings, 'app'>, { creation }: Pick<Made, 'creation'>): string {
  const { words, title } = app.replica.facts.of(creation.collection)
  const name = title === undefined ? undefined : creation.value[title]
  return `new ${words.one}${typeof name === 'string' ? ` *${plain(name)}*` : ''}`
}

/** Lists what a new record still needs, with a button that opens it. */
export function showMissing({ app }: Surroundings, { creation, missing }: Made): void {
  if (missing.length === 0) return
  const { collection, parent, id } = creation
  const profile = parent?.split('/')[0]
  const open = (): void =>
    app.navigation.go('campaigns', {
      kind: collection,
      ...(profile !== undefined && { profile }),
      record: recordKey(collection, parent, id),
    })
  app.toasts.show(`The ${plainLabel(wordsOfMade({ app }, { creation }))} still needs ${listWords(missing)}`, {
    action: { label: 'Open', run: open },
    seconds: 15,
  })
}
