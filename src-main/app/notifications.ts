import { Notification } from 'electron'
import type { SystemNote } from '../reminders/reminders'

/** Milliseconds after which a system that hasn't shown a notification counts as unable to. */
const patienceMs = 3_000

/** Notifications that are shown. Without a reference, a click on them is lost. */
const shown = new Map<Notification, string | undefined>()

/** Closes notifications whose tag isn't listed. Notifications without a tag stay. */
export function keepNotifications(tags: ReadonlySet<string>): void {
  for (const [notification, tag] of [...shown]) if (tag !== undefined && !tags.has(tag)) notification.close()
}

/** Shows a system notification. @returns the reason why it wasn't shown, or an empty string */
export function showNotification(note: SystemNote): Promise<string> {
  if (!Notification.isSupported()) return Promise.resolve('This system doesn’t support notifications.')
  const notification = new Notification({
    title: note.title,
    body: note.body,
    silent: note.silent,
    // Only some systems show buttons. Everywhere else, the card in the window has them.
    actions: note.actions.map((text) => ({ type: 'button', text })),
  })
  shown.set(notification, note.tag)
  const gone = (): void => void shown.delete(notification)
  notification.on('click', () => {
    gone()
    note.onclick()
  })
  notification.on('action', (_event, index) => {
    gone()
    note.onaction(index)
  })
  notification.on('close', gone)
  return new Promise((resolve) => {
    const timer = setTimeout(() => fail('The system didn’t respond. Check its notification settings.'), patienceMs)
    const fail = (why: string): void => {
      clearTimeout(timer)
      gone()
      resolve(why)
    }
    notification.once('show', () => {
      clearTimeout(timer)
      resolve('')
    })
    notification.once('failed', (_event, error) => fail(error || 'The system rejected the notification.'))
    notification.show()
  })
}
