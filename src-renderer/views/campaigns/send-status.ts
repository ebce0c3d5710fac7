import { blockedWords, laneOf, laneWords, isBlocked } from '../../context/lane-words'
import type { SyncStatus } from '../../replica/api'
import type { ServiceName } from '#shared/wire/services'

/** Why a service can't send now, as the beginning of a sentence. Empty if it can. `now` is in epoch milliseconds. */
export function sendStatusWords(
  status: Pick<SyncStatus, 'paused' | 'offline' | 'lanes'>,
  service: ServiceName,
  { now, signedOut }: { now: number; signedOut: boolean },
): string {
  if (status.paused) return 'Sending is paused'
  const lane = laneOf(status as SyncStatus, service)
  if (!lane) return ''
  if (status.offline) return 'You’re offline'
  if (isBlocked(lane)) return blockedWords(lane, now, signedOut)
  return lane.phase === 'offline' || lane.phase === 'paused'
    ? laneWords(lane, { offline: status.offline, now, signedOut }).text
    : ''
}

/** When posted changes are sent, as the end of a sentence. */
export function sendTimeWords(status: Pick<SyncStatus, 'paused' | 'offline' | 'lanes'>, service: ServiceName): string {
  if (status.paused) return 'when you resume'
  if (status.offline) return 'when you go online'
  const phase = laneOf(status as SyncStatus, service)?.phase
  if (phase === 'offline') return 'when you’re back online'
  return phase === 'signIn' ? 'when you sign in again' : 'as soon as possible'
}
