import calendarTable from './calendar-v3.json'
import tasksTable from './tasks-v1.json'
import type { Operations as CalendarOperations } from './calendar-v3.types'
import type { Operations as TasksOperations } from './tasks-v1.types'
import type { Method, ServiceTable } from './table'

export interface Operations extends CalendarOperations, TasksOperations {}
export type OperationId = keyof Operations

/** Every wire table, by service name. A new service is one more entry here. */
export const services = {
  calendar: calendarTable as unknown as ServiceTable,
  tasks: tasksTable as unknown as ServiceTable,
} as const

export type ServiceName = keyof typeof services

const methods = new Map<string, { service: ServiceName; method: Method }>()
for (const service of Object.keys(services) as ServiceName[]) {
  for (const method of services[service].methods) methods.set(method.id, { service, method })
}

/** The row of an operation. @throws Error when no table has it. */
export function operation(id: OperationId): { service: ServiceName; method: Method } {
  const found = methods.get(id)
  if (!found) throw new Error(`No such operation: ${id}`)
  return found
}

export const operationIds = [...methods.keys()] as OperationId[]
