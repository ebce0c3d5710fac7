import { untrack } from 'svelte'
import type { AppContext, Command } from '../context/context'
import { findSet, readSets } from '../views/calendar/calendar-sets'
import { calendarsOf } from '../views/calendar/calendars'
import { CalendarSets } from '../views/calendar/sets.svelte'

/** Commands that show a set of calendars, in all views. */
export function calendarSetCommands(app: AppContext): Command[] {
  const { settings, navigation, replica } = app
  // A window of another account has commands of its own.
  const id = untrack(() => app.account.id)
  const stored = settings.values.calendarSets as Readonly<Record<string, unknown>> | null | undefined
  return readSets(stored?.[id]).map(({ name }): Command => ({
    id: `calendar.set ${name}`,
    title: `Show calendar set ${name}`,
    group: 'Calendar',
    run: () => {
      const calendars = calendarsOf(replica.rows('calendarList'))
      const sets = new CalendarSets({ app, calendars, shown: new Set() })
      const set = findSet(sets.list, name)
      if (!set) return
      sets.apply(set)
      if (navigation.place.view !== 'calendar') navigation.go('calendar')
    },
  }))
}
