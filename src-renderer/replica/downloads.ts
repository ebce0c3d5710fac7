import { safeParse } from '#shared/safe-parse'
import { z } from 'zod'
import { keptDownloads, type KeptDownload } from '#shared/ipc/account-questions'
import type { Json } from '#shared/json'
import type { DownloadChoice } from './api'

/** A selection of a service's records that the user chose to download. */
export interface Download extends DownloadChoice {
  key: string
  paused: boolean
}

/** Progress of reading a list: the next page, and the number of records before it. */
export interface PagePlace {
  page: string
  records: number
}

const placeSchema = z.object({ page: z.string(), records: z.number() })

export const downloadsMeta = 'downloads'
export const pagePrefix = 'page\n'
export const pageMeta = (target: string): string => pagePrefix + target

export const broughtPrefix = 'brought\n'
export const broughtMeta = (target: string): string => broughtPrefix + target
/** IDs as text, one per line. No ID contains a line break, because keys couldn't contain it either. */
export const idsText = (ids: ReadonlySet<string>): string => [...ids].join('\n')

/** Rows whose download was removed while they had pending changes. */
export const leavingMeta = 'leaving'

/** Downloads being removed, until all their data is gone. */
export const removingMeta = 'removing'

export const downloadKey = ({ parent, what }: DownloadChoice): string =>
  typeof what === 'string' ? `${parent}\n${what}` : `${parent}\n${what.collection}\n${what.id}`

/** The stored form of downloads. */
export const choicesOf = (downloads: Iterable<Download>): KeptDownload[] =>
  [...downloads].map(({ parent, what, paused }) => ({ parent, what, paused }))

export const downloadOf = (choice: KeptDownload): Download => ({ ...choice, key: downloadKey(choice) })

/** Reads stored downloads and their progress. Unreadable ones must be chosen again. */
export function storedDownloads(meta: ReadonlyMap<string, unknown>): {
  downloads: Download[]
  pages: [target: string, place: PagePlace][]
  brought: [target: string, ids: Set<string>][]
  leaving: string[]
  removing: Json[]
} {
  const parsed = safeParse(keptDownloads, meta.get(downloadsMeta) ?? [])
  const pages = [...meta].flatMap(([key, value]): [string, PagePlace][] => {
    const place = key.startsWith(pagePrefix) ? safeParse(placeSchema, value) : undefined
    return place?.success ? [[key.slice(pagePrefix.length), place.data]] : []
  })
  const brought = [...meta].flatMap(([key, value]): [string, Set<string>][] =>
    key.startsWith(broughtPrefix) && typeof value === 'string'
      ? [[key.slice(broughtPrefix.length), new Set(value.split('\n').filter(Boolean))]]
      : [],
  )
  const leaving = safeParse(z.array(z.string()), meta.get(leavingMeta))
  const removing = meta.get(removingMeta)
  return {
    brought,
    leaving: leaving.success ? leaving.data : [],
    removing: Array.isArray(removing) ? (removing as Json[]) : [],
    downloads: parsed.success ? parsed.data.map(downloadOf) : [],
    pages,
  }
}
