import { faultOf } from '#shared/fault'
import type { QuickAddItem, QuickAddOffer } from '#shared/ipc/desktop-questions'
import type { JsonObject } from '#shared/json'
import { isWritable } from '../../context/calendar-access'
import { calendarName } from '../../context/calendar-name'
import type { AppContext } from '../../context/context'
import type { Change } from '../../replica/api'
import { byName } from '../../ui/by-name'

/** What the quick-add window needs to read a line as this window would. Reactive. */
export function quickAddOffer({ account, replica, preferences, settings }: AppContext): QuickAddOffer {
  const calendars = replica
    .rows('calendarList')
    .flatMap(({ id, value }) => {
      const writable = value && value['deleted'] !== true && isWritable(value)
      const name = calendarName({ id, value })
      return writable ? [{ id, name, primary: value['primary'] === true }] : []
    })
    .sort((a, b) => Number(b.primary) - Number(a.primary) || byName(a, b))
  const lists = replica
    .rows('tasklists')
    .flatMap(({ id, value }) => (value ? [{ id, name: String(value['title'] ?? '') || id }] : []))
  return {
    accountId: account.id,
    email: account.email,
    zone: preferences.zone,
    hour12: preferences.hour12,
    weekStart: preferences.weekStart,
    minutes: preferences.eventLength,
    theme: settings.values.theme,
    calendars: calendars.map(({ id, name }) => ({ id, name })),
    ...(calendars[0] && { calendar: calendars[0].id }),
    lists,
  }
}

export const titleOf = (item: QuickAddItem): string =>
  item.kind === 'event' ? String(item.value['summary'] ?? '') || '(No title)' : item.title

/** The edit that adds an item. */
export const changeOf = (item: QuickAddItem): Change =>
  item.kind === 'event'
    ? {
        kind: 'create',
        collection: 'events',
        parent: item.calendar,
        value: { status: 'confirmed', eventType: 'default', ...(item.value as JsonObject) },
      }
    : {
        kind: 'create',
        collection: 'tasks',
        parent: item.list,
        value: {
          title: item.title,
          status: 'needsAction',
          ...(item.due !== null && { due: item.due }),
          ...(item.notes !== undefined && { notes: item.notes }),
        },
      }

/** Adds what was typed in the quick-add window. @returns why it wasn’t saved, or an empty string */
export async function addQuickly(app: AppContext, accountId: string, item: QuickAddItem): Promise<string> {
  if (accountId !== app.account.id) return 'Another account is shown now. Close quick add and open it again.'
  const title = titleOf(item)
  let problem = ''
  const receipt = { text: `“${title}” added`, show: true, onfailed: (why: string) => (problem = why) }
  try {
    await app.edit([changeOf(item)], { label: `Add *${title}*` }, receipt)
  } catch (error) {
    problem = faultOf(error).message
  }
  return problem === '' ? '' : `Nothing was added. ${problem}`
}
