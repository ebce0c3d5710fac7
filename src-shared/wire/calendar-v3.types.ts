// Generated from calendar-v3.json by scripts/generate-wire-types.mjs. Do not edit.

export interface Acl {
  etag?: string
  items?: Array<AclRule>
  kind?: string
  nextPageToken?: string
  nextSyncToken?: string
}

export interface AclRule {
  etag?: string
  id?: string
  kind?: string
  role?: "none" | "freeBusyReader" | "reader" | "writerWithoutPrivateAccess" | "writer" | "owner"
  scope?: { type?: "default" | "user" | "group" | "domain"; value?: string }
}

export interface Calendar {
  autoAcceptInvitations?: boolean
  conferenceProperties?: ConferenceProperties
  dataOwner?: string
  description?: string
  etag?: string
  id?: string
  kind?: string
  labelProperties?: LabelProperties
  location?: string
  summary?: string
  timeZone?: string
}

export interface CalendarList {
  etag?: string
  items?: Array<CalendarListEntry>
  kind?: string
  nextPageToken?: string
  nextSyncToken?: string
}

export interface CalendarListEntry {
  accessRole?: "freeBusyReader" | "reader" | "writerWithoutPrivateAccess" | "writer" | "owner"
  autoAcceptInvitations?: boolean
  backgroundColor?: string
  colorId?: string
  conferenceProperties?: ConferenceProperties
  dataOwner?: string
  defaultReminders?: Array<EventReminder>
  deleted?: boolean
  description?: string
  etag?: string
  foregroundColor?: string
  hidden?: boolean
  id?: string
  kind?: string
  location?: string
  notificationSettings?: { notifications?: Array<CalendarNotification> }
  primary?: boolean
  selected?: boolean
  summary?: string
  summaryOverride?: string
  timeZone?: string
}

export interface CalendarNotification {
  method?: "email"
  type?: "eventCreation" | "eventChange" | "eventCancellation" | "eventResponse" | "agenda"
}

export interface Channel {
  address?: string
  expiration?: string
  id?: string
  kind?: string
  params?: Record<string, string>
  payload?: boolean
  resourceId?: string
  resourceUri?: string
  token?: string
  type?: "web_hook" | "webhook"
}

export interface ColorDefinition {
  background?: string
  foreground?: string
}

export interface Colors {
  calendar?: Record<string, ColorDefinition>
  event?: Record<string, ColorDefinition>
  kind?: string
  updated?: string
}

export interface ConferenceData {
  conferenceId?: string
  conferenceSolution?: ConferenceSolution
  createRequest?: CreateConferenceRequest
  entryPoints?: Array<EntryPoint>
  notes?: string
  parameters?: ConferenceParameters
  signature?: string
}

export interface ConferenceParameters {
  addOnParameters?: ConferenceParametersAddOnParameters
}

export interface ConferenceParametersAddOnParameters {
  parameters?: Record<string, string>
}

export interface ConferenceProperties {
  allowedConferenceSolutionTypes?: Array<"eventVideo" | "eventNamedVideo" | "videoMeet">
}

export interface ConferenceRequestStatus {
  statusCode?: "pending" | "success" | "failure"
}

export interface ConferenceSolution {
  iconUri?: string
  key?: ConferenceSolutionKey
  name?: string
}

export interface ConferenceSolutionKey {
  type?: "eventVideo" | "eventNamedVideo" | "videoMeet" | "addOn"
}

export interface CreateConferenceRequest {
  conferenceSolutionKey?: ConferenceSolutionKey
  requestId?: string
  status?: ConferenceRequestStatus
}

export interface EntryPoint {
  accessCode?: string
  entryPointFeatures?: Array<string>
  entryPointType?: "video" | "phone" | "sip" | "more"
  label?: string
  meetingCode?: string
  passcode?: string
  password?: string
  pin?: string
  regionCode?: string
  uri?: string
}

export interface Error {
  domain?: string
  reason?: "groupTooBig" | "tooManyCalendarsRequested" | "notFound" | "internalError" | (string & {})
}

export interface Event {
  anyoneCanAddSelf?: boolean
  attachments?: Array<EventAttachment>
  attendees?: Array<EventAttendee>
  attendeesOmitted?: boolean
  birthdayProperties?: EventBirthdayProperties
  colorId?: string
  conferenceData?: ConferenceData
  created?: string
  creator?: { displayName?: string; email?: string; id?: string; self?: boolean }
  description?: string
  end?: EventDateTime
  endTimeUnspecified?: boolean
  etag?: string
  eventLabelId?: string
  eventType?: "birthday" | "default" | "focusTime" | "fromGmail" | "outOfOffice" | "workingLocation"
  extendedProperties?: { private?: Record<string, string>; shared?: Record<string, string> }
  focusTimeProperties?: EventFocusTimeProperties
  gadget?: { display?: "icon" | "chip"; height?: number; iconLink?: string; link?: string; preferences?: Record<string, string>; title?: string; type?: string; width?: number }
  guestsCanInviteOthers?: boolean
  guestsCanModify?: boolean
  guestsCanSeeOtherGuests?: boolean
  htmlLink?: string
  iCalUID?: string
  id?: string
  kind?: string
  location?: string
  locked?: boolean
  organizer?: { displayName?: string; email?: string; id?: string; self?: boolean }
  originalStartTime?: EventDateTime
  outOfOfficeProperties?: EventOutOfOfficeProperties
  privateCopy?: boolean
  recurrence?: Array<string>
  recurringEventId?: string
  reminders?: { overrides?: Array<EventReminder>; useDefault?: boolean }
  sequence?: number
  source?: { title?: string; url?: string }
  start?: EventDateTime
  status?: "confirmed" | "tentative" | "cancelled"
  summary?: string
  transparency?: "opaque" | "transparent"
  updated?: string
  videoLink?: string
  visibility?: "default" | "public" | "private" | "confidential"
  workingLocationProperties?: EventWorkingLocationProperties
}

export interface EventAttachment {
  fileId?: string
  fileUrl?: string
  iconLink?: string
  mimeType?: string
  title?: string
}

export interface EventAttendee {
  additionalGuests?: number
  asyncOperation?: "inProgress"
  comment?: string
  displayName?: string
  email?: string
  id?: string
  optional?: boolean
  organizer?: boolean
  resource?: boolean
  responseStatus?: "needsAction" | "declined" | "tentative" | "accepted"
  self?: boolean
}

export interface EventBirthdayProperties {
  contact?: string
  customTypeName?: string
  type?: "anniversary" | "birthday" | "custom" | "other" | "self"
}

export interface EventDateTime {
  date?: string
  dateTime?: string
  timeZone?: string
}

export interface EventFocusTimeProperties {
  autoDeclineMode?: "declineNone" | "declineAllConflictingInvitations" | "declineOnlyNewConflictingInvitations"
  chatStatus?: "available" | "doNotDisturb"
  declineMessage?: string
}

export interface EventLabel {
  backgroundColor?: string
  id?: string
  name?: string
}

export interface EventOutOfOfficeProperties {
  autoDeclineMode?: "declineNone" | "declineAllConflictingInvitations" | "declineOnlyNewConflictingInvitations"
  declineMessage?: string
}

export interface EventReminder {
  method?: "email" | "popup"
  minutes?: number
}

export interface EventWorkingLocationProperties {
  customLocation?: { label?: string }
  homeOffice?: unknown
  officeLocation?: { buildingId?: string; deskId?: string; floorId?: string; floorSectionId?: string; label?: string }
  type?: "homeOffice" | "officeLocation" | "customLocation"
}

export interface Events {
  accessRole?: "none" | "freeBusyReader" | "reader" | "writerWithoutPrivateAccess" | "writer" | "owner"
  defaultReminders?: Array<EventReminder>
  description?: string
  etag?: string
  items?: Array<Event>
  kind?: string
  nextPageToken?: string
  nextSyncToken?: string
  summary?: string
  timeZone?: string
  updated?: string
}

export interface FreeBusyCalendar {
  busy?: Array<TimePeriod>
  errors?: Array<Error>
}

export interface FreeBusyGroup {
  calendars?: Array<string>
  errors?: Array<Error>
}

export interface FreeBusyRequest {
  calendarExpansionMax?: number
  groupExpansionMax?: number
  items?: Array<FreeBusyRequestItem>
  timeMax?: string
  timeMin?: string
  timeZone?: string
}

export interface FreeBusyRequestItem {
  id?: string
}

export interface FreeBusyResponse {
  calendars?: Record<string, FreeBusyCalendar>
  groups?: Record<string, FreeBusyGroup>
  kind?: string
  timeMax?: string
  timeMin?: string
}

export interface LabelProperties {
  eventLabels?: Array<EventLabel>
}

export interface Setting {
  etag?: string
  id?: string
  kind?: string
  value?: string
}

export interface Settings {
  etag?: string
  items?: Array<Setting>
  kind?: string
  nextPageToken?: string
  nextSyncToken?: string
}

export interface TimePeriod {
  end?: string
  start?: string
}

export interface Operations {
  "calendar.acl.delete": {
    params: { calendarId: string; ruleId: string }
    request: undefined
    response: undefined
  }
  "calendar.acl.get": {
    params: { calendarId: string; ruleId: string }
    request: undefined
    response: AclRule
  }
  "calendar.acl.insert": {
    params: { calendarId: string; sendNotifications?: boolean }
    request: AclRule
    response: AclRule
  }
  "calendar.acl.list": {
    params: { calendarId: string; maxResults?: number; pageToken?: string; showDeleted?: boolean; syncToken?: string }
    request: undefined
    response: Acl
  }
  "calendar.acl.patch": {
    params: { calendarId: string; ruleId: string; sendNotifications?: boolean }
    request: AclRule
    response: AclRule
  }
  "calendar.acl.update": {
    params: { calendarId: string; ruleId: string; sendNotifications?: boolean }
    request: AclRule
    response: AclRule
  }
  "calendar.acl.watch": {
    params: { calendarId: string; maxResults?: number; pageToken?: string; showDeleted?: boolean; syncToken?: string }
    request: Channel
    response: Channel
  }
  "calendar.calendarList.delete": {
    params: { calendarId: string }
    request: undefined
    response: undefined
  }
  "calendar.calendarList.get": {
    params: { calendarId: string }
    request: undefined
    response: CalendarListEntry
  }
  "calendar.calendarList.insert": {
    params: { colorRgbFormat?: boolean }
    request: CalendarListEntry
    response: CalendarListEntry
  }
  "calendar.calendarList.list": {
    params: { maxResults?: number; minAccessRole?: "freeBusyReader" | "owner" | "reader" | "writer"; pageToken?: string; showDeleted?: boolean; showHidden?: boolean; syncToken?: string; showOwnOrganizationOnly?: boolean }
    request: undefined
    response: CalendarList
  }
  "calendar.calendarList.patch": {
    params: { calendarId: string; colorRgbFormat?: boolean }
    request: CalendarListEntry
    response: CalendarListEntry
  }
  "calendar.calendarList.update": {
    params: { calendarId: string; colorRgbFormat?: boolean }
    request: CalendarListEntry
    response: CalendarListEntry
  }
  "calendar.calendarList.watch": {
    params: { maxResults?: number; minAccessRole?: "freeBusyReader" | "owner" | "reader" | "writer"; pageToken?: string; showDeleted?: boolean; showHidden?: boolean; syncToken?: string; showOwnOrganizationOnly?: boolean }
    request: Channel
    response: Channel
  }
  "calendar.calendars.clear": {
    params: { calendarId: string }
    request: undefined
    response: undefined
  }
  "calendar.calendars.delete": {
    params: { calendarId: string }
    request: undefined
    response: undefined
  }
  "calendar.calendars.get": {
    params: { calendarId: string }
    request: undefined
    response: Calendar
  }
  "calendar.calendars.insert": {
    params: {  }
    request: Calendar
    response: Calendar
  }
  "calendar.calendars.patch": {
    params: { calendarId: string }
    request: Calendar
    response: Calendar
  }
  "calendar.calendars.transferOwnership": {
    params: { calendarId: string; newDataOwner: string; useAdminAccess: boolean }
    request: undefined
    response: undefined
  }
  "calendar.calendars.update": {
    params: { calendarId: string }
    request: Calendar
    response: Calendar
  }
  "calendar.channels.stop": {
    params: {  }
    request: Channel
    response: undefined
  }
  "calendar.colors.get": {
    params: {  }
    request: undefined
    response: Colors
  }
  "calendar.events.delete": {
    params: { calendarId: string; eventId: string; sendNotifications?: boolean; sendUpdates?: "all" | "externalOnly" | "none" }
    request: undefined
    response: undefined
  }
  "calendar.events.get": {
    params: { calendarId: string; eventId: string; alwaysIncludeEmail?: boolean; maxAttendees?: number; timeZone?: string }
    request: undefined
    response: Event
  }
  "calendar.events.import": {
    params: { calendarId: string; conferenceDataVersion?: number; supportsAttachments?: boolean; eventLabelVersion?: number }
    request: Event
    response: Event
  }
  "calendar.events.insert": {
    params: { calendarId: string; conferenceDataVersion?: number; maxAttendees?: number; sendNotifications?: boolean; sendUpdates?: "all" | "externalOnly" | "none"; supportsAttachments?: boolean; eventLabelVersion?: number }
    request: Event
    response: Event
  }
  "calendar.events.instances": {
    params: { calendarId: string; eventId: string; alwaysIncludeEmail?: boolean; maxAttendees?: number; maxResults?: number; originalStart?: string; pageToken?: string; showDeleted?: boolean; timeMax?: string; timeMin?: string; timeZone?: string }
    request: undefined
    response: Events
  }
  "calendar.events.list": {
    params: { calendarId: string; alwaysIncludeEmail?: boolean; eventTypes?: ReadonlyArray<"birthday" | "default" | "focusTime" | "fromGmail" | "outOfOffice" | "workingLocation">; iCalUID?: string; maxAttendees?: number; maxResults?: number; orderBy?: "startTime" | "updated"; pageToken?: string; privateExtendedProperty?: ReadonlyArray<string>; q?: string; sharedExtendedProperty?: ReadonlyArray<string>; showDeleted?: boolean; showHiddenInvitations?: boolean; singleEvents?: boolean; syncToken?: string; timeMax?: string; timeMin?: string; timeZone?: string; updatedMin?: string }
    request: undefined
    response: Events
  }
  "calendar.events.move": {
    params: { calendarId: string; eventId: string; destination: string; sendNotifications?: boolean; sendUpdates?: "all" | "externalOnly" | "none" }
    request: undefined
    response: Event
  }
  "calendar.events.patch": {
    params: { calendarId: string; eventId: string; alwaysIncludeEmail?: boolean; conferenceDataVersion?: number; maxAttendees?: number; sendNotifications?: boolean; sendUpdates?: "all" | "externalOnly" | "none"; supportsAttachments?: boolean; eventLabelVersion?: number }
    request: Event
    response: Event
  }
  "calendar.events.quickAdd": {
    params: { calendarId: string; text: string; sendNotifications?: boolean; sendUpdates?: "all" | "externalOnly" | "none" }
    request: undefined
    response: Event
  }
  "calendar.events.update": {
    params: { calendarId: string; eventId: string; alwaysIncludeEmail?: boolean; conferenceDataVersion?: number; maxAttendees?: number; sendNotifications?: boolean; sendUpdates?: "all" | "externalOnly" | "none"; supportsAttachments?: boolean; eventLabelVersion?: number }
    request: Event
    response: Event
  }
  "calendar.events.watch": {
    params: { calendarId: string; alwaysIncludeEmail?: boolean; eventTypes?: ReadonlyArray<"birthday" | "default" | "focusTime" | "fromGmail" | "outOfOffice" | "workingLocation">; iCalUID?: string; maxAttendees?: number; maxResults?: number; orderBy?: "startTime" | "updated"; pageToken?: string; privateExtendedProperty?: ReadonlyArray<string>; q?: string; sharedExtendedProperty?: ReadonlyArray<string>; showDeleted?: boolean; showHiddenInvitations?: boolean; singleEvents?: boolean; syncToken?: string; timeMax?: string; timeMin?: string; timeZone?: string; updatedMin?: string }
    request: Channel
    response: Channel
  }
  "calendar.freebusy.query": {
    params: {  }
    request: FreeBusyRequest
    response: FreeBusyResponse
  }
  "calendar.settings.get": {
    params: { setting: string }
    request: undefined
    response: Setting
  }
  "calendar.settings.list": {
    params: { maxResults?: number; pageToken?: string; syncToken?: string }
    request: undefined
    response: Settings
  }
  "calendar.settings.watch": {
    params: { maxResults?: number; pageToken?: string; syncToken?: string }
    request: Channel
    response: Channel
  }
}
