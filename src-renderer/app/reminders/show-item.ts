import { collectionOf, parseRecordKey } from '#shared/domain/collections'
import type { AgendaItem } from '#shared/ipc/reminder-questions'
import { clock } from '../../clock'
import type { AppContext, Place } from '../../context/context'

/** Shows an event in the calendar, or a task in its list, in its account. */
export async function showItem(app: AppContext, accountId: string, item: AgendaItem): Promise<void> {
  const { parent, id } = parseRecordKey(item.record)
  const place: Place =
    collectionOf(item.record) === 'tasks'
      ? { view: 'tasks', params: { list: parent ?? '', task: id } }
      : { view: 'calendar', params: { day: item.day, item: item.item } }
  if (accountId === app.account.id) return app.navigation.go(place.view, place.params)
  app.accounts.placeNext = place
  await app.showAccount(accountId, place.view)
}

/** Completes a task of any open account, as an edit that can be undone. */
export async function completeTask(app: AppContext, accountId: string, item: AgendaItem): Promise<void> {
  if (accountId !== app.account.id) return showItem(app, accountId, item)
  await app.edit(
    [
      {
        kind: 'change',
        key: app.replica.realKey(item.record),
        patch: { status: 'completed', completed: new Date(clock.now()).toISOString() },
      },
    ],
    { label: `Complete *${item.title.trim() || '(No title)'}*` },
    { text: `${item.title.trim() || '(No title)'} completed`, show: true },
  )
}
