import { z } from 'zod'
import { account } from './account-questions'

/** Data that main needs for reminders while the window is hidden, with the user's choices. */

const moment = z.number().int().min(-8.64e15).max(8.64e15)
const minuteOfDay = z.number().int().min(0).max(1439)
const webLink = z
  .string()
  .max(4096)
  .regex(/^https?:\/\//)

/** An event or a task, as a notification and the tray show it. */
const shownItem = {
  title: z.string().max(1000),
  /** Epoch milliseconds. All-day: the local midnights. */
  start: moment,
  end: moment,
  allDay: z.boolean(),
  /** Its times in words, such as `09:30 to 09:45`. */
  when: z.string().max(200),
  /** The calendar’s or list’s name. */
  within: z.string().max(1000),
  location: z.string().max(1000).optional(),
  /** Address of its conference. */
  join: webLink.optional(),
  /** Key of its record, and of the item on screen. */
  record: z.string().max(4000),
  item: z.string().max(4000),
  /** Wall midnight of the day to show. */
  day: moment,
}

export const agendaItemSchema = z.object(shownItem)
export type AgendaItem = z.output<typeof agendaItemSchema>

export const reminderSchema = z.object({
  ...shownItem,
  kind: z.enum(['event', 'task']),
  key: z.string().min(1).max(4000),
  /** Epoch milliseconds at which it rings. */
  at: moment,
  /** ID of its calendar. Empty for a task. */
  calendar: z.string().max(2000),
})
export type Reminder = z.output<typeof reminderSchema>

export const maxReminders = 2_000
/** Everything that is coming up in an account. Replaces what was there. */
export const comingSchema = z.object({
  /** Reminders that ring in this range, in epoch milliseconds, are complete. */
  from: moment,
  until: moment,
  reminders: z.array(reminderSchema).max(maxReminders),
  /** Events of today and tomorrow that aren’t over. */
  agenda: z.array(agendaItemSchema).max(500),
})
export type Coming = z.output<typeof comingSchema>

export const notificationSettingsSchema = z.object({
  on: z.boolean(),
  events: z.boolean(),
  tasks: z.boolean(),
  reports: z.boolean(),
  attention: z.boolean(),
  sound: z.boolean(),
  /** Minutes of the day at which tasks due that day remind. */
  tasksDueAt: minuteOfDay,
  quiet: z.object({ from: minuteOfDay, to: minuteOfDay }).nullable(),
  /** Muted calendars, see `mutedCalendar`. */
  muted: z.array(z.string().max(4000)).max(2_000),
})
export type NotificationSettings = z.output<typeof notificationSettingsSchema>

export const defaultNotifications: NotificationSettings = {
  on: true,
  events: true,
  tasks: true,
  reports: true,
  attention: true,
  sound: true,
  tasksDueAt: 9 * 60,
  quiet: null,
  muted: [],
}

export const mutedCalendar = (accountId: string, calendarId: string): string => `${accountId}\n${calendarId}`

/** A reminder that has rung and that no one has dismissed yet. */
export interface Ringing {
  accountId: string
  reminder: Reminder
  /** True if it came later than it should have, because the computer was off or asleep. */
  missed: boolean
}

const chosen = account.extend({ key: z.string().max(4000) })

export const reminderQuestions = {
  'reminders/set': account.extend(comingSchema.shape),
  'reminders/ringing': z.object({}),
  'reminders/dismiss': z.object({ reminders: z.array(chosen).max(maxReminders) }),
  /** Rings again after some minutes, or when the event starts. */
  'reminders/snooze': chosen.extend({ minutes: z.union([z.literal('start'), z.number().int().min(1).max(1440)]) }),
  /** A task that was completed outside of the window couldn’t be saved. Its reminder is shown again, with the reason. */
  'reminders/failed': chosen.extend({ why: z.string().max(2000) }),
  /** Number of changes that need attention, of all accounts. */
  'reminders/attention': z.object({ count: z.number().int().nonnegative() }),
  'notifications/settings': z.object({}),
  'notifications/change': notificationSettingsSchema.partial(),
  'notifications/test': z.object({}),
} as const

export interface ReminderAnswers {
  'reminders/set': null
  'reminders/ringing': { ringing: Ringing[] }
  'reminders/dismiss': null
  'reminders/snooze': null
  'reminders/failed': null
  'reminders/attention': null
  'notifications/settings': NotificationSettings
  'notifications/change': NotificationSettings
  /** `problem` says why the system shows none. Empty if it does. */
  'notifications/test': { problem: string }
}

export interface ReminderAnnouncements {
  'reminders/ringing': { ringing: Ringing[] }
  'notifications/changed': NotificationSettings
  /** Someone chose a reminder or an event outside of the window. */
  'reminders/open': { accountId: string; item: AgendaItem }
  /** Someone completed a task outside of the window. Its reminder rings until it’s dismissed. */
  'reminders/complete': Pick<Ringing, 'accountId' | 'reminder'>
  /** Someone chose a notification about something else: show a view. */
  'reminders/view': { view: string; params: Record<string, string | number>; accountId?: string }
}
