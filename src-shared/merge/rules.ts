import { isJsonObject, type JsonObject } from '#shared/json'
import type { Field, ServiceTable } from '#shared/wire/table'

/**
 * How one field of a record merges when both sides changed it.
 * server: the service owns it, its word stands · scalar: one value, both changed differently is a conflict ·
 * words: text merged by words · set: a list whose order says nothing, merged by its members · map: field by field ·
 * unit: several fields are one value · keyed: a list of entries known by a key, each merged field by field.
 */
export type Rule =
  | { kind: 'server' }
  | { kind: 'scalar'; inner?: Rules }
  | { kind: 'words' }
  | { kind: 'set' }
  | { kind: 'map'; inner: Rules }
  | { kind: 'unit'; unit: string; inner?: Rules }
  | KeyedRule

/** A list of entries that keys tell apart. */
export interface KeyedRule {
  kind: 'keyed'
  /** The fields that the keys are made of. */
  fields: readonly string[]
  /** An entry's keys, the one that counts most first; '' where it has none. Every entry has as many. */
  keys: (item: JsonObject) => readonly string[]
  inner: Rules
}

/** The rules of one schema. */
export interface Rules {
  /** A field that the schema does not know is one value, kept as it is. */
  of(field: string): Rule
  /** Fields that merge together with this one, itself included. */
  unit(field: string): string[]
  /** Whether a merged object is one that the service refuses as it is: both sides' halves do not fit together. */
  contradicts(value: JsonObject): boolean
}

/** What the flags of a field do not tell, as data; of several fields in `keyedBy` the first counts most. */
export type RuleRemark =
  'server' | 'scalar' | 'words' | 'set' | 'map' | { unit: string } | { keyedBy: readonly string[]; all?: boolean }

/** By schema: the rule of a field where its flags do not tell it, and pairs of fields that must not be set together. */
export interface MergeRemarks {
  fields: Readonly<Record<string, Readonly<Record<string, RuleRemark>>>>
  /** Schemas whose lists are known by these fields, wherever they stand. */
  keyedBy?: Readonly<Record<string, readonly string[]>>
  /** Objects of these schemas are one value: a choice, or a row of another collection. */
  oneValue?: readonly string[]
  /** Fields with these names hold prose. */
  prose?: readonly string[]
  contradicts?: Readonly<Record<string, (value: JsonObject) => boolean>>
}

/** The rules of a record's schema: what its flags say, but for the remarks. */
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

/** @param record whether these are the fields of a whole record, whose id and etag are the service's */
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

/** Pairs that are a stretch of time, or a choice of one: what one side says means nothing without the other. */
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
  const field = fields[name]
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
  if (field.type === 'string' && facts.remarks.prose?.includes(name)) return { kind: 'words' }
  if (!inner) return { kind: 'scalar' }
  return facts.remarks.oneValue?.includes(field.ref ?? '') ? { kind: 'scalar', inner } : { kind: 'map', inner }
}

function ruleFrom(facts: Facts, remark: RuleRemark, field: Field, at: string): Rule {
  const inner = innerOf(facts, field.type === 'array' ? field.of! : field, at) ?? anything
  if (typeof remark === 'object')
    return 'unit' in remark ? { kind: 'unit', unit: remark.unit } : keyedRule(remark.keyedBy, inner, remark.all)
  return remark === 'map' ? { kind: 'map', inner } : { kind: remark }
}

function listRule(facts: Facts, { of: item }: Field, at: string): Rule {
  // Only ids and listed values have no order: what a report shows has one, and it is the person's.
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

/** Of an object with any names in it: objects go field by field, everything else is one value. */
const anything: Rules = { of: () => ({ kind: 'scalar' }), unit: (field) => [field], contradicts: () => false }

/** Known by each of these fields, the first counting most; `all`: by all of them together. E-mail addresses know no case. */
function keyedRule(fields: readonly string[], inner: Rules, all = false): KeyedRule {
  const text = (item: JsonObject, name: string): string => {
    const value = item[name]
    const plain = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    return name === 'email' ? plain.toLowerCase() : plain
  }
  const texts = (item: JsonObject): string[] => fields.map((name) => text(item, name))
  return { kind: 'keyed', fields, inner, keys: all ? (item) => [texts(item).join(':')] : texts }
}

/** Whether the service owns a field, so that comparing people's edits leaves it out. */
export const isServerOwned = (rules: Rules, field: string): boolean => rules.of(field).kind === 'server'

/** The part of a value that people own: what the service says inside of it does not make it another. */
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
