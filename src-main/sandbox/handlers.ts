import { operationIds } from '#shared/wire/services'
import { aclHandlers } from './calendar/acl'
import { calendarListHandlers } from './calendar/calendar-list'
import { calendarHandlers } from './calendar/calendars'
import { eventHandlers } from './calendar/events'
import { otherHandlers } from './calendar/other-handlers'
import { discoveryHandlers } from './discovery/discovery'
import type { Handlers, HandlersOf } from './operation'
import { Problem } from './problems'
import { searchHandlers } from './search/search'
import { dimensionValueHandlers } from './trafficking/dimension-values'
import { reportHandlers } from './trafficking/reports'
import { traffickingHandlers } from './trafficking/trafficking'
import { taskListHandlers } from './tasks/task-lists'
import { taskHandlers } from './tasks/tasks'

const pending = Object.fromEntries(
  operationIds.map((id) => [
    id,
    () => {
      throw new Problem(501, 'notImplemented', `${id} is not there yet`)
    },
  ]),
) as unknown as HandlersOf<'trafficking'> & HandlersOf<'search'>

export const handlers: Handlers = {
  ...pending,
  ...aclHandlers,
  ...calendarListHandlers,
  ...calendarHandlers,
  ...discoveryHandlers,
  ...eventHandlers,
  ...otherHandlers,
  ...dimensionValueHandlers,
  ...reportHandlers,
  ...searchHandlers,
  ...taskListHandlers,
  ...taskHandlers,
  ...traffickingHandlers,
}
