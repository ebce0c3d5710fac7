import type { Json } from '../json'

/** A control of the event form that needs no code of its own. */
export type EventControl =
  | { kind: 'switch'; label: string }
  | { kind: 'choice'; label: string; options: readonly { value: string; label: string }[] }

/** Description of an event field for the form, Sync, files, copies, and invitations. */
export interface EventField {
  /** Name in Sync, if it differs from the label of the control and from the field’s own name. */
  words?: string
  /** Control under “More”. `ofGuests`: only for events with guests. Other fields have code of their own, or none. */
  control?: EventControl & { ofGuests?: true }
  /** Value that the service leaves out. */
  usual?: Json
  /** `property`: iCalendar has a property for it. `extra`: it goes into the property of this app, see `ics-extra.ts`. */
  file?: 'property' | 'extra'
  /** False if an import doesn’t compare it, although files carry it. */
  compared?: false
  /** A duplicate keeps it. */
  copied?: true
  /** Every guest has a value of their own. */
  ofCopy?: true
}

/** Fields of events by name, in the order in which the form and a comparison show them. */
const fields = {
  summary: { words: 'Title', file: 'property', copied: true },
  description: { file: 'property', copied: true },
  location: { file: 'property', copied: true },
  start: { words: 'Starts', file: 'property', copied: true },
  end: { words: 'Ends', file: 'property', copied: true },
  recurrence: { words: 'Repeats', file: 'property' },
  status: { usual: 'confirmed', file: 'property' },
  transparency: {
    words: 'Shown as',
    control: {
      kind: 'choice',
      label: 'Show as',
      options: [
        { value: 'opaque', label: 'Busy' },
        { value: 'transparent', label: 'Free' },
      ],
    },
    usual: 'opaque',
    file: 'property',
    copied: true,
    ofCopy: true,
  },
  visibility: {
    control: {
      kind: 'choice',
      label: 'Visibility',
      options: [
        { value: 'default', label: 'Calendar default' },
        { value: 'public', label: 'Everyone' },
        { value: 'private', label: 'Guests only' },
        { value: 'confidential', label: 'Confidential' },
      ],
    },
    usual: 'default',
    file: 'extra',
    copied: true,
    ofCopy: true,
  },
  attendees: { words: 'Guests', file: 'property' },
  reminders: { file: 'extra', copied: true },
  colorId: { words: 'Color', file: 'extra', copied: true, ofCopy: true },
  extendedProperties: { file: 'extra' },
  guestsCanInviteOthers: {
    control: { kind: 'switch', label: 'Guests can invite others', ofGuests: true },
    usual: true,
    file: 'extra',
  },
  guestsCanSeeOtherGuests: {
    control: { kind: 'switch', label: 'Guests can see the guest list', ofGuests: true },
    usual: true,
    file: 'extra',
  },
  guestsCanModify: {
    control: { kind: 'switch', label: 'Guests can change the event', ofGuests: true },
    usual: false,
    file: 'extra',
  },
  source: { file: 'extra' },
  conferenceData: { words: 'Video conference', file: 'extra', compared: false },
  attachments: { file: 'extra', compared: false, copied: true },
  eventType: { file: 'extra', compared: false, copied: true },
  focusTimeProperties: { file: 'extra', compared: false, copied: true },
  outOfOfficeProperties: { file: 'extra', compared: false, copied: true },
  workingLocationProperties: { file: 'extra', compared: false, copied: true },
} satisfies Readonly<Record<string, EventField>>

export type EventFieldName = keyof typeof fields
export const eventFields: Readonly<Record<EventFieldName, EventField>> = fields
const names = Object.keys(fields) as EventFieldName[]

/** What’s known about a field, or undefined. */
export const eventField = (name: string): EventField | undefined =>
  Object.hasOwn(fields, name) ? eventFields[name as EventFieldName] : undefined

/** Names of the fields for which something holds. */
export const eventFieldsWith = (holds: (field: EventField) => boolean): EventFieldName[] =>
  names.filter((name) => holds(eventFields[name]))
