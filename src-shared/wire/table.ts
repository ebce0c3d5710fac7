/** The shape of a wire table: what one service and version looks like on the wire, as data. */

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One field of a schema. Flags that are absent say nothing either way. */
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
  /** Read-only in cases that no flag tells apart. */
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
  /** Required in cases that no flag tells apart. */
  requiredSometimes?: boolean
  requiredOnInsertSometimes?: boolean
  /** Names of this field and others: at least one must be given. */
  oneOfRequired?: readonly string[]
  oneOfRequiredOnInsert?: readonly string[]
  /** Fields that may not stand beside this one. */
  exclusiveWith?: readonly string[]
  /** The field, and so what is required of it, holds only where another field has one of these values. */
  appliesWhen?: Readonly<Record<string, readonly unknown[]>>
  /** The same for the type of the creative around it; `*X*` is any type that contains X. */
  creativeTypes?: readonly string[]
  notCreativeTypes?: readonly string[]
  uniqueWithin?: string
  mustNotContain?: readonly string[]
  lowercased?: boolean
  filledWhenUnset?: boolean
  /** What a numbered value stands for. */
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
  /** Any name may stand in it, with values of this type. */
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
  /** With `alt=media` it answers the bytes. */
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
