import type { OperationId } from '../wire/services'
import type { calendarRemarks } from './remarks/calendar'
import type { tasksRemarks } from './remarks/tasks'
import type { traffickingRemarks } from './remarks/trafficking'

type Resource<Service extends string> =
  Extract<OperationId, `${Service}.${string}.list`> extends `${Service}.${infer Name}.list` ? Name : never

/** Every kind of record that this computer keeps. */
export type CollectionName =
  | keyof (typeof calendarRemarks)['collections']
  | keyof (typeof tasksRemarks)['collections']
  | keyof (typeof traffickingRemarks)['collections']
  | Resource<'trafficking'>
