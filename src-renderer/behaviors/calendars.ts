import { isLocalId, parseRecordKey, recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { Action, OutboxEntry } from '#shared/mutation/entry'
import { addAction } from '../replica/act'
import type { EditContext } from '../replica/context'
import { eventKeys } from './calendar-items'
import type { ActionBehavior, CollectionBehavior, Reach, Shows } from '../replica/collection-behavior'
import type { Memory } from '../replica/memory'
import { hides } from '../replica/reach'

const sharedFields = ['summary', 'description', 'location', 'timeZone'] as const

const allInside: Reach = { lies: 'inside', has: () => true }

/** A calendar is in two collections: its own record, and the calendar list with the user's settings. */
export const calendars: CollectionBehavior = {
  showsNew: (_memory, key, value) =>
    inList(key, {
      ...shared(value),
      id: parseRecordKey(key).id,
      accessRole: 'owner',
      selected: true,
      defaultReminders: [],
    }),
  showsChange: (key, patch) => inList(key, shared(patch)),
  hides: (key) => [listKey(key)],
  contained: ofThisId,
  contents: (memory, key) => eventKeys(memory, parseRecordKey(key).id),
  reach: allInside,
}

export const calendarList: CollectionBehavior = {
  contained: ofThisId,
}

/** Removes all events of a calendar, but not the people it is shared with. */
export const clearCalendarBehavior: ActionBehavior = {
  run: (context, key, action) => {
    const { memory } = context.tx
    const shows = eventKeys(memory, parseRecordKey(key).id).map((event) => hides(memory, event))
    return onCalendar(context, key, action, shows)
  },
  reach: { lies: 'inside', has: ({ record: { collection } }) => collection === 'events' },
}
export const transferBehavior: ActionBehavior = {
  run: (context, key, action) => onCalendar(context, key, action),
}

/** An action on a whole calendar, which can't be undone once it's sent. */
function onCalendar(context: EditContext, key: string, action: Action, shows: Shows = []): string {
  addAction(context, key, action, shows, { back: undefined })
  return key
}

const listKey = (key: string): string => recordKey('calendarList', null, parseRecordKey(key).id)

function shared(fields: JsonObject): JsonObject {
  const found: JsonObject = {}
  for (const field of sharedFields) if (fields[field] !== undefined) found[field] = fields[field]
  return found
}

/** Effects of a calendar's own properties on the calendar list. */
const inList = (key: string, patch: JsonObject): Shows =>
  Object.keys(patch).length > 0 ? [{ key: listKey(key), patch }] : []

/** Pending changes to the other record of a calendar that only has a local ID. */
function ofThisId(memory: Memory, key: string): OutboxEntry[] {
  const { id } = parseRecordKey(key)
  return isLocalId(id) ? memory.outbox.find('record', id) : []
}
