import type { CollectionName } from '#shared/domain/collections'
import type { Action } from '#shared/mutation/entry'
import type { ActionBehavior, CollectionBehavior, Behaviors } from '../replica/collection-behavior'
import { reachedPlaces } from '../replica/reach'
import { calendarList, calendars, clearCalendarBehavior, transferBehavior } from './calendars'
import { importEventBehavior, moveEventBehavior } from './event-actions'
import { eventIndexes, events } from './events'
import { clearCompletedBehavior, moveTaskBehavior } from './task-actions'
import { waitingForParentsOnly } from './task-ranks'
import { taskIndexes, tasklists, tasks } from './tasks'

/** Collections with special behavior. All others use the defaults. */
const special: Readonly<Partial<Record<CollectionName, CollectionBehavior>>> = {
  calendarList,
  calendars,
  events,
  tasklists,
  tasks,
}
const none: CollectionBehavior = {}

const actions: Readonly<Record<Action['name'], ActionBehavior>> = {
  moveEvent: moveEventBehavior,
  importEvent: importEventBehavior,
  moveTask: moveTaskBehavior,
  clearCompleted: clearCompletedBehavior,
  clearCalendar: clearCalendarBehavior,
  transferOwnership: transferBehavior,
}

const ways: Pick<Behaviors, 'of' | 'action'> = {
  of: (collection) => special[collection] ?? none,
  action: (name) => actions[name],
}

export const behaviors: Behaviors = {
  ...ways,
  indexes: {
    ...eventIndexes,
    ...taskIndexes,
    reaches: (entry) => reachedPlaces(ways, entry),
    empties: ({ action, recordId }) => (action && actions[action.name].reach?.lies === 'inside' ? [recordId] : []),
  },
  renewed: waitingForParentsOnly,
}
