import { collections } from '#shared/domain/collections'
import { isJsonObject, sameJson, type Json, type JsonObject } from '#shared/json'
import { withPatch } from '#shared/merge/merge'
import { decidedPatch } from '#shared/mutation/decided'
import type { OutboxEntry } from '#shared/mutation/entry'

export type Side = 'mine' | 'theirs'

/** Fields that are decided together, as start, end and repetition are. */
export interface Question {
  /** The first field names the choice. */
  name: string
  fields: string[]
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

export function questionsOf(entry: OutboxEntry): Question[] {
  const { rules } = collections[entry.collection]
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

/** True if one side deleted what the other changed. */
export const isDeletion = (entry: OutboxEntry): boolean =>
  entry.conflict !== undefined &&
  (entry.conflict.remote === null || entry.kind === 'delete' || entry.conflict.fields.length === 0)

export function fieldChoices(
  questions: readonly Question[],
  chosen: Readonly<Record<string, Side>>,
): Record<string, Side> {
  return Object.fromEntries(
    questions.flatMap(({ name, fields }) => (chosen[name] ? fields.map((field) => [field, chosen[name]!]) : [])),
  )
}

/** Returns the resulting record with the choices made so far. */
export function resultOf(entry: OutboxEntry, choices: Readonly<Record<string, Side>>): JsonObject {
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
