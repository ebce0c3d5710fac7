import { aclHandlers } from './calendar/acl'
import { calendarListHandlers } from './calendar/calendar-list'
import { calendarHandlers } from './calendar/calendars'
import { eventHandlers } from './calendar/events'
import { otherHandlers } from './calendar/other-handlers'
import { discoveryHandlers } from './discovery/discovery'
import type { Handlers } from './operation'
import { searchHandlers } from './search/search'
import { dimensionValueHandlers } from './trafficking/dimension-values'
import { reportHandlers } from './trafficking/reports'
import { traffickingHandlers } from './trafficking/trafficking'
import { taskListHandlers } from './tasks/task-lists'
import { taskHandlers } from './tasks/tasks'

export const handlers: Handlers = {
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
