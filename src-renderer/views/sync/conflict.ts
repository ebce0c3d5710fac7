import { collections, recordKey } from '#shared/domain/collections'
import { parseInstanceId, seriesOf } from '#shared/domain/instances'
import type { FieldChange } from '#shared/changes/field-changes'
import { isJsonObject, sameJson, valuesOf, type Json, type JsonObject } from '#shared/json'
import { kindAt } from '#shared/fields/kind'
import { patchAt, valueAt } from '#shared/fields/path'
import { withPatch } from '#shared/merge/merge'
import { decidedPatch, type Decision } from '#shared/mutation/decided'
import type { OutboxEntry } from '#shared/mutation/entry'
import { occurrenceBySuffix } from '#shared/time/recurrence'
import { namedChanges } from '../../context/change-words'
import type { Replica } from '../../replica/api'

export type Side = 'mine' | 'theirs'

/** Fields that are decided together, as start, end and repetition are, or one place inside of a field. */
export interface Question {
  /** The first field names the choice. For a place, its path. */
  name: string
  fields: string[]
  place?: Place
}

/** A place of a campaign record that is decided apart, such as the end of a flight. */
interface Place {
  head: string
  base: Json | undefined
  mine: Json | undefined
  theirs: Json | undefined
}

export interface Sides {
  base: JsonObject
  mine: JsonObject
  /** null: deleted on the service. */
  theirs: JsonObject | null
}

export function sidesOf(entry: OutboxEntry): Sides {
  const base = entry.base ?? {}
  return { base, mine: withPatch(base, entry.patch), theirs: entry.conflict?.remote ?? null }
}

const order = ['start', 'end', 'recurrence']
const place = (field: string): number => order.indexOf(field)

/** Each side's record with everything that merges automatically. */
function mergedSides(entry: OutboxEntry): Record<Side, JsonObject> {
  const { rules } = collections[entry.collection]
  const fields = entry.conflict?.fields ?? []
  const of = (side: Side): JsonObject =>
    withPatch(
      entry.conflict?.remote ?? {},
      decidedPatch(rules, entry, Object.fromEntries(fields.map((field) => [field, side]))),
    )
  return { mine: of('mine'), theirs: of('theirs') }
}

/** The places in which both sides of a campaign record differ. */
function placesOf(entry: OutboxEntry): Question[] {
  const facts = collections[entry.collection]
  const { mine, theirs } = mergedSides(entry)
  const fields = new Set(entry.conflict?.fields)
  return namedChanges(facts, theirs, mine).flatMap(({ path, head, before, after }): Question[] => {
    const [field = ''] = path.split('.')
    const place = { head, base: valueAt(entry.base ?? undefined, path), mine: after, theirs: before }
    return fields.has(field) ? [{ name: path, fields: [field], place }] : []
  })
}

/** Choices that follow from the sides: a place that only one of them changed keeps that change, unless someone says so. */
export function usualChoices(questions: readonly Question[]): Record<string, Side> {
  return Object.fromEntries(
    questions.flatMap(({ name, place }): [string, Side][] => {
      if (!place) return []
      if (sameJson(place.base ?? null, place.theirs ?? null)) return [[name, 'mine']]
      return sameJson(place.base ?? null, place.mine ?? null) ? [[name, 'theirs']] : []
    }),
  )
}

/** True if a question is about money on either side: an amount, or a number of units that is paid for. */
export const isAboutMoney = ({ collection }: Pick<OutboxEntry, 'collection'>, { name, place }: Question): boolean =>
  place !== undefined &&
  (kindAt(collections[collection], name) === 'money' ||
    name.endsWith('.units') ||
    /[nN]anos/.test(JSON.stringify([place.mine ?? null, place.theirs ?? null])))

/** Questions by entry, which are asked for after every change of the queue. */
const known = new WeakMap<OutboxEntry, Question[]>()

/** Questions of a conflict. Entries are replaced rather than changed, so each is examined once. */
export function questionsOf(entry: OutboxEntry): Question[] {
  const found = known.get(entry) ?? questionsIn(entry)
  known.set(entry, found)
  return found
}

function questionsIn(entry: OutboxEntry): Question[] {
  const { rules, references } = collections[entry.collection]
  if (references && entry.conflict?.remote) return placesOf(entry)
  const left = new Set(entry.conflict?.fields ?? [])
  const questions: Question[] = []
  for (const field of entry.conflict?.fields ?? []) {
    if (!left.has(field)) continue
    const unit = new Set([field, ...rules.unit(field)])
    const fields = [...left].filter((name) => unit.has(name)).sort((a, b) => place(a) - place(b))
    fields.forEach((name) => left.delete(name))
    questions.push({ name: fields[0]!, fields })
  }
  return questions
}

/** Changes that an edit which ended with the other side's values would have made to them. Empty for lists and calendars. */
export function droppedChanges(entry: OutboxEntry): FieldChange[] {
  const questions = questionsOf(entry)
  const usual = usualChoices(questions)
  return questions.flatMap(({ name, place }): FieldChange[] =>
    place && usual[name] !== 'theirs' ? [{ path: name, before: place.theirs, after: place.mine }] : [],
  )
}

/** The same as a patch of whole fields. */
export const droppedPatch = (entry: OutboxEntry): JsonObject =>
  valuesOf(mergedSides(entry).mine, entry.conflict?.fields ?? [])

/** The values of the service's side, as a text to compare: people who saw another one haven't seen this conflict. */
export const theirSide = (entry: OutboxEntry): string =>
  JSON.stringify(questionsOf(entry).map(({ name, place }) => [name, place?.theirs ?? null]))

/** True if one side deleted what the other changed. */
export const isDeletion = (entry: OutboxEntry): boolean =>
  entry.conflict !== undefined &&
  (entry.conflict.remote === null || entry.kind === 'delete' || entry.conflict.fields.length === 0)

/** True if an occurrence that is kept becomes a separate event, because its series was deleted or no longer includes it. */
export function leavesSeries(
  replica: Pick<Replica, 'peek'>,
  { collection, parent, recordId }: Pick<OutboxEntry, 'collection' | 'parent' | 'recordId'>,
): boolean {
  const instance = collection === 'events' ? parseInstanceId(recordId) : undefined
  if (!instance) return false
  const series = seriesOf(replica.peek(recordKey(collection, parent, instance.masterId))?.value)
  return !series || !occurrenceBySuffix(series, instance.suffix)
}

export function fieldChoices(
  questions: readonly Question[],
  chosen: Readonly<Record<string, Side>>,
): Record<string, Side> {
  return Object.fromEntries(
    questions.flatMap(({ name, fields }) => (chosen[name] ? fields.map((field) => [field, chosen[name]!]) : [])),
  )
}

/** The decisions about fields that choices for questions lead to. */
export function decisionsOf(
  entry: OutboxEntry,
  questions: readonly Question[],
  chosen: Readonly<Record<string, Side>>,
): Record<string, Decision> {
  const whole = questions.filter(({ place }) => !place)
  const decisions: Record<string, Decision> = fieldChoices(whole, chosen)
  const apart = questions.filter(({ place }) => place)
  if (apart.length === 0) return decisions
  const facts = collections[entry.collection]
  const { theirs } = mergedSides(entry)
  for (const field of new Set(apart.flatMap(({ fields }) => fields))) {
    const own = apart.filter(({ fields }) => fields.includes(field))
    const sides = new Set(own.map(({ name }) => chosen[name] ?? 'theirs'))
    const [side] = sides
    if (sides.size === 1) {
      decisions[field] = side!
      continue
    }
    let made = theirs
    for (const { name, place } of own)
      if (chosen[name] === 'mine') made = withPatch(made, patchAt(made, name, place!.mine ?? null, facts))
    decisions[field] = { value: made[field] ?? null }
  }
  return decisions
}

/** Returns the resulting record with the decisions made so far. */
export function resultOf(entry: OutboxEntry, choices: Readonly<Record<string, Decision>>): JsonObject {
  return withPatch(entry.conflict?.remote ?? {}, decidedPatch(collections[entry.collection].rules, entry, choices))
}

/** Fields that are shown even if equal, because they name a list entry or make sense only together. */
const staying = new Set(['name', 'width', 'height'])

/**
 * Reduces nested values to the parts that differ, so that the user needn't search for the difference. Returns other
 * values unchanged.
 */
export function differingParts(values: readonly (Json | undefined)[]): (Json | undefined)[] {
  if (values.every(isJsonObject)) {
    const names = [...new Set(values.flatMap((value) => Object.keys(value)))]
    const kept = names.map((name) => {
      const inner = values.map((value) => value[name])
      const same = inner.every((one) => sameJson(one, inner[0]))
      return { name, inner: same && !staying.has(name) ? [] : differingParts(inner) }
    })
    return values.map((_value, side) =>
      Object.fromEntries(
        kept.flatMap(({ name, inner }): [string, Json][] => (inner[side] === undefined ? [] : [[name, inner[side]]])),
      ),
    )
  }
  if (values.every(Array.isArray)) {
    const lists = values as readonly (readonly Json[])[]
    const alike = lists.every((list) => list.length === lists[0]!.length && list.every(isJsonObject))
    if (!alike) return [...values]
    const rows = lists[0]!.map((_item, at) => differingParts(lists.map((list) => list[at])))
    return lists.map((_list, side) => rows.map((row) => row[side]!))
  }
  return [...values]
}

/** Fields that were merged automatically, with their side. */
export function settledFields(entry: OutboxEntry): { field: string; from: Side | 'both' }[] {
  const { base, mine, theirs } = sidesOf(entry)
  if (!theirs) return []
  const merged = entry.conflict?.merged ?? {}
  return Object.keys(merged)
    .filter((field) => !isJsonObject(merged[field]) || !sameJson(merged[field], base[field]))
    .map((field) => ({ field, from: sameJson(merged[field], mine[field]) ? 'mine' : 'both' }))
}
