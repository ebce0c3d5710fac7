import { listWords } from '#shared/list-words'
import type { Account } from '#shared/ipc/account-questions'
import type { LaneStatus, SyncStatus } from '../replica/api'
import { counted } from '../ui/counted'
import { serviceTitle } from '#shared/wire/service-titles'
import { pendingWords } from '../context/account-words'
import { readyWords, capital, nextTryWords, readWords, isBlocked, troubleWords } from '../context/lane-words'

export interface StatusWords {
  /** Current activity or problem. */
  text: string
  /** Shorter text for when everything is fine. */
  short?: string
  /** Changes that wait on this computer, or ''. */
  waiting: string
  tone: 'quiet' | 'busy' | 'warning'
}

const changes = (count: number): string => counted(count, 'change')
const sendableOf = (lanes: readonly Pick<SyncStatus, 'unsent' | 'needsYou' | 'drafts'>[]): number =>
  lanes.reduce((sum, { unsent, needsYou, drafts }) => sum + unsent - needsYou - drafts, 0)

/** Text of the status line. Claims only what's known: "No pending changes", never "Everything is synced". */
export function statusWords(status: SyncStatus, now: number, signIn: Account['signIn'] = 'in'): StatusWords {
  const { lanes } = status
  const blocked = lanes.filter(isBlocked)
  const going = lanes.filter((lane) => !isBlocked(lane))
  if (blocked.length === 0 || going.length === 0) return wholeWords(status, now, signIn)
  // Name the affected services, because others may still work.
  const blockedWords = blocked.map((lane) => {
    const why = troubleWords(lane, signIn === 'out')
    return `${serviceTitle(lane.service)}: ${why}${nextTryWords(lane.nextTry, now)}`
  })
  const rest = restWords(going, now)
  const sending = sendableOf(going.filter(({ phase }) => phase === 'pushing'))
  return {
    text: [...blockedWords, rest].join(' · '),
    waiting: waitingWords(sendableOf([status]) - status.notUnderstood - sending),
    tone: 'warning',
  }
}

const waitingWords = (count: number): string => (count > 0 ? pendingWords(count) : '')

const draftWords = (count: number): string => (count > 0 ? counted(count, 'unposted draft') : '')

const keptWords = (count: number): string => (count > 0 ? `${changes(count)} from a newer version of Flightplan` : '')

/** Status of services without problems. */
function restWords(lanes: readonly LaneStatus[], now: number): string {
  const names = lanes.length === 1 ? serviceTitle(lanes[0]!.service) : 'Other services'
  const doing = (phase: LaneStatus['phase']): LaneStatus[] => lanes.filter((lane) => lane.phase === phase)
  const pushing = doing('pushing')
  if (pushing.length > 0) return `sending ${changes(Math.max(sendableOf(pushing), 1))}`
  if (doing('firstSync').length > 0) return `${names}: first sync`
  if (doing('pulling').length > 0) return `${names}: checking for changes`
  if (doing('paused').length > 0) return 'sending is paused'
  return `${names}: ${readWords(oldest(lanes), now)}${unreadWords(lanes)}`
}

function oldest(lanes: readonly LaneStatus[]): number | null {
  const times = lanes.map(({ lastPull }) => lastPull)
  return times.includes(null) ? null : Math.min(...(times as number[]))
}

/** Names services that answer, but have unreadable lists. */
function unreadWords(lanes: readonly LaneStatus[]): string {
  const partly = lanes.filter(({ phase, fault }) => phase === 'idle' && fault)
  const names = partly.map(({ service }) => serviceTitle(service))
  return names.length > 0 ? ` · ${listWords(names)} not fully synced` : ''
}

/** Status of all services together. */
function wholeWords(status: SyncStatus, now: number, signIn: Account['signIn']): StatusWords {
  const { lanes } = status
  const sendable = sendableOf([status]) - status.notUnderstood
  const waiting = [waitingWords(sendable), draftWords(status.drafts), keptWords(status.notUnderstood)]
    .filter((words) => words !== '')
    .join(' · ')
  const checked = readWords(status.lastPull, now)
  switch (status.phase) {
    case 'starting':
      return { text: 'Starting…', waiting, tone: 'quiet' }
    case 'firstSync': {
      const { done = 0, total = 0, records = 0 } = status.progress ?? {}
      const part = total > 0 ? `, ${done} of ${total}` : ''
      return { text: `First sync${part} · ${counted(records, 'record')}`, waiting, tone: 'busy' }
    }
    case 'pulling':
      return { text: 'Checking for changes…', waiting, tone: 'busy' }
    case 'pushing': {
      const sending = lanes.length > 0 ? sendableOf(lanes.filter(({ phase }) => phase === 'pushing')) : sendable
      return {
        text: `Sending ${changes(Math.max(sending, 1))}…`,
        waiting: waitingWords(sendable - sending),
        tone: 'busy',
      }
    }
    case 'paused':
      return { text: 'Sending is paused', waiting, tone: 'warning' }
    case 'offline':
      return {
        text: status.offline ? 'Offline mode' : 'Offline',
        waiting: waiting || 'Edits are saved on this computer',
        tone: 'warning',
      }
    case 'waiting':
      return { text: `${whyAll(lanes)}${nextTryWords(status.nextTry, now)}`, waiting, tone: 'warning' }
    case 'signIn':
      return {
        text: signIn === 'out' ? 'Signed out' : 'Session expired',
        waiting: waiting || 'Your data stays on this computer',
        tone: 'warning',
      }
    case 'idle': {
      const unread = unreadWords(lanes)
      const text =
        sendable > 0
          ? readyWords(status)
          : status.needsYou + status.drafts + status.notUnderstood > 0
            ? checked
            : `No pending changes · ${checked}`
      const calm = !unread && sendable === 0
      return {
        text: `${text}${unread}`,
        waiting,
        tone: unread ? 'warning' : 'quiet',
        ...(calm && { short: `Online · ${checked}` }),
      }
    }
  }
}

/** Returns why no service works: the shared reason if all report the same one, otherwise a general one. */
function whyAll(lanes: readonly LaneStatus[]): string {
  const said = new Set(lanes.map(({ fault }) => fault?.code))
  const [code] = said
  const telling = code === 'quotaSpent' || code === 'rateLimited' || code === 'storage'
  return said.size === 1 && telling ? capital(troubleWords(lanes[0]!, false)) : 'The service isn’t responding'
}
