import type { CollectionName } from '#shared/domain/collections'
import type { Facts } from '#shared/facts/facts'
import { blockedWords, capital, cutOffWords, saidWords } from './lane-words'
import type { DownloadChoice, DownloadPart, DownloadProgress, DownloadStatus, LaneStatus } from '../replica/api'
import { counted } from '../ui/counted'
import { agoWords } from '../ui/dates'

export type NameOf = (collection: CollectionName, id: string) => string | undefined

/** Returns the title and kind of a download. */
export function choiceWords(
  { what }: Pick<DownloadChoice, 'what'>,
  facts: Facts,
  nameOf: NameOf,
): { title: string; kind: string } {
  if (what === 'all') return { title: 'Everything', kind: 'entire profile' }
  if (what === 'index') return { title: 'Advertiser and campaign lists', kind: 'without their contents' }
  const { one } = facts.of(what.collection).words
  return {
    title: nameOf(what.collection, what.id) ?? `${capital(one)} #${what.id}`,
    kind: `${one} with contents`,
  }
}

/** `about 3 min left`; of more than an hour in hours. */
export function leftWords(left: number | undefined): string {
  if (left === undefined) return ''
  const seconds = Math.max(1, Math.round(left / 1000))
  if (seconds < 60) return `about ${seconds} s left`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `about ${minutes} min left` : `about ${Math.round(minutes / 60)} h left`
}

export const recordsOf = ({ parts }: Pick<DownloadProgress, 'parts'>): number =>
  parts.reduce((sum, { records }) => sum + records, 0)

export interface Situation {
  now: number
  /** True in offline mode or while offline. */
  offline: boolean
  /** Lane that blocks downloads for a reason other than being offline. */
  held?: Pick<LaneStatus, 'phase' | 'fault' | 'nextTry'> | undefined
  signedOut?: boolean
}
interface Words {
  text: string
  tone: 'quiet' | 'busy' | 'warning'
}

const records = (count: number): string => counted(count, 'record')

/** Returns why the service keeps a download, and when it's tried again, as a sentence. */
export const heldWords = (held: NonNullable<Situation['held']>, now: number, signedOut: boolean): string =>
  `${blockedWords(held, now, signedOut)}.`

/** Returns the status of a download in one line. */
export function downloadWords(download: DownloadStatus, { now, offline, held, signedOut = false }: Situation): Words {
  const { state, readAt } = download
  const count = recordsOf(download)
  const age = readAt === null ? '' : `, updated ${agoWords(readAt, now)}`
  if (state === 'ready') return { text: `${records(count)}${age}`, tone: 'quiet' }
  if (state === 'failed') return { text: `Not fully downloaded. ${records(count)} downloaded${age}`, tone: 'warning' }
  if (state === 'paused') return { text: `Paused. ${records(count)} downloaded${age}`, tone: 'warning' }
  if (offline && count === 0) return { text: 'Starts when you’re online', tone: 'warning' }
  if (offline) return { text: `Resumes when you’re online. ${records(count)} downloaded${age}`, tone: 'warning' }
  if (held) {
    return {
      text: `${heldWords(held, now, signedOut)} ${count === 0 ? 'Nothing downloaded yet' : `${records(count)} downloaded${age}`}`,
      tone: 'warning',
    }
  }
  if (state === 'waiting' && count === 0) return { text: 'Waiting', tone: 'quiet' }
  return { text: progressWords(download), tone: 'busy' }
}

/** Returns why a download can't be refreshed now. */
export function refreshProblem(
  { paused }: Pick<DownloadStatus, 'paused'>,
  { offline, held, signedOut = false }: Situation,
): string | undefined {
  const why = paused ? 'It’s paused' : cutOffWords({ offline, held }, signedOut)
  return why && `${why}, so you can’t refresh it.`
}

/** Returns the status of one record type in a download. */
export function partWords({ state, records: count, readAt, fault }: DownloadPart, { now, offline }: Situation): Words {
  const age = readAt === null ? '' : `updated ${agoWords(readAt, now)}`
  switch (state) {
    case 'ready':
      return { text: age || 'downloaded', tone: 'quiet' }
    case 'reading':
      return { text: 'downloading…', tone: 'busy' }
    case 'failed':
      return { text: fault ? saidWords(fault) : 'Couldn’t download', tone: 'warning' }
    case 'waiting':
      return {
        text: age || (offline ? 'starts when you’re online' : count > 0 ? 'resumes soon' : 'not downloaded yet'),
        tone: 'quiet',
      }
  }
}

/** `at least 2 min`: how long the fewest calls of a download take. Empty if none are needed, or the service sets no limit. */
export function leastTimeWords(calls: number, perSecond: number | undefined): string {
  if (calls === 0 || perSecond === undefined) return ''
  const minutes = Math.ceil(calls / perSecond / 60)
  return `at least ${minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`}`
}

/** `1,234 records so far, about 3 min left`. */
export const progressWords = (progress: Pick<DownloadProgress, 'parts' | 'left'>): string =>
  [`${records(recordsOf(progress))} so far`, leftWords(progress.left)].filter(Boolean).join(', ')
