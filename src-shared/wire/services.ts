import { tables, type Operations } from './tables'
import type { Method, ServiceTable } from './table'

export type { Operations }
export type OperationId = keyof Operations
export type ServiceName = keyof typeof tables

/** Version by service, for those with several. Defaults to the newest. */
export type Versions = Partial<Record<ServiceName, string>>

const byVersion = tables as unknown as Record<ServiceName, Record<string, ServiceTable>>

export const serviceNames = Object.keys(byVersion) as ServiceName[]

/** Versions of a service, newest first. */
export const versionsOf = (service: ServiceName): string[] => Object.keys(byVersion[service])

const newest = Object.fromEntries(serviceNames.map((name) => [name, versionsOf(name)[0]!])) as Record<
  ServiceName,
  string
>

export const newestOf = (service: ServiceName): string => newest[service]

/** @throws Error for an unknown version of the service */
export function tableOf(service: ServiceName, version: string = newest[service]): ServiceTable {
  const table = byVersion[service][version]
  if (!table) throw new Error(`No version ${version} of ${service}`)
  return table
}

/** The newest table of every service. */
export const services = Object.fromEntries(serviceNames.map((name) => [name, tableOf(name)])) as Readonly<
  Record<ServiceName, ServiceTable>
>

const methods = new Map<ServiceTable, Map<string, Method>>()
const serviceOf = new Map<string, ServiceName>()
for (const service of serviceNames) {
  for (const version of versionsOf(service)) {
    const table = tableOf(service, version)
    methods.set(table, new Map(table.methods.map((method) => [method.id, method])))
    for (const method of table.methods) serviceOf.set(method.id, service)
  }
}

export interface Operation {
  service: ServiceName
  table: ServiceTable
  method: Method
}

/**
 * The table row of an operation in a version.
 * @throws Error if no table has it
 */
export function operation(id: OperationId, versions: Versions = {}): Operation {
  const service = serviceOf.get(id)
  if (!service) throw new Error(`No such operation: ${id}`)
  const table = tableOf(service, versions[service])
  const method = methods.get(table)?.get(id)
  if (!method) throw new Error(`${table.service} ${table.version} has no operation ${id}`)
  return { service, table, method }
}

/** Every operation of every version, without duplicates. */
export const operationIds = [...serviceOf.keys()] as OperationId[]
