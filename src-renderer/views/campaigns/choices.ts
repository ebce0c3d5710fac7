import { listedWords, sentenceCase } from '#shared/fields/heads'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import { sizeOf } from '#shared/checks/size'
import { collectionOf, rowSchemas } from '#shared/facts/references'
import type { Collection } from '#shared/facts/collection'
import { isNeeded } from '#shared/fields/open'
import { fieldAt, nameAt } from '#shared/fields/path'
import type { Json, JsonObject } from '#shared/json'
import type { Field } from '#shared/wire/table'
import { namesIn } from '../../context/record-names'
import { recordTitle } from '../../context/record-words'
import type { Row } from '../../replica/api'
import { byName } from '../../ui/by-name'
import type { Choice } from '../../ui/choices'
import { targetParent } from './inline'
import type { CampaignsModel } from './model.svelte'
import { fieldsOfScope, ownersIn } from './scope'
import { sizesFor } from './size-fit'

const none: Choice = { value: '', label: 'Not set' }
/** Maximum number of records offered at once. More words find fewer. */
const maxChoices = 200

interface Place {
  path: string
  /** The record that contains the field, if available. */
  record?: JsonObject | undefined
}

export const enumChoices = (field: Field): Choice[] =>
  (field.enum ?? []).map((one) => ({
    value: String(one),
    label: field.labels?.[String(one)] ?? listedWords(String(one), field.enum),
  }))

/** Choices of a field: yes or no, or listed values. For references, see `searchedChoices`. */
export function choicesFor(model: CampaignsModel, { path }: Pick<Place, 'path'>, value: Json | undefined): Choice[] {
  const field = fieldAt(model.kind, path)
  if (!field || collectionOf(nameAt(path))) return []
  return choicesOfField(field, value)
}

export function choicesOfField(field: Field, value: Json | undefined): Choice[] {
  const set = value !== undefined && value !== null && value !== ''
  const empty = isNeeded(field) && set ? [] : [none]
  if (field.type === 'boolean')
    return [...(set ? [] : [none]), { value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }]
  const known = enumChoices(field)
  const own =
    set && !known.some((one) => one.value === value)
      ? [{ value: String(value), label: listedWords(String(value)) }]
      : []
  return [...empty, ...known, ...own]
}

export function shownChoice(
  model: CampaignsModel,
  { path }: Place,
  parent: string | null,
  value: Json | undefined,
): string | undefined {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value !== 'string' || value === '') return undefined
  const target = collectionOf(nameAt(path))
  if (target)
    return namesIn(model.app.replica, parent)(target, value) ?? (value.startsWith('local:') ? 'New' : `#${value}`)
  return undefined
}

/**
 * Finds records that a field may refer to, by name or ID: only those of the record's own campaign and advertiser, with
 * other sizes than those of an ad and archived ones last.
 */
export function searchedChoices(
  model: CampaignsModel,
  { path, record = {} }: Place,
  parent: string | null,
  value: Json | undefined,
  kind: Collection = model.kind,
): (words: string) => Promise<readonly Choice[]> {
  const target = collectionOf(nameAt(path))
  const facts = target === undefined ? undefined : model.app.replica.facts.find(target)
  const field = fieldAt(kind, path)
  const within = facts && targetParent(facts, { facts: kind, path, record, parent })
  return async (words) => {
    if (!facts) return []
    const sizes = await sizesFor(model.app.replica, path, record, parent)
    const found = await referable(model, facts, within ?? parent, words, ownersIn(facts, kind, record), sizes)
    const clears = words.trim() === '' && value !== undefined && value !== null && !(field && isNeeded(field))
    return [...(clears ? [none] : []), ...(found.length > 0 || facts.pull ? found : [unlisted(facts, words)])]
  }
}

/** The choice in place of records that are never downloaded. Only an ID can name one. A hint is no field’s value. */
function unlisted({ words: { many } }: Collection, typed: string): Choice {
  const id = /^#?(\d+)$/.exec(typed.trim())?.[1]
  if (id !== undefined) return { value: id, label: `#${id}` }
  return { value: '?', label: `${sentenceCase(many)} aren’t downloaded. Enter an ID`, disabled: true }
}

async function referable(
  model: CampaignsModel,
  facts: Collection,
  parent: string | null,
  words: string,
  owners: Readonly<Record<string, string>> = {},
  sizes?: ReadonlySet<string>,
): Promise<Choice[]> {
  const { replica } = model.app
  const same = { ...fieldsOfScope(facts, model.scope, (key) => replica.peek(key)), ...owners }
  const title = facts.title
  const columns = [
    ...(title ? [title] : []),
    ...facts.idFields,
    'archived',
    ...Object.keys(same),
    ...(sizes ? ['size'] : []),
  ]
  const rows = await replica.table(facts.name, {
    ...(parent !== null && facts.parents.length === parent.split('/').length && { parent }),
    columns,
    ...(words.trim() !== '' && { words: words.trim().replace(/^#/, '') }),
    ...(title && { sort: { column: title, down: false } }),
  })
  const at = (name: string): number => rows.columns.indexOf(name)
  const found: (Choice & { rank: number })[] = []
  const looked = Object.keys(owners).length > 0 ? rows.length : Math.min(rows.length, maxChoices * 4)
  /** Number of choices of each rank, so that those that fit come first however many others there are. */
  const ranked = new Map<number, number>()
  for (let row = 0; row < looked && (ranked.get(0) ?? 0) < maxChoices; row++) {
    const cell = (name: string): Json | undefined => (at(name) < 0 ? undefined : rows.cell(row, at(name)))
    const isOwn = ([name, wanted]: [string, string]): boolean => (cell(name) ?? wanted) === wanted
    if (!Object.entries(owners).every(isOwn)) continue
    const { id } = parseRecordKey(rows.key(row))
    const fits = Object.entries(same).every(([name, wanted]) => cell(name) === undefined || cell(name) === wanted)
    const archived = cell('archived') === true
    const size = sizes && sizeOf({ size: cell('size') ?? null })
    const isOther = size !== undefined && !sizes!.has(size)
    const rank = Number(archived) * 4 + Number(!fits) * 2 + Number(isOther)
    const before = ranked.get(rank) ?? 0
    if (before >= maxChoices) continue
    ranked.set(rank, before + 1)
    const name = title === undefined ? undefined : cell(title)
    found.push({
      value: id,
      label: typeof name === 'string' && name !== '' ? name : titleOf(facts, replica.peek(rows.key(row)), id),
      aside: id.startsWith('local:') ? 'new' : `#${id}`,
      rank,
      ...(isOther && { group: 'Other sizes' }),
      ...(archived && { group: 'Archived' }),
    })
  }
  return found
    .sort((a, b) => a.rank - b.rank || byName({ name: a.label }, { name: b.label }))
    .slice(0, maxChoices)
    .map(({ rank: _rank, ...choice }) => choice)
}

const titleOf = (facts: Collection, row: Pick<Row, 'value'> | undefined, id: string): string =>
  recordTitle(facts, row?.value) ?? (id.startsWith('local:') ? 'New' : `#${id}`)

/** Rows of a list, such as countries, with the objects that records store for them. */
export function searchedRows(
  model: CampaignsModel,
  schema: string,
  parent: string | null,
): (words: string) => Promise<readonly Choice[]> {
  const rowSchema = rowSchemas[schema]
  const facts = rowSchema && model.app.replica.facts.find(rowSchema.collection)
  return async (words) => {
    if (!facts) return []
    const found = await referable(model, facts, parent, words)
    const profile = parent?.split('/')[0] ?? null
    return found.flatMap((choice): Choice[] => {
      const value = model.app.replica.peek(recordKey(facts.name, profile, choice.value))?.value
      if (!value) return []
      const fields = Object.keys(facts.table.schemas[schema]?.fields ?? {}).filter((name) => name !== 'kind')
      const object = Object.fromEntries(
        fields.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])),
      )
      return [{ ...choice, value: JSON.stringify(object) }]
    })
  }
}
