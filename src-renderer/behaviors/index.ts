import type { CollectionName } from '#shared/domain/collections'
import type { Action } from '#shared/mutation/entry'
import type { ActionBehavior, CollectionBehavior, Habits } from '../replica/collection-behavior'
import { reachedPlaces } from '../replica/reach'
import { calendarList, calendars, clearCalendarHabit, transferHabit } from './calendars'
import { importEventHabit, moveEventHabit } from './event-actions'
import { eventIndexes, events } from './events'
import { clearCompletedHabit, moveTaskHabit } from './task-actions'
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
  moveEvent: moveEventHabit,
  importEvent: importEventHabit,
  moveTask: moveTaskHabit,
  clearCompleted: clearCompletedHabit,
  clearCalendar: clearCalendarHabit,
  transferOwnership: transferHabit,
}

const ways: Pick<Habits, 'of' | 'action'> = {
  of: (collection) => special[collection] ?? none,
  action: (name) => actions[name],
}

export const behaviors: Habits = {
  ...ways,
  indexes: {
    ...eventIndexes,
    ...taskIndexes,
    reaches: (entry) => reachedPlaces(ways, entry),
    empties: ({ action, recordId }) => (action && actions[action.name].reach?.lies === 'inside' ? [recordId] : []),
  },
  renewed: waitingForParentsOnly,
}
