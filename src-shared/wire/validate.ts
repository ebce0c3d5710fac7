import { isZone } from '../time/zones'
import type { Field, Schema, ServiceTable } from './table'

export interface Violation {
  /** Path, such as `reminders.overrides[2].minutes`. Empty for the whole body. */
  path: string
  rule: ViolationRule
  message: string
  /** Paths of the other fields that it’s about, such as those that would do instead. */
  others?: readonly string[]
}

export type ViolationRule =
  | 'type'
  | 'format'
  | 'const'
  | 'enum'
  | 'required'
  | 'oneOfRequired'
  | 'needsOneOf'
  | 'exclusive'
  | 'min'
  | 'max'
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems'
  | 'pattern'
  | 'mustNotContain'
  | 'urlScheme'
  | 'creatable'
  | 'atMost'
  | 'unknown'

export interface ValidationMode {
  /** Operation ID: decides `requiredFor` and `writableFor`. */
  operation?: string
  kind: 'insert' | 'update' | 'patch' | 'response'
  /** Query parameters of the call: decide which fields are written at all (`needsParam`). */
  params?: Record<string, unknown>
}

/** Services that refuse fields they do not know; the calendar ignores them. */
const refusesUnknownFields = (table: ServiceTable): boolean => table.service !== 'calendar'

/**
 * Validates a body against a schema. Skips fields that the service would ignore (read-only, or without a required query
 * parameter). `null` counts as absent, and a patch may omit required fields. The caller checks immutable fields, which
 * needs the stored record.
 * @returns all violations, outermost and first field first. Empty if the body is valid
 */
export function validate(table: ServiceTable, schema: string, value: unknown, mode: ValidationMode): Violation[] {
  const found: Violation[] = []
  const root = schemaOf(table, schema)
  if (!isRecord(value)) return [{ path: '', rule: 'type', message: `${schema} must be an object` }]
  checkSchema({ table, mode, found, creativeType: value.type }, root, value, '', false)
  return found
}

/** @throws Error when the table lacks the schema: a mistake in the code, not in the input. */
export function schemaOf(table: ServiceTable, name: string): Schema {
  const schema = table.schemas[name]
  if (!schema) throw new Error(`No schema ${name} in ${table.service} ${table.version}`)
  return schema
}

/** True if a call with these parameters writes the field. */
export function isWritten(field: Field, mode: Pick<ValidationMode, 'operation' | 'params'>): boolean {
  if (field.readOnly) return field.writableFor?.includes(mode.operation ?? '') ?? false
  for (const [name, wanted] of Object.entries(field.needsParam ?? {})) if (mode.params?.[name] !== wanted) return false
  return true
}

interface Check {
  table: ServiceTable
  mode: ValidationMode
  found: Violation[]
  /** The type of the creative that is checked, for fields that only some types have. */
  creativeType: unknown
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

function checkSchema(check: Check, schema: Schema, value: Record<string, unknown>, path: string, added: boolean): void {
  if (schema.map) {
    for (const [name, item] of Object.entries(value)) checkValue(check, schema.map, item, join(path, name), value)
    return
  }
  checkFields(check, schema.fields, value, path, added)
  if (check.mode.kind === 'response') return
  // Objects in a patch only contain changes. Only list entries are complete.
  if (check.mode.kind === 'patch' && !added) return
  if (schema.oneOfRequired) {
    const given = schema.oneOfRequired.filter((name) => value[name] !== undefined && value[name] !== null)
    if (given.length !== 1) {
      const message = `Exactly one of ${schema.oneOfRequired.join(', ')} must be given`
      check.found.push({ path, rule: 'oneOfRequired', message })
    }
  }
  if (schema.needsOneOf) {
    const full = schema.needsOneOf.some((group) => group.every((name) => !isEmpty(value[name])))
    if (!full) {
      const groups = schema.needsOneOf.map((group) => group.join(' and ')).join(', or ')
      check.found.push({ path, rule: 'needsOneOf', message: `Needs ${groups}` })
    }
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

function checkFields(
  check: Check,
  fields: Record<string, Field>,
  value: Record<string, unknown>,
  path: string,
  added: boolean,
): void {
  const { mode, found } = check
  for (const [name, field] of Object.entries(fields)) {
    const given = value[name]
    const at = join(path, name)
    if (mode.kind !== 'response' && !isWritten(field, mode)) continue
    if (given === undefined || given === null) {
      if (isRequired(field, mode, added) && applies(check, field, value))
        found.push({ path: at, rule: 'required', message: `Required field: ${at}` })
      continue
    }
    // The format of a record's ID applies only to new ones, because instances have another format
    // (`ID_20260105T090000Z`).
    if (at === 'id' && mode.kind !== 'insert' && typeof given === 'string') continue
    checkValue(check, field, given, at, value)
  }
  if (mode.kind !== 'response') checkCompany(check, fields, value, path, added)
  if (mode.kind === 'response' || !refusesUnknownFields(check.table)) return
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(fields, name)) {
      found.push({ path: join(path, name), rule: 'unknown', message: `Unknown name "${name}": Cannot find field.` })
    }
  }
}

/** True if a field is meaningful given the values around it (`appliesWhen`, `creativeTypes`). */
function applies(check: Check, field: Field, around: Record<string, unknown>): boolean {
  for (const [name, values] of Object.entries(field.appliesWhen ?? {})) if (!values.includes(around[name])) return false
  const type = String(check.creativeType)
  const isOf = (pattern: string): boolean =>
    pattern.startsWith('*') ? type.includes(pattern.slice(1, -1)) : type === pattern
  if (field.creativeTypes && !field.creativeTypes.some(isOf)) return false
  return !field.notCreativeTypes?.some(isOf)
}

/** Fields that need or exclude each other. */
function checkCompany(
  { mode, found }: Check,
  fields: Record<string, Field>,
  value: Record<string, unknown>,
  path: string,
  added: boolean,
): void {
  const has = (name: string): boolean => value[name] !== undefined && value[name] !== null
  const blamed = new Set<string>()
  for (const [name, field] of Object.entries(fields)) {
    const at = join(path, name)
    const other = has(name) ? field.exclusiveWith?.find(has) : undefined
    if (other !== undefined && !blamed.has(other)) {
      blamed.add(name)
      const [message, others] = [`${at} can’t be combined with ${join(path, other)}`, [join(path, other)]]
      found.push({ path: at, rule: 'exclusive', message, others })
    }
    // Inside a patch only new entries of a list are complete.
    const complete = added || mode.kind !== 'patch'
    const needed = [
      ...(complete ? [field.oneOfRequired] : []),
      ...(mode.kind === 'insert' ? [field.oneOfRequiredOnInsert] : []),
    ]
    for (const group of needed) {
      if (!group || group.some(has) || blamed.has([...group].sort().join())) continue
      blamed.add([...group].sort().join())
      const others = group.filter((one) => one !== name).map((one) => join(path, one))
      found.push({ path: at, rule: 'oneOfRequired', message: `One of ${group.join(', ')} must be given`, others })
    }
  }
}

function isRequired(field: Field, mode: ValidationMode, added: boolean): boolean {
  if (mode.kind === 'response') return false
  if (added && field.requiredOnAdd) return true
  if (mode.kind === 'patch') return false
  return (
    field.required === true ||
    field.requiredOnAdd === true ||
    (field.requiredOn?.includes(mode.kind) ?? false) ||
    (field.requiredFor?.includes(mode.operation ?? '') ?? false)
  )
}

function checkValue(check: Check, field: Field, value: unknown, path: string, parent: Record<string, unknown>): void {
  const { table, mode, found } = check
  const report = (rule: ViolationRule, message: string): void => void found.push({ path, rule, message })
  if (field.ref) {
    if (!isRecord(value)) return report('type', `${path} must be an object`)
    return checkSchema(check, schemaOf(table, field.ref), value, path, false)
  }
  switch (field.type) {
    case 'object':
      if (!isRecord(value)) return report('type', `${path} must be an object`)
      return checkFields(check, field.fields ?? {}, value, path, false)
    case 'map':
      if (!isRecord(value)) return report('type', `${path} must be an object`)
      for (const [key, item] of Object.entries(value)) {
        if (item === null && mode.kind !== 'response') continue
        if (field.of) checkValue(check, field.of, item, join(path, key), value)
      }
      return
    case 'array':
      return checkArray(check, field, value, path)
    case 'boolean':
      if (typeof value !== 'boolean') return report('type', `${path} must be true or false`)
      break
    case 'integer':
    case 'number':
      return checkNumber(field, value, report, path, mode.kind !== 'response')
    case 'string':
      if (typeof value !== 'string') return report('type', `${path} must be text`)
      // Limits and formats apply to writes, not to responses.
      if (mode.kind !== 'response') checkText(field, value, report, path, parent)
      break
    case 'any':
    case undefined:
      return
  }
  checkAllowed(check, field, value, report, path)
}

function checkArray(check: Check, field: Field, value: unknown, path: string): void {
  const { found, table, mode } = check
  if (!Array.isArray(value)) return void found.push({ path, rule: 'type', message: `${path} must be a list` })
  const judged = mode.kind !== 'response'
  if (judged && field.maxItems !== undefined && value.length > field.maxItems) {
    found.push({ path, rule: 'maxItems', message: `${path} may have at most ${field.maxItems} entries` })
  }
  if (judged && field.minItems !== undefined && value.length < field.minItems) {
    found.push({
      path,
      rule: 'minItems',
      message: `${path} must have at least ${field.minItems} ${field.minItems === 1 ? 'entry' : 'entries'}`,
    })
  }
  const { of } = field
  if (!of) return
  value.forEach((item: unknown, index) => {
    const at = `${path}[${index}]`
    if (of.ref && isRecord(item)) checkSchema(check, schemaOf(table, of.ref), item, at, true)
    else if (of.type === 'object' && isRecord(item)) checkFields(check, of.fields ?? {}, item, at, true)
    else checkValue(check, of, item, at, {})
  })
  if (judged && of.ref) checkAtMost(found, schemaOf(table, of.ref), value, path)
}

function checkAtMost(found: Violation[], schema: Schema, list: unknown[], path: string): void {
  for (const [name, field] of Object.entries(schema.fields)) {
    for (const [kind, limit] of Object.entries(field.atMost ?? {})) {
      const count = list.filter((item) => isRecord(item) && item[name] === kind).length
      if (count > limit) found.push({ path, rule: 'atMost', message: `${path} may have at most ${limit} of ${kind}` })
    }
  }
}

type Report = (rule: ViolationRule, message: string) => void

const ranges: Record<string, [number, number]> = { int32: [-2147483648, 2147483647], uint32: [0, 4294967295] }

function checkNumber(field: Field, value: unknown, report: Report, path: string, limits: boolean): void {
  if (typeof value !== 'number' || !Number.isFinite(value)) return report('type', `${path} must be a number`)
  if (field.type === 'integer' && !Number.isInteger(value)) return report('type', `${path} must be a whole number`)
  if (!limits) return
  const [low, high] = ranges[field.format ?? ''] ?? [-Infinity, Infinity]
  if (value < low || value > high) return report('format', `${path} is out of range for ${field.format}`)
  if (field.min !== undefined && value < field.min) report('min', `${path} must be at least ${field.min}`)
  if (field.max !== undefined && value > field.max) report('max', `${path} must be at most ${field.max}`)
}

function checkText(field: Field, value: string, report: Report, path: string, parent: Record<string, unknown>): void {
  // Lengths count characters as people do, not UTF-16 units.
  const length = field.minLength === undefined && field.maxLength === undefined ? 0 : [...value].length
  if (field.maxLength !== undefined && length > field.maxLength) {
    report('maxLength', `${path} may have at most ${field.maxLength} characters`)
  }
  if (field.minLength !== undefined && length < field.minLength) {
    report(
      'minLength',
      `${path} must have at least ${field.minLength} ${field.minLength === 1 ? 'character' : 'characters'}`,
    )
  }
  const banned = field.mustNotContain?.find((part) => value.includes(part))
  if (banned !== undefined) report('mustNotContain', `${path} may not contain ${JSON.stringify(banned)}`)
  if (field.pattern && !new RegExp(field.pattern).test(value)) report('pattern', `${path} has an invalid format`)
  const whole = field.format === 'int64' && isInt64(value) ? BigInt(value) : undefined
  if (whole !== undefined && field.min !== undefined && whole < field.min) {
    report('min', `${path} must be at least ${field.min}`)
  }
  if (whole !== undefined && field.max !== undefined && whole > field.max) {
    report('max', `${path} must be at most ${field.max}`)
  }
  const schemes = field.urlSchemes ?? field.urlSchemesByType?.[String(parent.entryPointType)]
  if (schemes && !schemes.includes(schemeOf(value))) {
    report('urlScheme', `${path} must be an address that starts with ${schemes.join(': or ')}:`)
  }
  const form = field.format ? formats[field.format] : undefined
  if (form && !form(value)) report('format', `${path} is not a valid ${field.format}: ${value.slice(0, 100)}`)
}

const schemeOf = (url: string): string => /^([a-z][a-z0-9+.-]*):./i.exec(url)?.[1]?.toLowerCase() ?? ''

function checkAllowed(check: Check, field: Field, value: unknown, report: Report, path: string): void {
  const { mode } = check
  if (field.const !== undefined && value !== field.const) return report('const', `${path} must be ${field.const}`)
  if (field.enum && !field.enumOpen && !field.enum.includes(value as string | boolean)) {
    // Responses may contain values that were added later.
    if (mode.kind !== 'response') return report('enum', `${path} must be one of ${field.enum.join(', ')}`)
  }
  const creates = mode.kind === 'insert' || /(^|\.)createRequest\./.test(path)
  if (mode.kind === 'response' || !creates) return
  const refused =
    field.notCreatable?.includes(String(value)) ?? (field.creatable && !field.creatable.includes(String(value)))
  if (refused) report('creatable', `${path} ${String(value)} cannot be created`)
}

const dateForm = /^(\d{4})-(\d\d)-(\d\d)$/
const dateTimeForm = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?([Zz]|[+-]\d\d:\d\d)?$/

/** A calendar day that exists, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  const match = dateForm.exec(text)
  if (!match) return false
  const [, year, month, day] = match.map(Number) as [number, number, number, number]
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** RFC 3339, on a day that exists, without leap seconds, which no clock here knows; the offset may be left out unless `offsetRequired`. */
export function isDateTime(text: string, offsetRequired = false): boolean {
  const match = dateTimeForm.exec(text)
  if (!match || !isDate(match[1]!)) return false
  if (Number(match[2]) > 23 || Number(match[3]) > 59 || Number(match[4]) > 59) return false
  const offset = match[5]
  if (!offset) return !offsetRequired
  return /^z$/i.test(offset) || (Number(offset.slice(1, 3)) < 24 && Number(offset.slice(4)) < 60)
}

/** A 64-bit number as text, as it travels. */
export const isInt64 = (text: string): boolean =>
  /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)

/** Three capital letters that name a currency. */
const currency = /^[A-Z]{3}$/

const formats: Record<string, (text: string) => boolean> = {
  date: isDate,
  'date-time': (text) => isDateTime(text),
  'iana-time-zone': isZone,
  'iso-4217': (text) => currency.test(text),
  email: (text) => /^[^\s@<>()",;]+@[^\s@<>()",;]+$/.test(text),
  'hex-color': (text) => /^#[0-9a-f]{6}$/i.test(text),
  int64: isInt64,
  uint64: (text) => /^\d{1,20}$/.test(text) && BigInt.asUintN(64, BigInt(text)) === BigInt(text),
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
}
