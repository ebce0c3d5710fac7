import type { Call } from '../operation'
import { personByEmail } from '../people'
import type { OpenCalendar } from './access'
import type { EventDoc } from './event-row'

interface Notify {
  sendUpdates?: 'all' | 'externalOnly' | 'none'
  sendNotifications?: boolean
}

/**
 * Records the emails that would be sent: none unless requested. The older `sendNotifications=true` means `all`. Imports never
 * send any. Guests outside the sandbox are external.
 */
export function mail(
  call: Call,
  calendar: OpenCalendar,
  id: string,
  doc: EventDoc,
  what: string,
  recipients: string[],
): void {
  const { sendUpdates, sendNotifications } = call.params as Notify
  const mode = sendUpdates ?? (sendNotifications ? 'all' : 'none')
  if (mode === 'none') return
  const { store } = call.service
  for (const recipient of new Set(recipients)) {
    if (recipient === call.person.email || recipient === calendar.id) continue
    if (mode === 'externalOnly' && personByEmail(recipient)) continue
    store.run(
      'INSERT INTO mails (at, sender, recipient, subject, calendar, event) VALUES (?, ?, ?, ?, ?, ?)',
      store.now,
      call.person.email,
      recipient,
      `${what}: ${doc.summary ?? '(No title)'}`,
      calendar.id,
      id,
    )
  }
}

export const guestsOf = (doc: EventDoc): string[] =>
  (doc.attendees ?? []).filter((attendee) => !attendee.resource).map((attendee) => attendee.email!)
