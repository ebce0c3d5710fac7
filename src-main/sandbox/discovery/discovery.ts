import { serviceNames, tableOf, versionsOf, type ServiceName } from '#shared/wire/services'
import type { Field, Method, Parameter, Schema, ServiceTable } from '#shared/wire/table'
import type { DirectoryList, JsonSchema, RestDescription } from '#shared/wire/discovery/types'
import { serviceWord, translatePath, word, type Vocabulary } from '#shared/wire/vocabulary'
import { notFound } from '../problems'
import type { Call, HandlersOf } from '../operation'

const titles: Partial<Record<ServiceName, [title: string, description: string]>> = {
  calendar: ['Calendar', 'Calendars, events and who may see them.'],
  discovery: ['Service directory', 'Which services are supported at this address.'],
  search: ['Search advertising', 'Conversions and reports of search engine accounts.'],
  tasks: ['Tasks', 'Task lists and tasks.'],
  trafficking: ['Trafficking', 'Advertising campaigns: trafficking, reporting and attribution.'],
}

export const discoveryHandlers: HandlersOf<'discovery'> = {
  'discovery.apis.list': (call): DirectoryList => {
    const { name, preferred } = call.params
    const { vocabulary } = call.service
    const items = serviceNames.flatMap((service) =>
      versionsOf(service).map((version) => ({ service, version, preferred: version === versionsOf(service)[0] })),
    )
    return {
      kind: 'discovery#directoryList',
      discoveryVersion: 'v1',
      items: items
        .filter((item) => name === undefined || serviceWord(item.service, vocabulary) === name)
        .filter((item) => !preferred || item.preferred)
        .map((item) => directoryItem(call, item)),
    }
  },
  'discovery.apis.getRest': (call): RestDescription => {
    const service = serviceNames.find((name) => serviceWord(name, call.service.vocabulary) === call.params.api)
    if (!service || !versionsOf(service).includes(call.params.version)) throw notFound('Not Found')
    return describeService(call, tableOf(service, call.params.version), titles[service] ?? [service, ''])
  },
}

function directoryItem(
  call: Call,
  { service, version, preferred }: { service: ServiceName; version: string; preferred: boolean },
): NonNullable<DirectoryList['items']>[number] {
  const [title, description] = titles[service] ?? [service, '']
  const said = serviceWord(service, call.service.vocabulary)
  const path = `/discovery/v1/apis/${said}/${version}/rest`
  return {
    kind: 'discovery#directoryItem',
    id: `${service}:${version}`,
    name: service,
    version,
    title: `${title} API`,
    description,
    discoveryRestUrl: call.service.baseUrl() + path,
    discoveryLink: `.${path.slice('/discovery/v1'.length)}`,
    preferred,
  }
}

/** The machine-readable description of a service, generated from its table, in the naming of the API. */
function describeService(call: Call, table: ServiceTable, [title, description]: [string, string]): RestDescription {
  const { vocabulary } = call.service
  const rootUrl = `${call.service.baseUrl()}/`
  const name = serviceWord(table.service, vocabulary)
  const say = (text: string): string => word(text, vocabulary)
  const scopes = [...new Set(table.methods.flatMap((method) => method.scopes ?? []))]
  return {
    kind: 'discovery#restDescription',
    discoveryVersion: 'v1',
    id: `${name}:${table.version}`,
    name,
    version: table.version,
    title: `${title} API`,
    description,
    protocol: 'rest',
    rootUrl,
    servicePath: '',
    batchPath: `batch/${name}/${table.version}`,
    baseUrl: rootUrl,
    basePath: '',
    auth: {
      oauth2: {
        scopes: Object.fromEntries(scopes.map((scope) => [serviceWord(scope, vocabulary), { description: scope }])),
      },
    },
    parameters: parametersOf(table.commonParams, 'query', say),
    schemas: Object.fromEntries(
      Object.entries(table.schemas).map(([id, schema]) => [say(id), { id: say(id), ...schemaOf(schema, say) }]),
    ),
    resources: resourcesOf(table, vocabulary, say) as RestDescription['resources'],
  }
}

type Say = (text: string) => string

interface Resource {
  methods: Record<string, unknown>
  resources?: Record<string, Resource>
}

/** `trafficking.reports.files.list` is the method `list` of the resource `files` of the resource `reports`. */
function resourcesOf(table: ServiceTable, vocabulary: Vocabulary, say: Say): Record<string, Resource> {
  const root: Resource = { methods: {}, resources: {} }
  for (const method of table.methods) {
    const [, ...names] = method.id.split('.')
    const last = names.pop()!
    let at = root
    for (const name of names) {
      at.resources ??= {}
      at = at.resources[say(name)] ??= { methods: {} }
    }
    at.methods[say(last)] = methodOf(method, vocabulary, say)
  }
  return root.resources!
}

function methodOf(method: Method, vocabulary: Vocabulary, say: Say): unknown {
  const [service, ...rest] = method.id.split('.')
  const { upload, pathParams, queryParams } = method
  const placed = (path: string): string =>
    translatePath(path, vocabulary).replace(/\{(\w+)\}/g, (_place, name: string) => `{${say(name)}}`)
  const path = placed(method.path).replace(/^\//, '')
  const required = Object.keys(queryParams).filter((name) => queryParams[name]!.required)
  return {
    id: [serviceWord(service!, vocabulary), ...rest.map(say)].join('.'),
    httpMethod: method.httpMethod,
    path,
    flatPath: path,
    parameters: {
      ...parametersOf(pathParams, 'path', say),
      ...parametersOf(queryParams, 'query', say),
    },
    parameterOrder: [...Object.keys(pathParams), ...required].map(say),
    ...(method.request ? { request: { $ref: say(method.request) } } : {}),
    ...(method.response ? { response: { $ref: say(method.response) } } : {}),
    ...(method.scopes?.length ? { scopes: method.scopes.map((scope) => serviceWord(scope, vocabulary)) } : {}),
    ...(method.download ? { supportsMediaDownload: true } : {}),
    ...(method.subscription ? { supportsSubscription: true } : {}),
    ...(upload ? { supportsMediaUpload: true, mediaUpload: mediaUploadOf(upload, placed) } : {}),
  }
}

const mediaUploadOf = (
  { accept, maxBytes, simple }: NonNullable<Method['upload']>,
  placed: (path: string) => string,
): unknown => ({
  accept,
  maxSize: String(maxBytes),
  protocols: { simple: { ...simple, path: placed(simple.path) } },
})

function parametersOf(
  parameters: Record<string, Parameter>,
  location: 'path' | 'query',
  say: Say,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [
      say(name),
      {
        ...jsonSchema(parameter, say),
        location,
        ...(location === 'path' || parameter.required ? { required: true } : {}),
        ...(parameter.repeated ? { repeated: true } : {}),
      },
    ]),
  )
}

const schemaOf = ({ fields, map }: Schema, say: Say): JsonSchema => ({
  type: 'object',
  ...(map ? { additionalProperties: jsonSchema(map, say) } : {}),
  properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [say(name), jsonSchema(field, say)])),
})

function jsonSchema(field: Field, say: Say): JsonSchema {
  if (field.ref) return { $ref: say(field.ref) }
  if (field.fields) return schemaOf({ fields: field.fields }, say)
  if (field.type === 'map')
    return { type: 'object', ...(field.of ? { additionalProperties: jsonSchema(field.of, say) } : {}) }
  return {
    type: field.type ?? 'any',
    ...(field.format ? { format: field.format } : {}),
    ...(field.of ? { items: jsonSchema(field.of, say) } : {}),
    ...(field.enum ? { enum: field.enum.map((value) => say(String(value))) } : {}),
    ...(field.default === undefined ? {} : { default: String(field.default) }),
    ...(field.min === undefined ? {} : { minimum: String(field.min) }),
    ...(field.max === undefined ? {} : { maximum: String(field.max) }),
    ...(field.pattern ? { pattern: field.pattern } : {}),
    ...(field.readOnly ? { readOnly: true } : {}),
  }
}
