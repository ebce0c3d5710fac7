import { headOf } from '#shared/fields/heads'
import { weekdayNames } from '../../ui/dates'

const labels: Readonly<Record<string, string>> = {
  autoAddHangouts: 'Add a video conference to new events',
  dateFieldOrder: 'Date order',
  defaultEventLength: 'Default event duration',
  format24HourTime: '24-hour clock',
  hideInvitations: 'Hide invitations you haven’t replied to',
  hideWeekends: 'Hide weekends',
  locale: 'Language',
  remindOnRespondedEventsOnly: 'Reminders only for events you’ve replied to',
  showDeclinedEvents: 'Show declined events',
  timezone: 'Time zone',
  useKeyboardShortcuts: 'Keyboard shortcuts',
  weekStart: 'Week starts on',
}

const dateOrders: Readonly<Record<string, string>> = {
  DMY: 'Day, month, year',
  MDY: 'Month, day, year',
  YMD: 'Year, month, day',
}

/** English name of a language such as `pt-BR`. Undefined if it isn’t one. */
function languageName(tag: string): string | undefined {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(tag)
  } catch {
    return undefined
  }
}

/** Labels of values that aren't self-explanatory. */
const readings: Readonly<Record<string, (value: string) => string | undefined>> = {
  dateFieldOrder: (value) => own(dateOrders, value),
  defaultEventLength: (value) => `${value} min`,
  locale: languageName,
  timezone: (value) => value.replaceAll('_', ' '),
  weekStart: (value) => weekdayNames[Number(value)],
}
const switched: Readonly<Record<string, string>> = { true: 'On', false: 'Off' }

/** IDs and values come from the service, so they may be the name of something that all objects have. */
const own = <V>(record: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** Name and value of a setting of the calendar service. Unknown values are shown unchanged. */
export const settingWords = (id: string, value: string): { name: string; value: string } => ({
  name: own(labels, id) ?? headOf(id),
  value: own(readings, id)?.(value) ?? own(switched, value) ?? value,
})
