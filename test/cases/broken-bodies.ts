import { isJsonObject, type Json, type JsonObject } from '#shared/json'
import type { Field, Method, Schema, ServiceTable } from '#shared/wire/table'
import { isWritten, schemaOf, type ValidationMode } from '#shared/wire/validate'

/** A body that violates exactly one rule of a schema, and the field at fault. */
export interface BrokenBody {
  schema: string
  rule: string
  /** A path in the body, such as `criteria.dimensions[0].name`: the field, or any of several that contradict each other. */
  blamed: string[]
  body: JsonObject
}

type Step = string | number

export const kindOf = (method: Method): ValidationMode['kind'] =>
  method.patchSemantics ? 'patch' : method.httpMethod === 'PUT' ? 'update' : 'insert'

/**
 * Violates every rule for the operation's fields, each field of each schema once. `seen` contains earlier violations
 * (`Schema.field rule`). `valid` is an accepted body.
 */
export function* brokenBodies(
  table: ServiceTable,
  method: Method,
  valid: JsonObject,
  seen: Set<string>,
): Generator<BrokenBody> {
  const mode: ValidationMode = { operation: method.id, kind: kindOf(method), params: {} }
  yield* brokenSchema(
    { table, mode, seen, entered: new Set(), valid },
    method.request!,
    schemaOf(table, method.request!),
    [],
  )
}

interface Context {
  table: ServiceTable
  mode: ValidationMode
  seen: Set<string>
  /** Schemas currently being violated in this body: each once, however often it occurs. */
  entered: Set<string>
  valid: JsonObject
}

function* brokenSchema(context: Context, name: string, schema: Schema, at: Step[]): Generator<BrokenBody> {
  if (schema.map) return
  yield* brokenFields(context, name, schema.fields, at)
  const complete = context.mode.kind !== 'patch' || typeof at.at(-1) === 'number'
  if (!complete) return
  if (schema.oneOfRequired) {
    yield* broken(context, name, 'oneOfRequired', at, [written(at)], (_around, _last, own) => {
      for (const field of schema.oneOfRequired!) delete own[field]
    })
  }
  if (schema.needsOneOf) {
    yield* broken(context, name, 'needsOneOf', at, [written(at)], (_around, _last, own) => {
      for (const field of schema.needsOneOf!.flat()) delete own[field]
    })
  }
}

function* brokenFields(
  context: Context,
  name: string,
  fields: Record<string, Field>,
  at: Step[],
): Generator<BrokenBody> {
  const { table, mode } = context
  if (table.service !== 'calendar') {
    const path = [...at, 'noSuchField']
    yield* broken(context, name, 'unknown', path, [written(path)], (around) => (around.noSuchField = 'x'))
  }
  for (const [own, field] of Object.entries(fields)) {
    if (!isWritten(field, mode) || field.needsParam) continue
    const path = [...at, own]
    yield* brokenField(context, `${name}.${own}`, field, path)
    for (const [rule, values] of brokenCompany(context, fields, own, field, typeof at.at(-1) === 'number')) {
      const names = rule === 'required' ? [own] : Object.keys(values)
      // A group is violated once, by its first field.
      const label = rule === 'required' ? `${name}.${own}` : `${name} ${[...names].sort().join()}`
      const blamed = names.map((other) => written([...at, other]))
      yield* broken(context, label, rule, path, blamed, (around) => {
        for (const [other, value] of Object.entries(values)) {
          if (value === undefined) delete around[other]
          else around[other] = value
        }
      })
    }
  }
}

function* brokenField(context: Context, label: string, field: Field, path: Step[]): Generator<BrokenBody> {
  const { table } = context
  const rootId = path.length === 1 && path[0] === 'id'
  for (const [rule, value] of wrongValues(field, rootId && context.mode.kind !== 'insert')) {
    yield* broken(context, label, rule, path, [written(path)], (around, last) => (around[last as string] = value))
  }
  if (field.ref) {
    const inner = schemaOf(table, field.ref)
    if (isFirst(context.entered, field.ref)) yield* brokenSchema(context, field.ref, inner, path)
  } else if (field.fields) {
    yield* brokenFields(context, label, field.fields, path)
  } else if (field.type === 'array' && field.of) {
    const { of } = field
    if (of.ref) {
      if (isFirst(context.entered, `list of ${of.ref}`))
        yield* brokenSchema(context, of.ref, schemaOf(table, of.ref), [...path, 0])
    } else if (of.fields) yield* brokenFields(context, label, of.fields, [...path, 0])
    else yield* brokenField(context, `${label}[]`, of, [...path, 0])
  }
}

function isFirst(known: Set<string>, key: string): boolean {
  if (known.has(key)) return false
  known.add(key)
  return true
}

/** One invalid body, unless this rule of this field was violated before. */
function* broken(
  context: Context,
  label: string,
  rule: string,
  path: Step[],
  blamed: string[],
  spoil: (around: Record<string, Json | undefined>, last: Step, own: Record<string, Json | undefined>) => unknown,
): Generator<BrokenBody> {
  if (context.seen.has(`${label} ${rule}`)) return
  const body = structuredClone(context.valid)
  const around = reach(context, body, path.slice(0, -1))
  const own = reach(context, body, path)
  if (!around) return
  context.seen.add(`${label} ${rule}`)
  spoil(around, path.at(-1)!, own ?? {})
  yield { schema: label, rule, blamed, body }
}

export const written = (path: Step[]): string =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  )

/** The object at a path. Creates missing ones as small as the rules allow. */
function reach(context: Context, body: JsonObject, steps: Step[]): Record<string, Json | undefined> | undefined {
  const { table } = context
  let at: Json = body
  let fields: Record<string, Field> | undefined = schemaOf(table, methodSchema(context)).fields
  let field: Field | undefined
  for (const [index, step] of steps.entries()) {
    field = typeof step === 'number' ? field?.of : fields?.[step]
    if (!field) return undefined
    const holder = at as Record<Step, Json>
    const last = index === steps.length - 1
    const next = steps[index + 1]
    if (typeof next === 'number') {
      if (!Array.isArray(holder[step]) || holder[step].length === 0) holder[step] = sample(table, field, context.mode)
    } else if (!isJsonObject(holder[step]) && !(last && field.type === 'array')) {
      holder[step] = sample(table, field, context.mode)
    } else if (last && field.type === 'array' && !Array.isArray(holder[step])) {
      holder[step] = sample(table, field, context.mode)
    }
    at = holder[step]!
    fields = field.ref ? schemaOf(table, field.ref).fields : field.fields
  }
  return at as Record<string, Json>
}

const methodSchema = ({ table, mode }: Context): string =>
  table.methods.find((method) => method.id === mode.operation)!.request!

/** The smallest value that satisfies a field's rules. */
export function sample(table: ServiceTable, field: Field, mode: ValidationMode): Json {
  if (field.const !== undefined) return field.const
  if (field.ref) {
    const { fields, oneOfRequired, needsOneOf } = schemaOf(table, field.ref)
    const value = sampleObject(table, fields, mode)
    for (const name of [...(oneOfRequired?.slice(0, 1) ?? []), ...(needsOneOf?.[0] ?? [])])
      value[name] ??= sample(table, fields[name]!, mode)
    return value
  }
  if (field.fields) return sampleObject(table, field.fields, mode)
  switch (field.type) {
    case 'array':
      return Array.from({ length: Math.max(field.minItems ?? 0, 1) }, () => sample(table, field.of!, mode))
    case 'map':
    case 'object':
      return {}
    case 'boolean':
      return (field.enum?.[0] as boolean | undefined) ?? true
    case 'integer':
    case 'number':
      return Math.max(field.min ?? 1, 1) <= (field.max ?? Infinity) ? Math.max(field.min ?? 1, 1) : field.max!
    default:
      return sampleText(field)
  }
}

function sampleObject(table: ServiceTable, fields: Record<string, Field>, mode: ValidationMode): JsonObject {
  const value: JsonObject = {}
  for (const [name, field] of Object.entries(fields)) {
    if (!isWritten(field, mode)) continue
    const group = field.oneOfRequired ?? (mode.kind === 'insert' ? field.oneOfRequiredOnInsert : undefined)
    const one = group?.[0] === name && !Object.keys(value).some((given) => group.includes(given))
    if (
      field.required ||
      field.requiredOnAdd ||
      field.requiredOn?.length ||
      field.requiredFor?.includes(mode.operation ?? '') ||
      one
    )
      value[name] = sample(table, field, mode)
  }
  return value
}

function sampleText(field: Field): string {
  if (field.enum) return String(field.creatable?.[0] ?? field.enum[0])
  switch (field.format) {
    case 'int64':
    case 'uint64':
      return String(Math.max(field.min ?? 1, 1))
    case 'date':
      return '2027-03-01'
    case 'date-time':
      return '2027-03-01T10:00:00Z'
    case 'email':
      return 'someone@flightplan.example'
    case 'iana-time-zone':
      return 'Europe/Berlin'
    case 'hex-color':
      return '#112233'
    case 'iso-4217':
      return 'EUR'
    case 'uuid':
      return '00000000-0000-4000-8000-000000000000'
    default:
      break
  }
  const scheme = field.urlSchemes?.[0]
  return scheme ? `${scheme}://example.com/` : 'a'.repeat(Math.max(field.minLength ?? 1, 1))
}

const textForms = new Set([
  'date',
  'date-time',
  'email',
  'iana-time-zone',
  'hex-color',
  'iso-4217',
  'uuid',
  'int64',
  'uint64',
])

/** Values that violate one rule of the field itself. */
function* wrongValues(field: Field, formOnly: boolean): Generator<[rule: string, value: Json]> {
  if (field.ref || field.fields || field.type === 'object' || field.type === 'map') {
    yield ['type', 'not an object']
    return
  }
  if (field.type === 'array') {
    yield ['type', 'not a list']
    const filler: Json = field.of?.ref || field.of?.fields ? {} : (field.of?.enum?.[0] ?? 'a')
    if (field.maxItems !== undefined) yield ['maxItems', Array.from({ length: field.maxItems + 1 }, () => filler)]
    if (field.minItems !== undefined) yield ['minItems', Array.from({ length: field.minItems - 1 }, () => filler)]
    return
  }
  if (field.type === 'boolean') yield ['type', 'perhaps']
  if (field.type === 'integer' || field.type === 'number') {
    yield ['type', 'many']
    if (field.min !== undefined) yield ['min', field.min - 1]
    if (field.max !== undefined) yield ['max', field.max + 1]
    if (field.type === 'integer') yield ['whole', 1.5]
    if (field.format === 'int32') yield ['format', 2 ** 31]
  }
  if (field.type !== 'string') return
  // A 64-bit number may be a JSON number.
  yield ['type', field.format?.endsWith('int64') ? true : 5]
  if (formOnly) return
  if (field.const !== undefined) yield ['const', 'something#else']
  else if (field.enum && !field.enumOpen) yield ['enum', 'NO_SUCH_VALUE']
  else if (field.format && textForms.has(field.format)) yield ['format', 'no such form']
  if (field.maxLength !== undefined) yield ['maxLength', 'a'.repeat(field.maxLength + 1)]
  if (field.minLength !== undefined && field.minLength > 0) yield ['minLength', 'a'.repeat(field.minLength - 1)]
  if (field.pattern && !field.enum) yield ['pattern', '§ §']
  if (field.mustNotContain) yield ['mustNotContain', `a${field.mustNotContain[0]}a`]
  if (field.urlSchemes) yield ['urlScheme', 'gopher://example.com/']
  if (field.format === 'int64' && field.min !== undefined) yield ['min', String(BigInt(field.min) - 1n)]
  if (field.format === 'int64' && field.max !== undefined) yield ['max', String(BigInt(field.max) + 1n)]
}

/** Other fields to set (or, if undefined, to remove) so that they contradict each other or one is missing. */
function* brokenCompany(
  { table, mode, valid }: Context,
  fields: Record<string, Field>,
  name: string,
  field: Field,
  added: boolean,
): Generator<[rule: string, values: Record<string, Json | undefined>]> {
  const other = field.exclusiveWith?.find((candidate) => fields[candidate])
  const removed = (names: readonly string[]): Record<string, undefined> =>
    Object.fromEntries(names.map((each) => [each, undefined]))
  if (other) {
    const both = { [name]: sample(table, field, mode), [other]: sample(table, fields[other]!, mode) }
    yield ['exclusive', { ...removed(field.exclusiveWith!), ...both }]
  }
  const complete = added || mode.kind !== 'patch'
  if (field.oneOfRequired && complete) yield ['oneOfRequired', removed(field.oneOfRequired)]
  if (field.oneOfRequiredOnInsert && mode.kind === 'insert')
    yield ['oneOfRequired', removed(field.oneOfRequiredOnInsert)]
  const conditional = field.appliesWhen ?? {}
  const type = String(valid.type)
  const isOf = (pattern: string): boolean =>
    pattern.startsWith('*') ? type.includes(pattern.slice(1, -1)) : type === pattern
  const creative = (!field.creativeTypes || field.creativeTypes.some(isOf)) && !field.notCreativeTypes?.some(isOf)
  const required =
    (added && field.requiredOnAdd) ||
    (mode.kind !== 'patch' &&
      (field.required ||
        field.requiredOnAdd ||
        field.requiredOn?.includes(mode.kind) ||
        field.requiredFor?.includes(mode.operation ?? '')))
  if (required && creative) {
    yield [
      'required',
      {
        ...Object.fromEntries(Object.entries(conditional).map(([at, values]) => [at, values[0] as Json])),
        [name]: undefined,
      },
    ]
  }
}
