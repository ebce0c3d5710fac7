import type { SearchFile, searchQuestions, SearchPlace } from '#shared/search-ads/questions'
import type { Handlers } from '../ipc/handle'
import type { SearchFiles } from '../reports/search-files'
import type { SearchPlaces } from '../reports/search-places'
import type { ConversionUploads } from '../reports/conversion-uploads'
import type { Client } from '../services/client'
import type { ResultProcess } from '../tables/result-process'

export interface SearchDeps {
  searchPlaces: SearchPlaces
  searchFiles: SearchFiles
  sendings: ConversionUploads
}

interface Deps extends SearchDeps {
  clientOf: (accountId: string) => Client
  results: Pick<ResultProcess, 'ask'>
}

/** Handlers for search ads: stored data, downloads, and requests. */
export function searchHandlers({
  searchPlaces,
  searchFiles,
  sendings,
  clientOf,
  results,
}: Deps): Pick<Handlers, keyof typeof searchQuestions> {
  const fetching = new Map<string, AbortController>()
  /** One download at a time per account. A new one cancels the previous one. */
  async function fetched<T>(accountId: string, fetch: (signal: AbortSignal) => Promise<T>): Promise<T> {
    fetching.get(accountId)?.abort()
    const control = new AbortController()
    fetching.set(accountId, control)
    try {
      return await fetch(control.signal)
    } finally {
      if (fetching.get(accountId) === control) fetching.delete(accountId)
    }
  }
  return {
    'search/places': async ({ accountId }) => ({ places: await searchPlaces.list(accountId) }),
    'search/keep-place': async ({ accountId, place }) => ({ places: await searchPlaces.keep(accountId, place) }),
    'search/remove-place': async ({ accountId, place }) => ({ places: await searchPlaces.remove(accountId, place) }),
    'search/find-accounts': ({ accountId, agencyId }) => searchPlaces.find(accountId, agencyId, clientOf(accountId)),
    'search/saved-columns': ({ accountId, agencyId, advertiserId, fetch }) =>
      searchPlaces.savedColumns(accountId, { agencyId, advertiserId }, fetch ? clientOf(accountId) : undefined),
    'search/files': async ({ accountId }) => ({ files: await searchFiles.list(accountId) }),
    'search/fetch-conversions': ({ accountId, query, on }) =>
      fetched(accountId, (signal) =>
        searchFiles.conversions(accountId, query, { client: clientOf(accountId), on, signal }),
      ),
    'search/fetch-mapping': ({ accountId, agencyId, advertiserId }) =>
      fetched(accountId, (signal) =>
        searchFiles.mapping(accountId, { agencyId, advertiserId }, { client: clientOf(accountId), signal }),
      ),
    'search/cancel': ({ accountId }) => fetching.get(accountId)?.abort(),
    'search/open-file': async ({ accountId, fileId }) => {
      const { file, path, planned } = await searchFiles.open(accountId, fileId)
      const { title, range } = titleOf(file, await searchPlaces.list(accountId))
      return results.ask('results/open', {
        path,
        planned,
        separator: ',',
        source: { path, name: title, ...(range && { range }) },
      })
    },
    'search/remove-file': ({ accountId, fileId }) => searchFiles.remove(accountId, fileId),
    'search/sendings': async ({ accountId }) => ({ sendings: await sendings.list(accountId) }),
    'search/send': ({ accountId, kind, body, made, shown }) => sendings.send(accountId, kind, body, { made, shown }),
    'search/send-waiting': async ({ accountId }) => {
      await sendings.wake(accountId)
      return { sendings: await sendings.list(accountId) }
    },
    'search/remove-sending': async ({ accountId, sendingId }) => ({
      sendings: await sendings.remove(accountId, sendingId),
    }),
  }
}

function titleOf(
  { kind, query, advertiserId }: SearchFile,
  places: readonly SearchPlace[],
): { title: string; range?: { from: string; to: string } } {
  const wanted = query?.advertiserId ?? advertiserId
  const place = places.find((one) =>
    query?.engineAccountId
      ? one.engineAccountId === query.engineAccountId
      : one.advertiserId === wanted && one.engineAccountId === undefined,
  )
  const whose = place?.name ?? query?.customerId ?? wanted ?? ''
  if (kind === 'mapping') return { title: `ID mapping of ${whose}` }
  return { title: `Conversions of ${whose}`, ...(query && { range: { from: query.startDate, to: query.endDate } }) }
}
