import { calendarName } from '../../context/calendar-name'
import { wallsOf } from '../../context/item-times'
import { unhideCalendar } from '../../context/unhide-calendar'
import { dayOf } from '../../ui/dates'
import { titleOf } from './event-labels'
import type { CalendarModel, Hidden } from './model.svelte'

/** Why this page leaves an item of its days out. Undefined if it doesn’t, or if there’s no such item. */
export function hiddenItem(model: CalendarModel, itemKey: string): Hidden | undefined {
  const { app, window, zone } = model
  const item = app.replica.items(window.from, window.to, { zone }).find((one) => one.itemKey === itemKey)
  if (!item) return undefined
  const { hiddenCalendars, showDeclined } = app.settings.values
  const day = dayOf(wallsOf(item, zone).start)
  const calendar = model.calendar(item.calendarId)
  const isDeclined = item.response === 'declined' && !showDeclined
  const show = (): void =>
    app.settings.set({
      hiddenCalendars: hiddenCalendars.filter((id) => id !== item.calendarId),
      ...(isDeclined && { showDeclined: true }),
    })
  const title = titleOf(item.title)
  if (!calendar) {
    const row = app.replica.rows('calendarList').find(({ id }) => id === item.calendarId)
    if (row?.value?.['hidden'] !== true) return undefined
    const text = `“${title}” is in ${calendarName(row)}, which isn’t in your list of calendars`
    return { day, text, label: 'Add to list', show: () => void unhideCalendar(app, row) }
  }
  if (!model.shown.has(calendar.id))
    return { day, text: `“${title}” is in a hidden calendar, ${calendar.name}`, label: 'Show calendar', show }
  if (isDeclined) return { day, text: `“${title}” is hidden because you declined it`, label: 'Show declined', show }
  return model.hiddenDay(day)
}
