import type { OperationId, ServiceName } from '#shared/wire/services'

/**
 * One row per kind of record that this computer keeps: where it lives on the wire and by which rules it travels.
 * Sync, replica, forms and exports all read this table.
 */
export interface Collection {
  name: CollectionName
  service: ServiceName
  /** The schema of one record in the service's wire table. */
  schema: string
  /** The collection whose record contains these, and the path parameter that names it. */
  parent?: { collection: CollectionName; param: string }
  /** The path parameter that names a record. */
  idParam: string
  list?: { operation: OperationId; params: Readonly<Record<string, string | number | boolean>> }
  get: OperationId
  insert?: OperationId
  update?: OperationId
  patch?: OperationId
  delete?: OperationId
  /** Opens a channel on which the service says that the list has changed. */
  watch?: `calendar.${'acl' | 'calendarList' | 'events' | 'settings'}.watch`
  /** How the next pull finds what changed. `etag`: no list, one GET with If-None-Match per parent record. */
  cursor: 'syncToken' | 'updatedMin' | 'snapshot' | 'etag'
  /**
   * Who makes a new record's id: the service; this computer (a repeated insert answers 409, never a second copy); or its
   * content, so that somebody else's creation may have the same one.
   */
  ids: 'service' | 'client' | 'content'
  /** Whether a record carries an etag that If-Match understands. */
  etag: boolean
  /** Whether a list entry is the complete record, so that a replay may be a PUT. */
  complete: boolean
  /** Query parameters every write needs so that the service keeps what is in the body. */
  writeParams?: Readonly<Record<string, string | number | boolean>>
}

export const collectionNames = ['calendarList', 'calendars', 'acl', 'events', 'settings', 'tasklists', 'tasks'] as const
export type CollectionName = (typeof collectionNames)[number]

export const collections: Readonly<Record<CollectionName, Collection>> = {
  calendarList: {
    name: 'calendarList',
    service: 'calendar',
    schema: 'CalendarListEntry',
    idParam: 'calendarId',
    list: { operation: 'calendar.calendarList.list', params: { maxResults: 250, showDeleted: true, showHidden: true } },
    get: 'calendar.calendarList.get',
    insert: 'calendar.calendarList.insert',
    update: 'calendar.calendarList.update',
    patch: 'calendar.calendarList.patch',
    delete: 'calendar.calendarList.delete',
    watch: 'calendar.calendarList.watch',
    cursor: 'syncToken',
    ids: 'content',
    etag: true,
    complete: true,
    writeParams: { colorRgbFormat: true },
  },
  calendars: {
    name: 'calendars',
    service: 'calendar',
    schema: 'Calendar',
    idParam: 'calendarId',
    get: 'calendar.calendars.get',
    insert: 'calendar.calendars.insert',
    update: 'calendar.calendars.update',
    patch: 'calendar.calendars.patch',
    delete: 'calendar.calendars.delete',
    cursor: 'etag',
    ids: 'service',
    etag: true,
    complete: true,
  },
  acl: {
    name: 'acl',
    service: 'calendar',
    schema: 'AclRule',
    parent: { collection: 'calendarList', param: 'calendarId' },
    idParam: 'ruleId',
    list: { operation: 'calendar.acl.list', params: { maxResults: 250, showDeleted: true } },
    get: 'calendar.acl.get',
    insert: 'calendar.acl.insert',
    update: 'calendar.acl.update',
    patch: 'calendar.acl.patch',
    delete: 'calendar.acl.delete',
    watch: 'calendar.acl.watch',
    cursor: 'syncToken',
    ids: 'content',
    etag: true,
    complete: true,
    writeParams: { sendNotifications: false },
  },
  events: {
    name: 'events',
    service: 'calendar',
    schema: 'Event',
    parent: { collection: 'calendarList', param: 'calendarId' },
    idParam: 'eventId',
    list: { operation: 'calendar.events.list', params: { maxResults: 2500, showDeleted: true } },
    get: 'calendar.events.get',
    insert: 'calendar.events.insert',
    update: 'calendar.events.update',
    patch: 'calendar.events.patch',
    delete: 'calendar.events.delete',
    watch: 'calendar.events.watch',
    cursor: 'syncToken',
    ids: 'client',
    etag: true,
    complete: true,
    writeParams: { conferenceDataVersion: 1, supportsAttachments: true },
  },
  settings: {
    name: 'settings',
    service: 'calendar',
    schema: 'Setting',
    idParam: 'setting',
    list: { operation: 'calendar.settings.list', params: { maxResults: 250 } },
    get: 'calendar.settings.get',
    watch: 'calendar.settings.watch',
    cursor: 'syncToken',
    ids: 'service',
    etag: true,
    complete: true,
  },
  tasklists: {
    name: 'tasklists',
    service: 'tasks',
    schema: 'TaskList',
    idParam: 'tasklist',
    list: { operation: 'tasks.tasklists.list', params: { maxResults: 1000 } },
    get: 'tasks.tasklists.get',
    insert: 'tasks.tasklists.insert',
    update: 'tasks.tasklists.update',
    patch: 'tasks.tasklists.patch',
    delete: 'tasks.tasklists.delete',
    cursor: 'snapshot',
    ids: 'service',
    etag: true,
    complete: true,
  },
  tasks: {
    name: 'tasks',
    service: 'tasks',
    schema: 'Task',
    parent: { collection: 'tasklists', param: 'tasklist' },
    idParam: 'task',
    list: {
      operation: 'tasks.tasks.list',
      params: { maxResults: 100, showCompleted: true, showHidden: true, showDeleted: true, showAssigned: true },
    },
    get: 'tasks.tasks.get',
    insert: 'tasks.tasks.insert',
    update: 'tasks.tasks.update',
    patch: 'tasks.tasks.patch',
    delete: 'tasks.tasks.delete',
    cursor: 'updatedMin',
    ids: 'service',
    etag: true,
    complete: true,
  },
}

/** Ids made up offline until the service gives the real one. */
export const localPrefix = 'local:'
export const isLocalId = (id: string): boolean => id.startsWith(localPrefix)

/** One record's key on this computer, unique within an account. Neither part may hold a newline. */
export function recordKey(collection: CollectionName, parent: string | null, id: string): string {
  return `${collection}\n${parent ?? ''}\n${id}`
}

/** The parts of a text that may be a record's key: the text itself where it is none. */
export const keyParts = (text: string): string[] => text.split('\n')

/** The other way round: the same text again where no part was changed. */
export const joinKeyParts = (parts: readonly string[]): string => parts.join('\n')

export const collectionOf = (key: string): CollectionName => key.slice(0, key.indexOf('\n')) as CollectionName

/** The key of another record of the same collection and parent. */
export const keyBeside = (key: string, id: string): string => key.slice(0, key.lastIndexOf('\n') + 1) + id

export function parseRecordKey(key: string): { collection: CollectionName; parent: string | null; id: string } {
  const [collection, parent, id] = key.split('\n')
  return { collection: collection as CollectionName, parent: parent === '' ? null : parent!, id: id! }
}
