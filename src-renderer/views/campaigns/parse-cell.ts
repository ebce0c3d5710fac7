import { isLocalId } from '#shared/domain/collections'
import type { Collection } from '#shared/facts/collection'
import { collectionOf } from '#shared/facts/references'
import { formulaText } from '#shared/fields/formula'
import { kindAt, type FieldKind } from '#shared/fields/kind'
import { closedAt, type Closed } from '#shared/fields/open'
import { fieldAt, nameAt, valueAt } from '#shared/fields/path'
import { pastMoment, readField } from '#shared/fields/read'
import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import type { AppContext } from '../../context/context'
import { isOfSeveral } from './computed'
import type { CampaignsModel } from './model.svelte'
import { ownersIn } from './scope'
import { typedText } from './typed'

const closedWords: Readonly<Record<Closed, string>> = {
  service: 'The service fills this in',
  fixed: 'Can’t be changed after creation',
  otherType: 'Doesn’t apply to this type',
}

/** Error for a record deleted here or on the server. */
export const gone = 'This record no longer exists'

/** Error for a value that its author hasn't seen. */
export const changed = 'Changed since you saw it'

/** Why a cell can't be edited now. Without the record's value, whatever its type. */
export const whyClosed = (...[facts, path, value, id]: Parameters<typeof whyFieldClosed>): string | undefined =>
  whyFieldClosed(facts, path, value, id) ??
  (isOfSeveral((at) => valueAt(value ?? undefined, at), path) ? 'Has several prices. Edit them in the form' : undefined)

/** Why a field of a record can't be edited now. */
export function whyFieldClosed(
  facts: Collection,
  path: string,
  value: JsonObject | null | undefined,
  id: string,
): string | undefined {
  if (path.startsWith('fx.')) return 'Can’t be edited, because it’s computed'
  const closed = closedAt(facts, path, value ?? {}, !isLocalId(id))
  return closed && (value || closed !== 'otherType') ? closedWords[closed] : undefined
}

/**
 * Parses typed text into a field's value, or returns why it's invalid.
 * @param parent parent of the record
 * @param current the current value, which `+7d` and `*1.1` start from
 * @param owners what a record that's meant by its name belongs to, if several have the name: see `ownersAt`
 */
export function readTyped(
  model: CampaignsModel,
  collection: Collection,
  path: string,
  text: string,
  parent: string | null,
  { current, owners }: { current?: Json | undefined; owners?: Owners } = {},
): { value: Json } | { problem: string } {
  const field = fieldAt(collection, path)
  const kind = kindAt(collection, path)
  if (!field || !kind) return { problem: closedWords.service }
  const formula = formulaText(kind, field.type !== 'number', text, current, model.context.zone)
  if (formula && 'problem' in formula) return formula
  const read = readField(collection.table, nameAt(path), field, formula?.text ?? text, {
    today: model.context.today,
    around: kind === 'date' || kind === 'moment' ? pastMoment(current, model.context.today) : undefined,
    zone: model.context.zone,
    currency: model.terms.currency,
    last: collection.flight !== undefined && nameAt(path) === nameAt(collection.flight.end),
    find: (target, wanted) => {
      const found = findByName(model, target, parent, wanted, owners)
      // Among several of the same name, keep the current one.
      return found.length > 1 && found.includes(String(current)) ? [String(current)] : found
    },
  })
  if ('problem' in read) return read
  // Text that formats the same leaves the value unchanged, because the text may omit details such as the ID of a size
  // or a repeated hour.
  const isSame = isCurrent(current) && saidOf(kind, current, model) === saidOf(kind, read.value, model)
  return { value: isSame ? current : sameSizes(withKnownSizes(model, parent, kind, read.value), current) }
}

const isCurrent = (value: Json | undefined): value is NonNullable<Json> => value !== undefined && value !== null
const saidOf = (kind: FieldKind, value: Json, { context }: CampaignsModel): string =>
  typedText(kind, value, context.zone) || JSON.stringify(value)

const isSize = (value: Json | undefined): value is JsonObject => isJsonObject(value) && 'width' in value
const sameSize = (size: JsonObject, other: Json | undefined): boolean =>
  isSize(other) && other['width'] === size['width'] && other['height'] === size['height']

/** Keeps current sizes instead of equal parsed ones. */
function sameSizes(value: Json, current: Json | undefined): Json {
  if (!Array.isArray(value) || !Array.isArray(current)) return value
  return value.map((one) => (isSize(one) && current.find((other) => sameSize(one, other))) || one)
}

/** Replaces parsed sizes with known ones, which have IDs. Returns other values unchanged. */
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

/** Campaign and advertiser of a record, by field. */
export type Owners = Readonly<Record<string, string>>

/** Parents that records must have for a field to refer to them: those of the record itself. Empty for other fields. */
export function ownersAt({ app }: CampaignsModel, collection: Collection, path: string, record: JsonObject): Owners {
  const facts = app.replica.facts.find(collectionOf(nameAt(path)) ?? '')
  return facts ? ownersIn(facts, collection, record) : {}
}

/** IDs of in-memory records with a name. Of several, those that belong to `owners` if there are any. */
export function findByName(
  { app }: CampaignsModel,
  target: string,
  parent: string | null,
  name: string,
  owners: Owners = {},
): string[] {
  const facts = app.replica.facts.find(target)
  if (!facts?.title || facts.keep === 'window') return []
  const wanted = name.trim().toLowerCase()
  const named = app.replica
    .rows(facts.name as Parameters<AppContext['replica']['rows']>[0], parent?.split('/')[0])
    .filter(({ value }) => String(value?.[facts.title!] ?? '').toLowerCase() === wanted)
  const own = named.filter(({ value }) =>
    Object.entries(owners).every(([field, owner]) => (value?.[field] ?? owner) === owner),
  )
  return (own.length > 0 ? own : named).map(({ id }) => id)
}
