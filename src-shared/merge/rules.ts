import type { AclRule, Calendar, CalendarListEntry, Event, Setting } from '#shared/wire/calendar/types'
import type { Task, TaskList } from '#shared/wire/tasks/types'
import type { JsonObject } from '#shared/json'

/**
 * How one field of a record merges when both sides changed it.
 * server: the service owns it, its word stands · scalar: one value, both changed differently is a conflict ·
 * words: text merged by words · map: by key · unit: several fields are one value · keyed: a list of entries known by a
 * key, each merged field by field.
 */
export type Rule =
  | { kind: 'server' }
  | { kind: 'scalar' }
  | { kind: 'words' }
  | { kind: 'map' }
  | { kind: 'unit'; unit: string }
  | { kind: 'keyed'; key: (item: JsonObject) => string }

const server: Rule = { kind: 'server' }
const scalar: Rule = { kind: 'scalar' }
const words: Rule = { kind: 'words' }
const map: Rule = { kind: 'map' }
const time: Rule = { kind: 'unit', unit: 'start' }
const text = (item: JsonObject, name: string): string => String(item[name] ?? '')
const byEmail: Rule = { kind: 'keyed', key: (item) => text(item, 'email').toLowerCase() || `id:${text(item, 'id')}` }
const byReminder: Rule = { kind: 'keyed', key: (item) => `${text(item, 'method')}:${text(item, 'minutes')}` }

/** One rule per field of the wire schema: a new field does not compile until it has one. */
type Rules<T> = Readonly<Record<keyof T & string, Rule>>

const event: Rules<Event> = {
  anyoneCanAddSelf: scalar,
  attachments: { kind: 'keyed', key: (item) => text(item, 'fileUrl') },
  attendees: byEmail,
  attendeesOmitted: server,
  birthdayProperties: scalar,
  colorId: scalar,
  conferenceData: scalar,
  created: server,
  creator: server,
  description: words,
  end: time,
  endTimeUnspecified: time,
  etag: server,
  eventLabelId: scalar,
  eventType: server,
  extendedProperties: map,
  focusTimeProperties: map,
  gadget: map,
  guestsCanInviteOthers: scalar,
  guestsCanModify: scalar,
  guestsCanSeeOtherGuests: scalar,
  htmlLink: server,
  iCalUID: server,
  id: server,
  kind: server,
  location: scalar,
  locked: server,
  organizer: server,
  originalStartTime: server,
  outOfOfficeProperties: map,
  privateCopy: server,
  recurrence: time,
  recurringEventId: server,
  reminders: map,
  sequence: server,
  source: scalar,
  start: time,
  status: scalar,
  summary: scalar,
  transparency: scalar,
  updated: server,
  videoLink: server,
  visibility: scalar,
  workingLocationProperties: scalar,
}

const calendar: Rules<Calendar> = {
  autoAcceptInvitations: scalar,
  conferenceProperties: scalar,
  dataOwner: server,
  description: words,
  etag: server,
  id: server,
  kind: server,
  labelProperties: scalar,
  location: scalar,
  summary: scalar,
  timeZone: scalar,
}

const calendarListEntry: Rules<CalendarListEntry> = {
  accessRole: server,
  autoAcceptInvitations: server,
  backgroundColor: scalar,
  colorId: scalar,
  conferenceProperties: server,
  dataOwner: server,
  defaultReminders: byReminder,
  deleted: server,
  description: server,
  etag: server,
  foregroundColor: scalar,
  hidden: scalar,
  id: server,
  kind: server,
  location: server,
  notificationSettings: map,
  primary: server,
  selected: scalar,
  summary: server,
  summaryOverride: scalar,
  timeZone: server,
}

const aclRule: Rules<AclRule> = { etag: server, id: server, kind: server, role: scalar, scope: server }
const setting: Rules<Setting> = { etag: server, id: server, kind: server, value: scalar }
const taskList: Rules<TaskList> = {
  etag: server,
  id: server,
  kind: server,
  selfLink: server,
  title: scalar,
  updated: server,
}

const task: Rules<Task> = {
  assignmentInfo: server,
  completed: { kind: 'unit', unit: 'status' },
  deleted: server,
  due: scalar,
  etag: server,
  hidden: server,
  id: server,
  kind: server,
  links: server,
  notes: words,
  parent: server,
  position: server,
  selfLink: server,
  status: { kind: 'unit', unit: 'status' },
  title: scalar,
  updated: server,
  webViewLink: server,
}

const bySchema: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  Event: event,
  Calendar: calendar,
  CalendarListEntry: calendarListEntry,
  AclRule: aclRule,
  Setting: setting,
  TaskList: taskList,
  Task: task,
}

/** Lists inside a `map` field that merge by key, not as one value. */
export const innerRules: Readonly<Record<string, Rule>> = { 'reminders.overrides': byReminder }

/** Merged maps that the service refuses as they are: both sides' halves do not fit together, a person decides. */
export const contradicts: Readonly<Record<string, (value: JsonObject) => boolean>> = {
  reminders: (value) =>
    value['useDefault'] === true && Array.isArray(value['overrides']) && value['overrides'].length > 0,
}

/** The rule of a field; a field this version does not know is one value, kept as it is. */
export function ruleOf(schema: string, field: string): Rule {
  return bySchema[schema]?.[field] ?? scalar
}

/** Fields that merge together with this one, itself included. */
export function unitOf(schema: string, field: string): string[] {
  const rule = ruleOf(schema, field)
  if (rule.kind !== 'unit') return [field]
  return Object.entries(bySchema[schema] ?? {})
    .filter(([, other]) => other.kind === 'unit' && other.unit === rule.unit)
    .map(([name]) => name)
}

/** Whether the service owns a field, so that comparing people's edits leaves it out. */
export const isServerOwned = (schema: string, field: string): boolean => ruleOf(schema, field).kind === 'server'
