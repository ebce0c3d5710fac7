import type { CollectionName } from '#shared/domain/collections'
import type { Facts } from '#shared/facts/facts'
import { capital, nextTryWords, saidWords, troubleWords } from '../../context/lane-words'
import type { DownloadChoice, DownloadPart, DownloadStatus, LaneStatus } from '../../replica/api'
import { counted } from '../../ui/counted'
import { agoWords } from '../../ui/dates'

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

export const recordsOf = ({ parts }: Pick<DownloadStatus, 'parts'>): number =>
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

/** Returns the status of a download in one line. */
export function downloadWords(download: DownloadStatus, { now, offline, held, signedOut = false }: Situation): Words {
  const { state, readAt, left } = download
  const count = recordsOf(download)
  const age = readAt === null ? '' : `, updated ${agoWords(readAt, now)}`
  if (state === 'ready') return { text: `${records(count)}${age}`, tone: 'quiet' }
  if (state === 'failed') return { text: `Not fully downloaded. ${records(count)} downloaded${age}`, tone: 'warning' }
  if (state === 'paused') return { text: `Paused. ${records(count)} downloaded${age}`, tone: 'warning' }
  if (offline) return { text: `Resumes when you’re online. ${records(count)} downloaded${age}`, tone: 'warning' }
  if (held) {
    const why = `${capital(troubleWords(held, signedOut))}${nextTryWords(held.nextTry, now)}`
    return {
      text: `${why}. ${count === 0 ? 'Nothing downloaded yet' : `${records(count)} downloaded${age}`}`,
      tone: 'warning',
    }
  }
  if (state === 'waiting' && count === 0) return { text: 'Waiting', tone: 'quiet' }
  return { text: [`${records(count)} so far`, leftWords(left)].filter(Boolean).join(', '), tone: 'busy' }
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
      return { text: fault ? saidWords(fault) : 'couldn’t download', tone: 'warning' }
    case 'waiting':
      return {
        text: age || (offline ? 'starts when you’re online' : count > 0 ? 'resumes soon' : 'not downloaded yet'),
        tone: 'quiet',
      }
  }
}

/** Calls a second that the service allows, about (trafficking behavior, quota). */
const callsPerSecond = 1

/**
 * Describes the calls that a full download takes beyond lists, for record types that need a call per parent record.
 * @param countOf number of parent records known locally
 * @returns '' if no record type needs them
 */
export function costWords(facts: Facts, countOf: (collection: CollectionName) => number): string {
  return facts.all
    .flatMap(({ pull, cuts, words }) => {
      const cut = pull?.when === 'chosen' ? cuts.find(({ param }) => param === undefined) : undefined
      if (!cut) return []
      const { one, many } = facts.of(cut.by).words
      const count = countOf(cut.by)
      const calls = `${capital(words.many)} take 1 call per ${one}, once a day. `
      if (count === 0) return [`${calls}The number of ${many} isn’t known yet.`]
      const minutes = Math.ceil(count / callsPerSecond / 60)
      return [
        `${calls}${counted(count, one, many)} known so far, about ${minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`}.`,
      ]
    })
    .join(' ')
}
