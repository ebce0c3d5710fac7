import { isJsonObject, type JsonObject } from '#shared/json'
import type { Field, ServiceTable } from '#shared/wire/table'

/**
 * How one field of a record merges when both sides changed it.
 * server: owned by the service, its value wins · scalar: one value, different changes conflict ·
 * words: text merged word by word, or by a function of its own · set: an unordered list merged by its members · map: field by field ·
 * unit: several fields form one value · keyed: a list of entries with keys, each merged field by field.
 */
export type Rule =
  | { kind: 'server' }
  | { kind: 'scalar'; inner?: Rules }
  | WordsRule
  | { kind: 'set' }
  | { kind: 'map'; inner: Rules }
  | { kind: 'unit'; unit: string; inner?: Rules }
  | KeyedRule

export interface WordsRule {
  kind: 'words'
  merge?: MergeText
  /** Maximum number of characters. Two texts that fit may not fit together. */
  max?: number
}

/** Merges two edits of a text. Undefined if both changed the same part differently. */
export type MergeText = (base: string, mine: string, theirs: string) => string | undefined

/** A list whose entries have keys. */
export interface KeyedRule {
  kind: 'keyed'
  /** Fields that form the keys. */
  fields: readonly string[]
  /** Keys of an entry, most significant first, with '' for missing ones. All entries have the same number. */
  keys: (item: JsonObject) => readonly string[]
  inner: Rules
}

/** The rules of one schema. */
export interface Rules {
  /** Rule of a field. A field that the schema doesn't have is one value and stays unchanged. */
  of(field: string): Rule
  /** Fields that merge together with this one, itself included. */
  unit(field: string): string[]
  /** True if the service would reject a merged object, because the halves of both sides exclude each other. */
  contradicts(value: JsonObject): boolean
}

/** Merge rule that flags don't express, as data. The first field in `keyedBy` takes precedence. */
export type RuleRemark =
  | 'server'
  | 'scalar'
  | 'words'
  | 'set'
  | 'map'
  | { unit: string }
  | { keyedBy: readonly string[]; all?: boolean }
  | { words: MergeText }

/** Remarks by schema: rules that flags don't express, and pairs of fields that must not be set together. */
export interface MergeRemarks {
  fields: Readonly<Record<string, Readonly<Record<string, RuleRemark>>>>
  /** Schemas whose lists use these fields as keys, in any record. */
  keyedBy?: Readonly<Record<string, readonly string[]>>
  /** Schemas whose objects are one value, such as a choice or a row of another collection. */
  oneValue?: readonly string[]
  /** Names of fields with prose, which merges word by word. */
  prose?: readonly string[]
  contradicts?: Readonly<Record<string, (value: JsonObject) => boolean>>
}

/** Derives the rules of a record's schema from its flags and the remarks. */
export function rulesOf(table: ServiceTable, schema: string, remarks: MergeRemarks): Rules {
  const { fields = {} } = table.schemas[schema] ?? {}
  return rulesOfFields({ table, remarks, parts: new Map() }, schema, fields, true)
}

interface Facts {
  table: ServiceTable
  remarks: MergeRemarks
  /** Rules of the schemas inside, by name. */
  parts: Map<string, Rules>
}

/** @param record true for the fields of a complete record, whose ID and etag belong to the service */
function rulesOfFields(facts: Facts, path: string, fields: Readonly<Record<string, Field>>, record = false): Rules {
  const rules = new Map<string, Rule>()
  const of = (name: string): Rule => {
    let rule = rules.get(name)
    if (!rule) rules.set(name, (rule = ruleOf(facts, path, name, fields, record)))
    return rule
  }
  return {
    of,
    unit(name) {
      const rule = of(name)
      if (rule.kind !== 'unit') return [name]
      const all = new Set([name, ...Object.keys(fields)])
      return [...all].filter((other) => {
        const same = of(other)
        return same.kind === 'unit' && same.unit === rule.unit
      })
    },
    contradicts: (value) => facts.remarks.contradicts?.[path]?.(value) ?? false,
  }
}

/** Pairs that form a range or alternatives, so the value of one side is meaningless without the other. */
const stretches = [
  ['startDate', 'endDate', 'testingStartDate', 'pricingPeriods'],
  ['startTime', 'endTime'],
]

function ruleOf(
  facts: Facts,
  path: string,
  name: string,
  fields: Readonly<Record<string, Field>>,
  record: boolean,
): Rule {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  const remark = facts.remarks.fields[path]?.[name]
  if (!field) return { kind: 'scalar' }
  const at = `${path}.${name}`
  if (remark !== undefined) return ruleFrom(facts, remark, field, at)
  const ofRecord = record && (name === 'id' || name === 'etag')
  const owned = ofRecord || field.readOnly === true || field.const !== undefined
  if (owned || name.endsWith('DimensionValue')) return { kind: 'server' }
  const stretch = stretches.find((names) => names.includes(name) && names.filter((other) => fields[other]).length > 1)
  if (stretch) return { kind: 'unit', unit: stretch[0]! }
  const inner = innerOf(facts, field, at)
  const choice = Object.keys(fields).find((other) => fields[other]?.exclusiveWith?.includes(name))
  if (field.exclusiveWith ?? choice)
    return { kind: 'unit', unit: [name, ...(field.exclusiveWith ?? [choice!])].sort()[0]!, ...(inner && { inner }) }
  if (field.type === 'array') return listRule(facts, field, at)
  if (field.type === 'string' && facts.remarks.prose?.includes(name)) return wordsRule(field)
  if (!inner) return { kind: 'scalar' }
  return facts.remarks.oneValue?.includes(field.ref ?? '') ? { kind: 'scalar', inner } : { kind: 'map', inner }
}

function ruleFrom(facts: Facts, remark: RuleRemark, field: Field, at: string): Rule {
  const inner = innerOf(facts, field.type === 'array' ? field.of! : field, at) ?? anything
  if (remark === 'words') return wordsRule(field)
  if (typeof remark === 'object' && 'words' in remark) return { ...wordsRule(field), merge: remark.words }
  if (typeof remark === 'object')
    return 'unit' in remark ? { kind: 'unit', unit: remark.unit } : keyedRule(remark.keyedBy, inner, remark.all)
  return remark === 'map' ? { kind: 'map', inner } : { kind: remark }
}

const wordsRule = ({ maxLength }: Field): WordsRule => ({
  kind: 'words',
  ...(maxLength !== undefined && { max: maxLength }),
})

function listRule(facts: Facts, { of: item }: Field, at: string): Rule {
  // Only IDs and listed values are unordered. The fields of a report have an order that a user chose.
  if (item?.type === 'string' && (item.enum || /Ids$/.test(at))) return { kind: 'set' }
  const inner = item && innerOf(facts, item, at)
  const keys = facts.remarks.keyedBy?.[item?.ref ?? '']
  if (!inner || !keys) return { kind: 'scalar' }
  return keyedRule(keys, inner)
}

function innerOf(facts: Facts, field: Field, at: string): Rules | undefined {
  if (!field.ref) return field.fields && rulesOfFields(facts, at, field.fields)
  let rules = facts.parts.get(field.ref)
  if (!rules) {
    const { fields = {} } = facts.table.schemas[field.ref] ?? {}
    facts.parts.set(field.ref, (rules = rulesOfFields(facts, field.ref, fields)))
  }
  return rules
}

/** Rules of an object with arbitrary names: objects merge field by field, everything else is one value. */
const anything: Rules = { of: () => ({ kind: 'scalar' }), unit: (field) => [field], contradicts: () => false }

/** The key is the first of these fields that is set, or all of them together with `all`. Email addresses ignore case. */
function keyedRule(fields: readonly string[], inner: Rules, all = false): KeyedRule {
  const text = (item: JsonObject, name: string): string => {
    const value = item[name]
    const plain = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    return name === 'email' ? plain.toLowerCase() : plain
  }
  const texts = (item: JsonObject): string[] => fields.map((name) => text(item, name))
  return { kind: 'keyed', fields, inner, keys: all ? (item) => [texts(item).join(':')] : texts }
}

/** True if the service owns a field, so that comparisons of users' edits ignore it. */
export const isServerOwned = (rules: Rules, field: string): boolean => rules.of(field).kind === 'server'

/** A value without server-owned fields, so that changes by the service don't count as edits. */
export function ownPart(rule: Rule, value: unknown): unknown {
  if (!('inner' in rule) || !rule.inner) return value
  const { inner } = rule
  if (Array.isArray(value)) return value.map((item) => ownPart({ kind: 'map', inner }, item))
  if (!isJsonObject(value as never)) return value
  return Object.fromEntries(
    Object.entries(value as JsonObject)
      .filter(([name]) => !isServerOwned(inner, name))
      .map(([name, item]) => [name, ownPart(inner.of(name), item)]),
  )
}
