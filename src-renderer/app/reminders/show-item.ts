import { collectionOf, parseRecordKey } from '#shared/domain/collections'
import type { AgendaItem } from '#shared/ipc/reminder-questions'
import { wallOfInstant } from '#shared/time/zones'
import { clock } from '../../clock'
import type { AppContext, Place } from '../../context/context'
import { alongWords, completing } from '../../context/repeating-tasks'
import { dayOf } from '../../ui/dates'

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
  const task = app.replica.peek(item.record)
  if (!task?.value) return
  const now = clock.now()
  const changes = completing(app.replica, [task], now, dayOf(wallOfInstant(now, app.preferences.zone)))
  await app.edit(
    changes,
    { label: `Complete *${item.title.trim() || '(No title)'}*` },
    { text: `“${item.title.trim() || '(No title)'}” completed${alongWords([task], changes)}`, show: true },
  )
}
