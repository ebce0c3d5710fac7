import { z } from 'zod'
import { placeSchema, type SavedColumns, type SearchPlace } from '#shared/search-ads/questions'
import type { ReportRequest } from '#shared/wire/search/types'
import type { Client } from '../services/client'
import type { Library } from './library'
import { StoredList } from './stored-list'

const keptPlace = placeSchema.extend({
  id: z.string().max(200),
  found: z.enum(['typed', 'service']),
  changed: z.number().int(),
})
const keptColumns = z.object({
  id: z.string().max(200),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  at: z.number().int(),
})

type Ids = Pick<SearchPlace, 'agencyId' | 'advertiserId' | 'engineAccountId'>
const idOf = ({ agencyId, advertiserId, engineAccountId }: Ids): string =>
  [agencyId, advertiserId, engineAccountId].filter(Boolean).join('/')

/** Page size of a synchronous report. */
const pageRows = 10_000
/** Maximum start row of a synchronous report. */
const lastStart = 50_000

/** Known agencies, advertisers, and engine accounts. The API can't list them, so typed and found ones are saved. */
export class SearchPlaces {
  readonly #places: StoredList<SearchPlace>
  readonly #columns: StoredList<z.infer<typeof keptColumns>>
  readonly #now: () => number

  constructor(library: Library, now: () => number) {
    this.#places = new StoredList<SearchPlace>(
      library,
      'search-places.json',
      'places',
      keptPlace as z.ZodType<SearchPlace>,
    )
    this.#columns = new StoredList(library, 'search-columns.json', 'columns', keptColumns)
    this.#now = now
  }

  /** @throws FaultError `storage` */
  list(accountId: string): Promise<SearchPlace[]> {
    return this.#places.list(accountId)
  }

  /** Saves a place and its parents. @throws FaultError `storage` */
  keep(accountId: string, place: z.output<typeof placeSchema>): Promise<SearchPlace[]> {
    return this.#merge(accountId, [place], 'typed')
  }

  /** Removes a place and its children. @throws FaultError `storage` */
  remove(accountId: string, place: Ids): Promise<SearchPlace[]> {
    const gone = idOf(place)
    return this.#places.change(accountId, (all) => {
      const left = all.filter(({ id }) => id !== gone && !id.startsWith(`${gone}/`))
      return { all: left, answer: left }
    })
  }

  /** Finds the engine accounts of an agency with a synchronous report. @throws FaultError */
  async find(accountId: string, agencyId: string, client: Client): Promise<{ places: SearchPlace[]; found: number }> {
    const found: z.output<typeof placeSchema>[] = []
    for (let startRow = 0; startRow <= lastStart; startRow += pageRows) {
      const body: ReportRequest = {
        reportType: 'account',
        reportScope: { agencyId },
        statisticsCurrency: 'usd',
        columns: ['agency', 'advertiser', 'advertiserId', 'account', 'accountId', 'accountEngineId'].map(
          (columnName) => ({ columnName }),
        ),
        rowCount: pageRows,
        startRow,
      }
      const rows = (await client.call('search.reports.generate', {}, { body })).body.rows ?? []
      for (const row of rows) {
        const text = (name: string): string | undefined =>
          ['string', 'number'].includes(typeof row[name]) ? String(row[name] as string | number) : undefined
        const [advertiserId, engineAccountId, customerId] = [
          text('advertiserId'),
          text('accountId'),
          text('accountEngineId'),
        ]
        const agency = text('agency')
        const advertiser = text('advertiser')
        const account = text('account')
        found.push({ agencyId, ...(agency && { name: agency }) })
        if (!advertiserId) continue
        found.push({ agencyId, advertiserId, ...(advertiser && { name: advertiser }) })
        if (!engineAccountId) continue
        const customer = customerId && /^[\d-]+$/.test(customerId) ? { customerId } : {}
        found.push({ agencyId, advertiserId, engineAccountId, ...(account && { name: account }), ...customer })
      }
      if (rows.length < pageRows) break
    }
    const accounts = new Set(found.filter(({ engineAccountId }) => engineAccountId).map(idOf))
    return { places: await this.#merge(accountId, [{ agencyId }, ...found], 'service'), found: accounts.size }
  }

  /** Saved columns of an advertiser, downloaded or from the last download. @throws FaultError */
  async savedColumns(
    accountId: string,
    { agencyId, advertiserId }: { agencyId: string; advertiserId: string },
    client: Client | undefined,
  ): Promise<SavedColumns | null> {
    const id = idOf({ agencyId, advertiserId })
    if (!client) {
      const found = (await this.#columns.list(accountId)).find((one) => one.id === id)
      return found ? { columns: found.columns, at: found.at } : null
    }
    const { body } = await client.call('search.savedColumns.list', { agencyId, advertiserId })
    const columns = (body.items ?? []).flatMap(({ savedColumnName: name, type = '' }) => (name ? [{ name, type }] : []))
    const kept = { id, columns, at: this.#now() }
    return this.#columns.change(accountId, (all) => ({
      all: [...all.filter((one) => one.id !== id), kept],
      answer: { columns, at: kept.at },
    }))
  }

  #merge(
    accountId: string,
    wanted: readonly z.output<typeof placeSchema>[],
    found: SearchPlace['found'],
  ): Promise<SearchPlace[]> {
    return this.#places.change(accountId, (before) => {
      const all = new Map(before.map((place) => [place.id, place]))
      const take = (place: z.output<typeof placeSchema>, how: SearchPlace['found']): void => {
        const id = idOf(place)
        const there = all.get(id)
        all.set(id, {
          ...there,
          ...place,
          id,
          found: there?.found === 'service' ? 'service' : how,
          changed: this.#now(),
        })
      }
      for (const place of wanted) {
        const { agencyId, advertiserId, engineAccountId } = place
        if (engineAccountId && !all.has(idOf({ agencyId, advertiserId }))) take({ agencyId, advertiserId }, found)
        if (advertiserId && !all.has(agencyId)) take({ agencyId }, found)
        take(place, found)
      }
      const answer = [...all.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
      return { all: answer, answer }
    })
  }
}
