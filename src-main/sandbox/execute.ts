import type { JsonObject } from '#shared/json'
import { operation, services, type OperationId, type ServiceName } from '#shared/wire/services'
import { schemaOf } from '#shared/wire/validate'
import { readBody } from './bodies'
import { namesEtag } from './etags'
import { checkFields, parseFields, selectFields } from './fields'
import type { Call, Handler, Handlers, Person, Service } from './operation'
import { readParameters } from './parameters'

export interface Request {
  id: OperationId
  person: Person
  path: Record<string, string>
  query: URLSearchParams
  body: JsonObject
  ifMatch?: string
  ifNoneMatch?: string
}

export interface Answer {
  status: number
  body?: JsonObject
  etag?: string
}

/**
 * Runs one operation: parameters, body, then its handler in one transaction, so that a refusal changes nothing.
 * @throws Problem
 */
export function execute(service: Service, handlers: Handlers, request: Request): Answer {
  const { service: name, method } = operation(request.id)
  const table = services[name]
  const params = readParameters(table, method, request.path, request.query)
  const selection = params.fields ? parseFields(String(params.fields)) : undefined
  if (selection && method.response) checkFields(table, schemaOf(table, method.response).fields, selection)
  const body = readBody(table, method, request.body, params)
  const call = {
    service,
    operation: request.id,
    person: request.person,
    params,
    body: method.request ? body : undefined,
    ifMatch: request.ifMatch,
  } as Call
  const handler = handlers[request.id] as Handler<OperationId>
  const reads = method.httpMethod === 'GET'
  const result = (reads ? handler(call) : service.store.transaction(() => handler(call))) as JsonObject | undefined
  if (result === undefined) return { status: 204 }
  const etag = typeof result.etag === 'string' ? result.etag : undefined
  if (reads && etag && request.ifNoneMatch && namesEtag(request.ifNoneMatch, etag)) return { status: 304, etag }
  return { status: 200, etag, body: selection ? (selectFields(result, selection) as JsonObject) : result }
}

/** Which service's style an address gets for errors. */
export function serviceOfPath(path: string): ServiceName | undefined {
  return (Object.keys(services) as ServiceName[]).find((name) => path.startsWith(`${services[name].basePath}/`))
}
