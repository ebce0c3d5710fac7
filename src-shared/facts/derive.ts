import type { JsonObject } from '../json'
import { kindAt } from '../fields/kind'
import { fieldAt, listOfFirst } from '../fields/path'
import { rulesOf } from '../merge/rules'
import type { OperationId, ServiceName } from '../wire/services'
import type { Field, Method, ServiceTable } from '../wire/table'
import type { Collection, CollectionName, Cut } from './collection'
import { daily, type Pull, type Remark, type ServiceRemarks } from './remark'
import { collectionOf } from './references'
import { onlySection, type Sheet } from './sheet'

/** Derives the collections of one version of a service from its table and the remarks. @throws Error for an unused remark */
export function deriveCollections(service: ServiceName, table: ServiceTable, remarks: ServiceRemarks): Collection[] {
  const resources = new Map<string, Map<string, Method>>()
  for (const method of table.methods) {
    const [, ...parts] = method.id.split('.')
    const verb = parts.pop()!
    const name = parts.join('.')
    if (!resources.has(name)) resources.set(name, new Map())
    resources.get(name)!.set(verb, method)
  }
  const names = new Set(Object.keys(remarks.collections))
  if (remarks.listed) for (const [name, verbs] of resources) if (verbs.get('list')?.items) names.add(name)
  return [...names].map((name) => {
    const verbs = resources.get(name)
    if (!verbs) throw new Error(`${table.service} ${table.version} has no ${name}`)
    return derive({ service, table, remarks, resources }, name, verbs, remarks.collections[name] ?? {})
  })
}

interface Source {
  service: ServiceName
  table: ServiceTable
  remarks: ServiceRemarks
  /** Methods by resource and verb. */
  resources: ReadonlyMap<string, ReadonlyMap<string, Method>>
}

function derive(
  { service, table, remarks, resources }: Source,
  name: string,
  verbs: ReadonlyMap<string, Method>,
  remark: Remark,
): Collection {
  const list = verbs.get('list')
  const get = verbs.get('get')
  const schema = schemaOf(table, verbs)
  const { fields } = table.schemas[schema]!
  const parents =
    (remark.parents as Collection['parents'] | undefined) ?? parentsOf(list ?? verbs.get('insert'), remarks)
  const around = new Set(parents.map(({ param }) => param))
  const named = Object.keys((get ?? verbs.get('patch') ?? verbs.get('delete'))?.pathParams ?? {}).filter(
    (param) => !around.has(param),
  )
  const idFields = remark.id ?? (fields.id ? ['id'] : named.filter((param) => fields[param]))
  if (idFields.length === 0) throw new Error(`No ID field for ${name}`)
  const idParams = remark.idParams ?? (idFields.length > 1 ? idFields : named.length === 1 ? named : ['id'])
  const title = remark.title ?? ['summary', 'title', 'name', 'value'].find((field) => fields[field])
  const writes = ['insert', 'update', 'patch', 'delete'].filter((verb) => verbs.has(verb))
  const operationOf = (verb: string): OperationId | undefined => verbs.get(verb)?.id as OperationId | undefined
  const has = (path: string): boolean => fieldAt({ table, schema }, path) !== undefined
  const stored = remark.columns?.filter(has)
  // A log reads as when, who, and what.
  const plain = (): string[] =>
    remark.log && stored ? [...stored, ...idFields] : columnsOf(table, schema, title, idFields)
  const sheet = sheetOf(name, remarks.sheets, has, plain)
  const columns =
    stored ??
    (remarks.sheets?.[name] ? tableColumns(table, schema, sheet, idFields) : sheet.columns.map(({ path }) => path))
  const cuts = cutsOf(list, fields, remarks, parents)
  const readMany = list?.queryParams['ids'] && (list.queryParams['maxResults']?.max ?? maxIds)
  return {
    name: name as CollectionName,
    service,
    table,
    schema,
    parents,
    ...(parents.length > 0 && { parent: parents.at(-1)! }),
    idFields,
    idParams,
    ...(remark.idFrom && { idFrom: remark.idFrom }),
    ...(list && { list: { operation: list.id as OperationId, params: listParams(list, remark) } }),
    ...Object.fromEntries(
      ['get', 'insert', 'update', 'patch', 'delete', 'watch'].flatMap((verb) =>
        verbs.has(verb) ? [[verb, operationOf(verb)]] : [],
      ),
    ),
    ...(remark.listedIn && { listedIn: remark.listedIn as CollectionName }),
    ...(remark.recordsOf && { recordsOf: remark.recordsOf as CollectionName }),
    ...withPull(remark, remarks, parents, cuts),
    ...(remark.log && { log: remark.log }),
    cuts,
    keep: remark.keep ?? 'whole',
    columns,
    sheet,
    ...(remark.holds && { holds: remark.holds }),
    ...(remark.sideEffects && { sideEffects: remark.sideEffects }),
    ...(readMany && { readMany }),
    cursor: list && remark.whole ? 'snapshot' : cursorOf(list),
    ids: remark.ids ?? 'service',
    etag: remarks.etags,
    ends: verbs.has('delete') ? 'delete' : fields.archived && !fields.archived.readOnly ? 'archive' : 'never',
    writable: writes.length > 0,
    send: remarks.send,
    ...(remark.writeParams && { writeParams: remark.writeParams }),
    ...(title && { title }),
    words: remark.words ?? wordsOf(schema, name),
    ...(remark.gone && { gone: remark.gone }),
    ...(remark.partial && { partial: remark.partial }),
    own: ['id', ...(remark.own ?? [])],
    ...(remark.keepsDeleted && { keepsDeleted: remark.keepsDeleted }),
    seen: remark.seen ?? (title ? [title] : []),
    ...(remark.needsOneOf && { needsOneOf: remark.needsOneOf }),
    ...(remark.objectType && { objectType: remark.objectType }),
    ...(remark.follows && { follows: remark.follows }),
    ...(remark.notMade && { notMade: remark.notMade }),
    ...(remark.flight && { flight: remark.flight }),
    ...(remark.defaults && { defaults: remark.defaults as JsonObject }),
    filled: filledFields(table, fields, resources.get(parents[0]?.collection ?? '')),
    fixed: [...(remarks.fixed ?? []), ...(remark.fixed ?? [])],
    references: remarks.references ?? false,
    names: remark.names ?? remarks.references ?? false,
    rules: rulesOf(table, schema, remarks.merge),
  }
}

/** Maximum IDs in a list without pages, as in other lists (trafficking behavior, lists). */
const maxIds = 1_000

function schemaOf(table: ServiceTable, verbs: ReadonlyMap<string, Method>): string {
  const own = verbs.get('get')?.response ?? verbs.get('insert')?.response
  if (own) return own
  const list = verbs.get('list')!
  const item = table.schemas[list.response!]!.fields[list.items!]?.of?.ref
  if (!item) throw new Error(`${list.id} returns no list`)
  return item
}

function parentsOf(method: Method | undefined, { parentOf = {} }: ServiceRemarks): Collection['parents'] {
  return Object.keys(method?.pathParams ?? {}).map((param) => {
    const collection = parentOf[param]
    if (!collection) throw new Error(`${method!.id}: unknown collection for ${param}`)
    return { collection: collection as CollectionName, param }
  })
}

/** Fields that the service fills in: marked ones, and references that all parents share. */
function filledFields(
  table: ServiceTable,
  fields: Readonly<Record<string, Field>>,
  around: ReadonlyMap<string, Method> | undefined,
): string[] {
  const outer = around ? Object.keys(table.schemas[schemaOf(table, around)]!.fields) : []
  const said = new Set(outer.map((name) => name.toLowerCase()))
  return Object.keys(fields).filter(
    (name) => fields[name]!.filledWhenUnset || (collectionOf(name) !== undefined && said.has(name.toLowerCase())),
  )
}

/** Maximum page size of the service. */
function listParams({ queryParams }: Method, { listParams = {} }: Remark): Record<string, string | number | boolean> {
  const most = queryParams['maxResults']?.max
  return { ...(most !== undefined && { maxResults: most }), ...listParams }
}

function cursorOf(list: Method | undefined): Collection['cursor'] {
  if (!list) return 'etag'
  return (['syncToken', 'updatedMin', 'minChangeTime'] as const).find((name) => list.queryParams[name]) ?? 'snapshot'
}

function cutsOf(
  list: Method | undefined,
  fields: Readonly<Record<string, Field>>,
  { partsOf = [] }: ServiceRemarks,
  parents: Collection['parents'],
): Cut[] {
  return partsOf.flatMap((by): Cut[] => {
    if (parents.at(-1)?.collection === by) return [{ by: by as CollectionName, many: false }]
    const field = `${by.slice(0, -1)}Id`
    const param = [`${field}s`, field].find((name) => list?.queryParams[name])
    if (param === undefined) return []
    return [{ by: by as CollectionName, param, many: param !== field, ...(fields[field] && { field }) }]
  })
}

/** Default pull: chosen parts of account data, and everything else once. */
function withPull(
  { pull }: Remark,
  { partsOf }: ServiceRemarks,
  parents: Collection['parents'],
  cuts: readonly Cut[],
): { pull?: Pull } {
  if (pull === 'never') return {}
  if (pull) return { pull }
  if (!partsOf) return {}
  if (cuts.length > 0) return { pull: { when: 'chosen', order: 20, patience: daily } }
  return { pull: { when: parents.length > 1 ? 'perParent' : 'reference', order: 30, patience: daily } }
}

/** Fields with one plain value, as many as fit. */
function columnsOf(
  table: ServiceTable,
  schema: string,
  title: string | undefined,
  idFields: readonly string[],
): string[] {
  const plain = Object.entries(table.schemas[schema]!.fields)
    .filter(([name, { type }]) => name !== 'kind' && name !== 'etag' && type !== undefined && !holding.has(type))
    .map(([name]) => name)
  const first = [...(title ? [title] : []), ...idFields]
  return [...new Set([...first, ...plain])].slice(0, maxColumns)
}

/** The sheet with the fields of this version. Without one, the plain fields in one section. */
function sheetOf(
  name: string,
  sheets: ServiceRemarks['sheets'],
  has: (path: string) => boolean,
  plain: () => string[],
): Sheet {
  const remark = sheets?.[name]
  if (!remark) return { columns: plain().map((path) => ({ path, width: 'medium' })), sections: [] }
  const { columns, sections = [onlySection] } = remark
  return {
    place: Object.keys(sheets!).indexOf(name),
    columns: columns.filter(({ path }) => path.startsWith('fx.') || has(path)),
    sections: sections
      .map(({ title, paths }) => ({ title, paths: paths.filter((path) => path === '*' || has(path)) }))
      .filter(({ paths }) => paths.length > 0),
  }
}

/** Stored columns of a sheet: all except computed ones, lists that show their first entry, and the fields that identify records. */
function tableColumns(table: ServiceTable, schema: string, sheet: Sheet, idFields: readonly string[]): string[] {
  const held = sheet.columns.flatMap(({ path }) => {
    const kind = kindAt({ table, schema }, path)
    return kind === undefined || kind === 'parts' || kind === 'part' || kind === 'map' ? [] : [path]
  })
  const apart = ['advertiserId', 'campaignId', 'archived', ...idFields].filter(
    (name) => table.schemas[schema]!.fields[name],
  )
  return [...new Set([...held, ...held.flatMap((path) => listOfFirst(path) ?? []), ...apart])]
}

const holding: ReadonlySet<string> = new Set(['object', 'array', 'map', 'any'])
const maxColumns = 10

/** `TrackingActivityGroup` in `trackingActivityGroups`: a tracking activity group, tracking activity groups. */
function wordsOf(schema: string, name: string): Collection['words'] {
  const spoken = (text: string): string => text.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  const many = spoken(name.split('.').at(-1)!)
  const one = spoken(schema)
  return { one, many: many.startsWith(one.slice(0, 3)) ? many : `${one}s` }
}
