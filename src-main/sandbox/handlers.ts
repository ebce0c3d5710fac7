import { aclHandlers } from './calendar/acl'
import { calendarListHandlers } from './calendar/calendar-list'
import { calendarHandlers } from './calendar/calendars'
import { eventHandlers } from './calendar/events'
import { otherHandlers } from './calendar/other-handlers'
import type { Handlers } from './operation'
import { taskListHandlers } from './tasks/task-lists'
import { taskHandlers } from './tasks/tasks'

export const handlers: Handlers = {
  ...aclHandlers,
  ...calendarListHandlers,
  ...calendarHandlers,
  ...eventHandlers,
  ...otherHandlers,
  ...taskListHandlers,
  ...taskHandlers,
}
