import { often, seldom, type ServiceRemarks } from '../remark'

const inCalendar = [{ collection: 'calendarList', param: 'calendarId' }] as const

export const calendarRemarks = {
  etags: true,
  send: 'soon',
  merge: {
    fields: {
      Event: {
        attachments: { keyedBy: ['fileUrl'] },
        attendees: { keyedBy: ['email', 'id'] },
        // Set by the service if it omitted guests.
        attendeesOmitted: 'server',
        birthdayProperties: 'scalar',
        conferenceData: 'scalar',
        description: 'words',
        end: { unit: 'start' },
        endTimeUnspecified: { unit: 'start' },
        // Fixed at creation, or counted by the service.
        eventType: 'server',
        iCalUID: 'server',
        originalStartTime: 'server',
        privateCopy: 'server',
        recurringEventId: 'server',
        sequence: 'server',
        recurrence: { unit: 'start' },
        source: 'scalar',
        start: { unit: 'start' },
        workingLocationProperties: 'scalar',
      },
      'Event.reminders': { overrides: { keyedBy: ['method', 'minutes'], all: true } },
      Calendar: { conferenceProperties: 'scalar', description: 'words', labelProperties: 'scalar' },
      CalendarListEntry: {
        conferenceProperties: 'server',
        defaultReminders: { keyedBy: ['method', 'minutes'], all: true },
      },
      // The scope identifies a rule. Another scope is another rule.
      AclRule: { scope: 'server' },
    },
    contradicts: {
      'Event.reminders': (value) =>
        value['useDefault'] === true && Array.isArray(value['overrides']) && value['overrides'].length > 0,
    },
  },
  collections: {
    calendarList: {
      ids: 'content',
      idFrom: { fields: ['id'] },
      listParams: { showDeleted: true, showHidden: true },
      whole: true,
      writeParams: { colorRgbFormat: true },
      gone: { field: 'deleted', is: true },
      pull: { when: 'root', order: 0, patience: often },
      holds: { unless: 'hidden', first: ['primary', 'selected'] },
      words: { one: 'calendar', many: 'calendars' },
    },
    calendars: {
      listedIn: 'calendarList',
      seen: ['summary', 'description'],
      pull: {
        when: 'perRecord',
        order: 3,
        patience: seldom,
        only: { field: 'accessRole', values: ['owner', 'writer'] },
      },
    },
    acl: {
      parents: inCalendar,
      ids: 'content',
      idFrom: { fields: ['scope.type', 'scope.value'], alone: 'default' },
      listParams: { showDeleted: true },
      writeParams: { sendNotifications: false },
      gone: { field: 'role', is: 'none' },
      pull: { when: 'perParent', order: 4, patience: seldom, only: { field: 'accessRole', values: ['owner'] } },
      words: { one: 'sharing rule', many: 'sharing rules' },
    },
    events: {
      parents: inCalendar,
      keep: 'window',
      ids: 'client',
      listParams: { showDeleted: true },
      writeParams: { conferenceDataVersion: 1, supportsAttachments: true },
      // A canceled instance is an exception of a living series: it must be kept, or the occurrence comes back.
      gone: { field: 'status', is: 'cancelled', unless: 'recurringEventId', back: 'confirmed', bare: true },
      // Some organizers hide the guests from each other.
      partial: { field: 'attendeesOmitted', is: true },
      own: ['iCalUID', 'sequence', 'recurringEventId', 'originalStartTime'],
      keepsDeleted: { only: { field: 'accessRole', values: ['owner', 'writer'] } },
      pull: { when: 'perParent', order: 2, patience: often },
      sideEffects: ['recurrence'],
      // A time block names its task.
      names: true,
    },
    settings: { pull: { when: 'root', order: 1, patience: seldom } },
  },
} as const satisfies ServiceRemarks
