import { linkedViews, type Link } from '#shared/links/link'
import type { Place } from '../../context/context'

/** The link to what a place shows: its record, its date, or its view. */
export function linkOfPlace({ view, params }: Place): Link {
  const { record, day } = params
  if (view === 'campaigns' && typeof record === 'string') return { to: 'record', key: record }
  if (view === 'calendar' && typeof day === 'number') return { to: 'date', day }
  return { to: 'view', view: linkedViews.find((one) => one === view) ?? 'calendar' }
}
