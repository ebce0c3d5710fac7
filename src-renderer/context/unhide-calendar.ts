import type { Row } from '../replica/api'
import { calendarName } from './calendar-name'
import type { AppContext } from './context'

/** Shows a calendar in the user’s list again, from which another program hid it. */
export const unhideCalendar = ({ edit }: Pick<AppContext, 'edit'>, row: Row): Promise<unknown> =>
  edit(
    [{ kind: 'change', key: row.key, patch: { hidden: false } }],
    { label: `Add *${calendarName(row)}* to the list of calendars` },
    { text: `Calendar “${calendarName(row)}” added to the list`, show: true },
  )
