import { faultOf } from '#shared/fault'
import type { AgendaItem } from '#shared/ipc/reminder-questions'
import { wallOfInstant } from '#shared/time/zones'
import { clock } from '../../clock'
import { unchanged } from '../../context/account-words'
import type { AppContext } from '../../context/context'
import { alongWords, completing } from '../../context/repeating-tasks'
import { zoneFor } from '../../context/zone-of'
import { dayOf } from '../../ui/dates'

/**
 * Completes a task of any account as an edit that can be undone, unless it's gone or completed by then.
 * @returns why it couldn't be saved, which is shown as well. Empty otherwise
 */
export async function completeTask(app: AppContext, accountId: string, item: AgendaItem): Promise<string> {
  const name = item.title.trim() || '(No title)'
  let why = ''
  try {
    const replica = await app.accounts.opened(accountId)
    await replica.inTurn(async (turn) => {
      const task = replica.peek(replica.realKey(item.record))
      if (!task?.value || task.value['status'] === 'completed') return
      const now = clock.now()
      const zone = zoneFor(app.settings.values.zone, replica, app.info.timeZone)
      const changes = completing(replica, [task], now, dayOf(wallOfInstant(now, zone)))
      await app.edit(
        changes,
        { label: `Complete *${name}*`, turn },
        {
          ...{ text: `“${name}” completed${alongWords([task], changes)}`, show: true, replica },
          onfailed: (message) => (why = unchanged(message)),
        },
      )
    })
  } catch (error) {
    why = faultOf(error).message
  }
  if (why !== '')
    app.toasts.show(`Couldn’t complete “${name}”. ${why}`, { level: 'error', survivesAccountSwitch: true })
  return why
}
