import { collectionOf, parseRecordKey } from '#shared/domain/collections'
import type { AgendaItem } from '#shared/ipc/reminder-questions'
import type { AppContext, Place } from '../../context/context'
import { eventPlace } from '../../context/event-place'

/**
 * Shows an event in the calendar, or a task in its list, in its account.
 * @returns false if that account couldn’t be opened, which is shown
 */
export async function showItem(app: AppContext, accountId: string, item: AgendaItem): Promise<boolean> {
  const { parent, id } = parseRecordKey(item.record)
  const isShown = accountId === app.account.id
  const place: Place =
    collectionOf(item.record) === 'tasks'
      ? { view: 'tasks', params: { list: parent ?? '', task: id } }
      : isShown
        ? eventPlace(app.replica, item.item, null, app.preferences.zone, item.day)
        : { view: 'calendar', params: { item: item.item, day: item.day } }
  if (isShown) app.navigation.go(place.view, place.params)
  else {
    app.accounts.placeNext = place
    await app.showAccount(accountId, place.view)
  }
  return app.accounts.shownId === accountId
}
