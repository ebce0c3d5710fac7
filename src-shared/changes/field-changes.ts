import type { Collection } from '#shared/facts/collection'
import { fieldsWithin, withValueAt } from '#shared/fields/path'
import { isJsonObject, sameJson, type Json, type JsonObject } from '#shared/json'
import type { Rule } from '#shared/merge/rules'
import type { Field } from '#shared/wire/table'

/** One place in a record that an edit changed. */
export interface FieldChange {
  /** `pricingSchedule.pricingPeriods.0.units` */
  path: string
  before: Json | undefined
  after: Json | undefined
}

type Kind = Pick<Collection, 'table' | 'schema' | 'rules'>

/** Fields that come with another one and say nothing of their own. */
const silent = new Set(['kind', 'etag'])

/** Names of what may differ between two objects, in the order of the fields. An edit leaves most values the same. */
function namesIn(fields: Readonly<Record<string, Field>>, old: JsonObject, now: JsonObject): string[] {
  const found = new Set<string>()
  for (const one of [old, now])
    for (const name of Object.keys(one)) if (old[name] !== now[name] && !silent.has(name)) found.add(name)
  if (found.size < 2) return [...found]
  const known = Object.keys(fields).filter((name) => found.delete(name))
  return [...known, ...found]
}

/**
 * Places in which two versions of a record differ, as deep as people edit them: inside objects, and inside lists whose
 * entries stay where they are. A size or a list with keys is one place.
 */
export function fieldChanges(
  { table, schema, rules }: Kind,
  before: JsonObject | null,
  after: JsonObject | null,
): FieldChange[] {
  const found: FieldChange[] = []
  const walk = (field: Field, rule: Rule | undefined, path: string, old: Json | undefined, now: Json | undefined) => {
    if (old === now) return
    if (isJsonObject(old) && isJsonObject(now) && canEnter(field, rule)) return inObject(field, rule, path, old, now)
    if (Array.isArray(old) && Array.isArray(now) && old.length === now.length && isPlainList(field, rule, old, now))
      return old.forEach((one, at) => walk(field.of!, undefined, `${path}.${at}`, one, now[at]))
    if (!sameJson(old ?? undefined, now ?? undefined))
      found.push({ path, before: old ?? undefined, after: now ?? undefined })
  }
  const inObject = (field: Field, rule: Rule | undefined, path: string, old: JsonObject, now: JsonObject): void => {
    const fields = fieldsWithin(table, field) ?? {}
    const inner = rule && 'inner' in rule ? rule.inner : undefined
    for (const name of namesIn(fields, old, now))
      walk(fields[name] ?? {}, inner?.of(name), `${path}.${name}`, old[name], now[name])
  }
  const { fields } = table.schemas[schema]!
  const [old, now] = [before ?? {}, after ?? {}]
  for (const name of namesIn(fields, old, now)) walk(fields[name] ?? {}, rules.of(name), name, old[name], now[name])
  return found

  function canEnter(field: Field, rule: Rule | undefined): boolean {
    if (rule && rule.kind === 'scalar') return false
    return fieldsWithin(table, field) !== undefined
  }
  function isPlainList(field: Field, rule: Rule | undefined, old: readonly Json[], now: readonly Json[]): boolean {
    if (rule?.kind === 'keyed' || rule?.kind === 'set' || !field.of || !fieldsWithin(table, field.of)) return false
    return [...old, ...now].every(isJsonObject)
  }
}

/** A record with the changes made, or undone. Empty objects that this leaves behind count as nothing. */
export function withChanges(record: JsonObject, changes: readonly FieldChange[], to: 'before' | 'after'): JsonObject {
  return changes.reduce((made, change) => withValueAt(made, change.path, change[to] ?? null) as JsonObject, record)
}
