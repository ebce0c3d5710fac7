import type { Link } from '#shared/links/link'
import { dayOf } from '../../ui/dates'
import type { Entry } from './layout/entry'

/** The link to an event on its day, or to a task. */
export const entryLink = ({ event, task, start, key }: Entry): Link =>
  event ? { to: 'record', key: event.rowKey, day: dayOf(start) } : { to: 'record', key: task?.key ?? key }
