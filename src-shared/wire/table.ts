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
  immutable?: boolean
  setOnlyOnAdd?: boolean
  writableFor?: readonly string[]
  required?: boolean
  requiredFor?: readonly string[]
  requiredOn?: readonly string[]
  requiredOnAdd?: boolean
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
  scopes: readonly string[]
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
