import { faults, type Fault, type FaultCode } from '#shared/fault'
import type { ServiceName } from '#shared/wire/services'
import type { LaneStatus, SyncStatus } from '../replica/api'
import { counted } from '../ui/counted'
import { agoWords } from '../ui/dates'
import { needWords, queueWords, sentence } from './account-words'

/** Reasons why a service waits, after its name or alone. */
export const faultWords: Readonly<Record<FaultCode, string>> = {
  offline: 'offline',
  unreachable: 'can’t be reached',
  answerLost: 'no response',
  aborted: 'interrupted',
  signInExpired: 'session expired',
  forbidden: 'no access',
  rateLimited: 'rate limited',
  quotaSpent: 'daily quota used up',
  limitReached: 'limit reached',
  unavailable: 'server error',
  notFound: 'not found',
  gone: 'not found',
  cursorExpired: 'needs a refresh',
  preconditionFailed: 'keeps changing',
  duplicate: 'rejected',
  conflict: 'keeps changing',
  invalid: 'rejected',
  badAnswer: 'invalid response',
  storage: 'can’t save to this computer',
  mistake: 'error in Flightplan',
}

/** Why a service doesn't sync. */
export function troubleWords({ phase, fault }: Pick<LaneStatus, 'phase' | 'fault'>, signedOut: boolean): string {
  if (phase === 'signIn') return signedOut ? 'signed out' : faultWords.signInExpired
  return fault ? faultWords[fault.code] : faultWords.answerLost
}

/** Why lists of a service that never synced are missing, and when they appear. */
export const firstSyncWords = ({
  phase,
  fault,
}: Pick<LaneStatus, 'phase' | 'fault'>): { kept: string; todo: string } => {
  const kept = fault?.message ?? (phase === 'signIn' ? 'You’re signed out.' : 'Flightplan hasn’t been online yet.')
  if (phase === 'signIn' || fault?.code === 'signInExpired') return { kept, todo: 'They’ll appear once you sign in.' }
  return { kept, todo: fault ? 'They’ll appear once the service responds.' : 'Connect to the internet to load them.' }
}

/** What failed, and that it will be retried, unless the message says so. */
export function retriedWords(fault: Fault): string {
  const said = sentence(saidWords(fault))
  return faults[fault.code].retry && !/try again/i.test(said)
    ? `${said} Flightplan will try again automatically.`
    : said
}

const withSubject: Partial<Record<FaultCode, string>> = {
  unreachable: 'The service can’t be reached',
  answerLost: 'The service isn’t responding',
}

/** Why a service doesn't sync and when it's tried again, as the start of a sentence that doesn't name the service. */
export function blockedWords(
  lane: Pick<LaneStatus, 'phase' | 'fault' | 'nextTry'>,
  now: number,
  signedOut: boolean,
): string {
  const code = lane.phase === 'signIn' ? undefined : (lane.fault?.code ?? 'answerLost')
  const words = (code && withSubject[code]) ?? capital(troubleWords(lane, signedOut))
  return `${words}${nextTryWords(lane.nextTry, now)}`
}

/** Why a service can't be reached until someone does something about it. Undefined if it can. */
export function cutOffWords(
  { offline, held }: { offline: boolean; held: Pick<LaneStatus, 'phase'> | undefined },
  signedOut: boolean,
): string | undefined {
  if (offline) return 'You’re offline'
  if (held?.phase !== 'signIn') return undefined
  return signedOut ? 'You’re signed out' : 'Your session has expired'
}

/** The last fault's message: the service's own, unless the fault is ours. */
export const saidWords = ({ code, message }: Fault): string =>
  code === 'mistake' ? `Error in Flightplan. ${message}` : message

/** `, retrying in 12 s`, or empty if unknown. */
export function nextTryWords(nextTry: number | undefined, now: number): string {
  const seconds = nextTry === undefined ? 0 : Math.max(0, Math.round((nextTry - now) / 1000))
  if (seconds === 0) return ''
  if (seconds <= 90) return `, retrying in ${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes <= 90 ? `, retrying in ${minutes} min` : `, retrying in ${Math.round(minutes / 60)} h`
}

/** True if a service doesn't sync while others may. */
export const isBlocked = ({ phase }: LaneStatus): boolean => phase === 'waiting' || phase === 'signIn'

export const laneOf = (status: SyncStatus, service: ServiceName): LaneStatus | undefined =>
  status.lanes.find((lane) => lane.service === service)

export const readWords = (lastPull: number | null, now: number): string =>
  lastPull === null ? 'not synced yet' : `synced ${agoWords(lastPull, now)}`

/** For pending changes while none is being sent. Those that don’t depend on others are sent at once. */
export const readyWords = ({ needsYou }: { needsYou: number }): string =>
  needsYou === 0
    ? 'Ready to send'
    : `Waiting for ${needsYou === 1 ? 'the change that needs' : 'the changes that need'} attention`

/** A service's activity, as the start of a sentence. */
export function laneWords(
  lane: LaneStatus,
  { offline, now, signedOut }: { offline: boolean; now: number; signedOut: boolean },
): { text: string; tone: 'quiet' | 'busy' | 'warning' } {
  switch (lane.phase) {
    case 'starting':
      return { text: 'Starting…', tone: 'quiet' }
    case 'firstSync':
      return { text: `First sync, ${counted(lane.progress?.records ?? 0, 'record')} so far`, tone: 'busy' }
    case 'pulling':
      return { text: 'Checking for changes…', tone: 'busy' }
    case 'pushing':
      return { text: 'Sending…', tone: 'busy' }
    case 'paused':
      return { text: 'Sending is paused', tone: 'warning' }
    case 'offline':
      return { text: offline ? 'Offline mode' : 'Offline', tone: 'warning' }
    case 'waiting':
    case 'signIn':
      return {
        text: `${capital(troubleWords(lane, signedOut))}${nextTryWords(lane.nextTry, now)}`,
        tone: 'warning',
      }
    case 'idle':
      if (lane.fault) return { text: 'Not fully synced', tone: 'warning' }
      return {
        text: lane.unsent > lane.needsYou + lane.drafts ? readyWords(lane) : 'No pending changes',
        tone: 'quiet',
      }
  }
}

/** `2 pending changes · 1 change needs attention`, or an empty string without any. */
export function unsentWords({ unsent, needsYou, drafts }: LaneStatus): string {
  return [queueWords(unsent - needsYou - drafts, drafts), needsYou > 0 ? needWords(needsYou) : '']
    .filter(Boolean)
    .join(' · ')
}

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
