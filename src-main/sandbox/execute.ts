import type { JsonObject } from '#shared/json'
import {
  operation,
  serviceNames,
  tableOf,
  versionsOf,
  type OperationId,
  type ServiceName,
  type Versions,
} from '#shared/wire/services'
import { translatePath } from '#shared/wire/vocabulary'
import { schemaOf } from '#shared/wire/validate'
import { readBody } from './bodies'
import { namesEtag } from './etags'
import { checkFields, parseFields, selectFields } from './fields'
import { Media, type Call, type Handler, type Handlers, type Person, type Service, type Upload } from './operation'
import { readParameters } from './parameters'
import { Problem, invalidParameter } from './problems'

export interface Request {
  id: OperationId
  versions?: Versions
  person: Person
  path: Record<string, string>
  query: URLSearchParams
  body: JsonObject
  upload?: Upload
  ifMatch?: string
  ifNoneMatch?: string
}

export interface Answer {
  status: number
  body?: JsonObject
  media?: Media
  etag?: string
}

/**
 * Runs one operation: validates parameters and body, then runs the handler in a transaction, so that an error changes
 * nothing.
 * @throws Problem
 */
export function execute(service: Service, handlers: Handlers, request: Request): Answer {
  const { table, method } = operation(request.id, request.versions)
  const params = readParameters(table, method, request.path, request.query)
  if (params.alt === 'media' ? !method.download : params.alt === 'proto') {
    throw invalidParameter(`Invalid value for alt: ${String(params.alt)}. This operation answers JSON.`, 'alt')
  }
  const selection = params.fields ? parseFields(String(params.fields)) : undefined
  if (selection && method.response) checkFields(table, schemaOf(table, method.response).fields, selection)
  const body = readBody(table, method, request.body, params)
  const call = {
    service,
    operation: request.id,
    table,
    method,
    upload: request.upload,
    person: request.person,
    params,
    body: method.request ? body : undefined,
    ifMatch: request.ifMatch,
  } as Call
  const handler = handlers[request.id] as Handler<OperationId>
  const reads = method.httpMethod === 'GET'
  const result = (reads ? handler(call) : service.store.transaction(() => handler(call))) as
    | JsonObject
    | Media
    | Problem
    | undefined
  if (result === undefined) return { status: 204 }
  // A returned problem, unlike a thrown one, keeps what the handler wrote before.
  if (result instanceof Problem) throw result
  if (result instanceof Media) {
    if (reads && result.etag && request.ifNoneMatch && namesEtag(request.ifNoneMatch, result.etag))
      return { status: 304, etag: result.etag }
    return { status: 200, media: result }
  }
  const etag = typeof result.etag === 'string' ? result.etag : undefined
  if (reads && etag && request.ifNoneMatch && namesEtag(request.ifNoneMatch, etag)) return { status: 304, etag }
  return { status: 200, etag, body: selection ? (selectFields(result, selection) as JsonObject) : result }
}

/** Service whose error style an address gets, in either vocabulary. */
export function serviceOfPath(path: string): ServiceName | undefined {
  const neutral = translatePath(path, 'neutral')
  return serviceNames.find((name) =>
    versionsOf(name).some((version) => neutral.startsWith(`${tableOf(name, version).basePath}/`)),
  )
}
