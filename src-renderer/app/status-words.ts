import type { Account } from '#shared/ipc/contract'
import type { SyncStatus } from '../replica/api'
import { counted } from '../ui/counted'
import { agoWords } from '../ui/dates'

export interface StatusWords {
  /** What is going on. */
  text: string
  /** What stands still on this computer; empty when nothing does. */
  waiting: string
  tone: 'quiet' | 'busy' | 'warning'
}

const changes = (count: number): string => counted(count, 'change')

/** The status line in words. It claims nothing that is not known: "nothing waits", never "everything is synced". */
export function statusWords(status: SyncStatus, now: number, signIn: Account['signIn'] = 'in'): StatusWords {
  const { notUnderstood } = status
  const sendable = status.unsent - status.needsYou - notUnderstood
  const waiting = [
    ...(sendable > 0 ? [`${changes(sendable)} on this computer, not sent yet`] : []),
    ...(notUnderstood > 0 ? [`${changes(notUnderstood)} of a newer version of Flightplan kept, not sent`] : []),
  ].join(' · ')
  const checked = status.lastPull === null ? 'not checked yet' : `checked ${agoWords(status.lastPull, now)}`
  switch (status.phase) {
    case 'starting':
      return { text: 'Starting', waiting, tone: 'quiet' }
    case 'firstSync': {
      const { done = 0, total = 0, records = 0 } = status.progress ?? {}
      const part = total > 0 ? `, ${done} of ${total}` : ''
      return { text: `First sync${part} · ${records.toLocaleString('en')} records`, waiting, tone: 'busy' }
    }
    case 'pulling':
      return { text: 'Checking for changes', waiting, tone: 'busy' }
    case 'pushing':
      return { text: `Sending ${changes(Math.max(sendable, 1))}`, waiting: '', tone: 'busy' }
    case 'paused':
      return { text: 'Sending is paused', waiting, tone: 'warning' }
    case 'offline':
      return {
        text: status.offline ? 'Offline' : 'No network',
        waiting: waiting || 'edits are kept on this computer',
        tone: 'warning',
      }
    case 'waiting': {
      const seconds = status.nextTry ? Math.max(0, Math.round((status.nextTry - now) / 1000)) : 0
      const next =
        seconds > 90 ? `, next try in ${Math.round(seconds / 60)} min` : seconds > 0 ? `, next try in ${seconds} s` : ''
      return { text: `The service does not answer${next}`, waiting, tone: 'warning' }
    }
    case 'signIn':
      return {
        text: signIn === 'out' ? 'Signed out' : 'Sign-in has expired',
        waiting: waiting || 'everything here is kept',
        tone: 'warning',
      }
    case 'idle':
      return {
        text:
          sendable > 0
            ? 'Ready to send'
            : status.needsYou + notUnderstood > 0
              ? checked
              : `Nothing waits to be sent · ${checked}`,
        waiting,
        tone: 'quiet',
      }
  }
}
