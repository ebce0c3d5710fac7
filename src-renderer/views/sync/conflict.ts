import { collections } from '#shared/domain/collections'
import { isJsonObject, sameJson, type JsonObject } from '#shared/json'
import { withPatch } from '#shared/merge/merge'
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

/** One side deleted what the other changed. */
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

/** What the record will be, field by field, with the choices made so far. */
export function resultOf(entry: OutboxEntry, choices: Readonly<Record<string, Side>>): JsonObject {
  const { mine, theirs } = sidesOf(entry)
  const patch: JsonObject = { ...entry.conflict?.merged }
  for (const field of entry.conflict?.fields ?? []) {
    if (choices[field] === 'mine') patch[field] = mine[field] ?? null
    else delete patch[field]
  }
  return withPatch(theirs ?? {}, patch)
}

/** Fields merged without asking, with who gave them. */
export function settledFields(entry: OutboxEntry): { field: string; from: Side | 'both' }[] {
  const { base, mine, theirs } = sidesOf(entry)
  if (!theirs) return []
  const merged = entry.conflict?.merged ?? {}
  return Object.keys(merged)
    .filter((field) => !isJsonObject(merged[field]) || !sameJson(merged[field], base[field]))
    .map((field) => ({ field, from: sameJson(merged[field], mine[field]) ? 'mine' : 'both' }))
}
