/** A wire table: one service and version in its wire format, as data. */

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A field of a schema. Absent flags are unknown. */
export interface Field {
  type?: 'string' | 'boolean' | 'integer' | 'number' | 'array' | 'map' | 'object' | 'any'
  ref?: string
  of?: Field
  fields?: Record<string, Field>
  format?: string
  const?: string
  enum?: readonly (string | boolean)[]
  enumOpen?: boolean
  min?: number
  max?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  readOnly?: boolean
  readOnlyAfterInsert?: boolean
  /** Read-only in some cases that no flag expresses. */
  readOnlySometimes?: boolean
  immutable?: boolean
  writeOnly?: boolean
  /** Answered by one kind of operation only. */
  onlyIn?: string
  setOnlyOnAdd?: boolean
  writableFor?: readonly string[]
  required?: boolean
  requiredFor?: readonly string[]
  requiredOn?: readonly string[]
  requiredOnAdd?: boolean
  /** Required in some cases that no flag expresses. */
  requiredSometimes?: boolean
  requiredOnInsertSometimes?: boolean
  /** Names of this field and others, at least one of which is required. */
  oneOfRequired?: readonly string[]
  oneOfRequiredOnInsert?: readonly string[]
  /** Fields that exclude this one. */
  exclusiveWith?: readonly string[]
  /** The field, including whether it's required, applies only if another field has one of these values. */
  appliesWhen?: Readonly<Record<string, readonly unknown[]>>
  /** Like `appliesWhen`, for the type of the enclosing creative. `*X*` is any type that contains X. */
  creativeTypes?: readonly string[]
  notCreativeTypes?: readonly string[]
  uniqueWithin?: string
  mustNotContain?: readonly string[]
  lowercased?: boolean
  filledWhenUnset?: boolean
  /** Words for values that don’t speak for themselves, such as numbers and language tags. */
  labels?: Readonly<Record<string, string>>
  needsParam?: Record<string, unknown>
  urlSchemes?: readonly string[]
  urlSchemesByType?: Record<string, readonly string[]>
  atMost?: Record<string, number>
  creatable?: readonly string[]
  notCreatable?: readonly string[]
  keeps?: 'date'
  unit?: string
  default?: unknown
  deprecated?: boolean
  later?: boolean
  inSeed?: boolean
}

export interface Schema {
  fields: Record<string, Field>
  oneOfRequired?: readonly string[]
  needsOneOf?: readonly (readonly string[])[]
  readOnly?: boolean
  /** A map from any name to values of this type. */
  map?: Field
  later?: boolean
}

export interface Parameter extends Field {
  repeated?: boolean
  notWith?: readonly string[]
  mustNotBeFalseWith?: readonly string[]
  expiredStatus?: number
  greaterThan?: string
  offsetRequired?: boolean
}

export interface Method {
  id: string
  httpMethod: HttpMethod
  /** Complete path with `{name}` places; append it to the base address. */
  path: string
  pathParams: Record<string, Parameter>
  queryParams: Record<string, Parameter>
  request?: string
  response?: string
  /** The response field that holds the list. */
  items?: string
  paged?: boolean
  patchSemantics?: boolean
  subscription?: boolean
  /** Returns the file's bytes with `alt=media`. */
  download?: boolean
  upload?: { accept: readonly string[]; maxBytes: number; simple: { path: string; multipart: boolean } }
  /** Absent or empty: anyone may call it. */
  scopes?: readonly string[]
  inSeed: boolean
}

export interface ServiceTable {
  service: string
  version: string
  basePath: string
  commonParams: Record<string, Parameter>
  methods: readonly Method[]
  schemas: Record<string, Schema>
}
