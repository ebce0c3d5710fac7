import { createHash } from 'node:crypto'
import { readFile, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import { FaultError } from '#shared/fault'
import type { PlannedColumn } from '#shared/results/result-columns'
import { conversionColumns, conversionCells, conversionOf } from '#shared/search-ads/conversion-columns'
import {
  conversionQuerySchema,
  type ConversionQuery,
  type SearchFile,
  type Sending,
} from '#shared/search-ads/questions'
import { storageFault, storageReason } from '#shared/storage-words'
import { privateFolder, savePrivate } from '../disk/private'
import { saveFile } from '../exports/save-file'
import { recordsOf } from '../report-data/dialect'
import type { Client } from '../services/client'
import { changeableOf } from './conversion-base'
import { nameOf } from './conversion-lookup'
import type { Library } from './library'
import { StoredList } from './stored-list'

const keptFile = z.object({
  id: z.string().regex(/^[0-9a-f]{1,80}$/),
  kind: z.enum(['conversions', 'mapping']),
  agencyId: z.string().optional(),
  advertiserId: z.string().optional(),
  query: conversionQuerySchema.optional(),
  at: z.number().int(),
  rows: z.number().int(),
  whole: z.boolean().optional(),
})

/** Maximum page size of the service. */
const pageRows = 1_000
/** Maximum number of pages per download. The user can continue it. */
const pagesAtOnce = 20

const mappingColumns: PlannedColumn[] = ['entityType', 'name', 'previousId', 'newId', 'customerId'].map((field) => ({
  field,
  metric: false,
}))

/** Plain data, because it's sent to another process. */
const plannedConversions: PlannedColumn[] = conversionColumns.map(({ field, metric }) => ({ field, metric }))

/** Downloaded conversions and ID mappings, which open offline. */
export class SearchFiles {
  readonly #library: Library
  readonly #kept: StoredList<SearchFile>
  readonly #now: () => number

  constructor(library: Library, now: () => number) {
    this.#library = library
    this.#now = now
    this.#kept = new StoredList<SearchFile>(library, 'search-files.json', 'files', keptFile as z.ZodType<SearchFile>)
  }

  /** Files of an account, newest first. @throws FaultError `storage` */
  async list(accountId: string): Promise<SearchFile[]> {
    return (await this.#kept.list(accountId)).sort((a, b) => b.at - a.at)
  }

  /**
   * Downloads conversions page by page and saves each. `on`: continues after the saved ones.
   * @throws FaultError. Earlier pages stay saved
   */
  async conversions(
    accountId: string,
    query: ConversionQuery,
    { client, on, signal }: { client: Client; on: boolean; signal: AbortSignal },
  ): Promise<SearchFile> {
    const id = hashOf(['conversions', query])
    const before = on ? (await this.#kept.list(accountId)).find((file) => file.id === id) : undefined
    const path = this.#pathOf(accountId, id)
    let text = before ? await readFile(path, 'utf8').catch(unreadable) : line(conversionColumns.map(({ head }) => head))
    let rows = before?.rows ?? 0
    const noted = async (whole: boolean): Promise<SearchFile> => {
      await this.#save(path, [text])
      return this.#note(accountId, { id, kind: 'conversions', query, at: this.#now(), rows, ...(whole && { whole }) })
    }
    const fetched: string[] = []
    for (let page = 0; page < pagesAtOnce; page++) {
      let conversions
      try {
        conversions = await pageOf(client, query, rows, signal)
      } catch (error) {
        // A complete older file of the same days is worth more than the first page of a new one.
        if (page > 0) {
          text += fetched.join('')
          await noted(false)
        }
        throw error
      }
      fetched.push(...conversions.map((one) => line(conversionCells(one))))
      rows += conversions.length
      if (conversions.length < pageRows) {
        text += fetched.join('')
        return noted(true)
      }
    }
    text += fetched.join('')
    return noted(false)
  }

  /** Downloads the ID mapping of an advertiser. @throws FaultError. An older file is unchanged then */
  async mapping(
    accountId: string,
    { agencyId, advertiserId }: { agencyId: string; advertiserId: string },
    { client, signal }: { client: Client; signal: AbortSignal },
  ): Promise<SearchFile> {
    const id = hashOf(['mapping', agencyId, advertiserId])
    const path = this.#pathOf(accountId, id)
    await privateFolder(dirname(path)).catch((error: unknown) => {
      throw storageFault(error, 'Nothing was downloaded.')
    })
    let lines = 0
    async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        for (const byte of chunk) if (byte === 0x0a) lines++
        yield chunk
      }
    }
    await client.download(
      'search.reports.getIdMappingFile',
      { agencyId, advertiserId },
      (_head, chunks) => saveFile(path, counted(chunks), signal, 0o600),
      { signal },
    )
    const rows = Math.max(0, lines - 1)
    return this.#note(accountId, { id, kind: 'mapping', agencyId, advertiserId, at: this.#now(), rows, whole: true })
  }

  /** The last downloaded values of conversions to change, by row. */
  async shownOf(
    accountId: string,
    bodies: ReadonlyMap<number, Sending['body']>,
  ): Promise<ReadonlyMap<number, Sending['body']>> {
    const wanted = new Map([...bodies].map(([row, body]) => [nameOf(body), row]))
    const found = new Map<number, Sending['body']>()
    for (const { id, kind } of await this.list(accountId)) {
      if (kind !== 'conversions' || wanted.size === 0) continue
      const text = await readFile(this.#pathOf(accountId, id), 'utf8').catch(() => '')
      const [heads = [], ...rows] = recordsOf(text, ',')
      for (const cells of rows) {
        const one = conversionOf(heads, cells)
        const row = wanted.get(nameOf(one))
        // IDs are unique per advertiser.
        if (row === undefined || (bodies.get(row)!['advertiserId'] ?? one.advertiserId) !== one.advertiserId) continue
        found.set(row, changeableOf(one))
        wanted.delete(nameOf(one))
      }
    }
    return found
  }

  /** Path and columns of a file. @throws FaultError `notFound` */
  async open(accountId: string, fileId: string): Promise<{ file: SearchFile; path: string; planned: PlannedColumn[] }> {
    const file = (await this.#kept.list(accountId)).find(({ id }) => id === fileId)
    const path = this.#pathOf(accountId, fileId)
    const there = file && (await stat(path).catch(() => undefined))
    if (!file || !there)
      throw new FaultError({ code: 'notFound', message: 'This file is no longer on this computer. Download it again.' })
    return { file, path, planned: file.kind === 'mapping' ? mappingColumns : plannedConversions }
  }

  /** @throws FaultError `storage` */
  async remove(accountId: string, fileId: string): Promise<null> {
    await this.#kept.change(accountId, (all) => ({ all: all.filter(({ id }) => id !== fileId), answer: null }))
    await rm(this.#pathOf(accountId, fileId), { force: true }).catch((error: unknown) => {
      throw storageFault(error, 'The file wasn’t deleted.')
    })
    return null
  }

  /** The app creates the IDs, from hexadecimal digits only. */
  #pathOf(accountId: string, fileId: string): string {
    return this.#library.accountFile(accountId, `search-${fileId.replace(/[^0-9a-f]/g, '')}.csv`)
  }

  async #save(path: string, chunks: string[]): Promise<void> {
    await privateFolder(dirname(path)).catch((error: unknown) => {
      throw storageFault(error, 'The file isn’t saved.')
    })
    await savePrivate(path, chunks)
  }

  #note(accountId: string, file: SearchFile): Promise<SearchFile> {
    return this.#kept.change(accountId, (all) => ({
      all: [...all.filter(({ id }) => id !== file.id), file],
      answer: file,
    }))
  }
}

async function pageOf(
  client: Client,
  query: ConversionQuery,
  startRow: number,
  signal: AbortSignal,
): Promise<Parameters<typeof conversionCells>[0][]> {
  const { startDate, endDate, agencyId, advertiserId, engineAccountId, customerId, ...lower } = query
  const window = {
    ...lower,
    startDate: dayNumber(startDate),
    endDate: dayNumber(endDate),
    startRow,
    rowCount: pageRows,
  }
  const ids = { ...(agencyId && { agencyId }), ...(advertiserId && { advertiserId }) }
  const answer =
    agencyId && advertiserId && engineAccountId
      ? await client.call(
          'search.conversion.get',
          { agencyId, advertiserId, engineAccountId, ...(customerId && { customerId }), ...window },
          { signal },
        )
      : await client.call(
          'search.conversion.getByCustomerId',
          { customerId: customerId!, ...ids, ...window },
          { signal },
        )
  return answer.body.conversion ?? []
}

/** `2026-06-10` → 20260610. */
const dayNumber = (day: string): number => Number(day.replaceAll('-', ''))

const line = (cells: readonly string[]): string =>
  stringify([[...cells]], { record_delimiter: 'windows', quote_record_delimiter: true })

const hashOf = (of: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(of, (_key, value: unknown) => (isPlain(value) ? sorted(value) : value)))
    .digest('hex')
    .slice(0, 32)

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const sorted = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))

function unreadable(error: unknown): never {
  throw new FaultError(
    {
      code: 'storage',
      message: 'Couldn’t read the downloaded conversions. Download them again from the start.',
      ...(storageReason(error) && { reason: storageReason(error) }),
    },
    { cause: error },
  )
}
