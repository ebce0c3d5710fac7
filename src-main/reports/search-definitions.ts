import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Library } from './library'
import { StoredList } from './stored-list'

const definitionSchema = z.object({
  id: z.string().min(1).max(80),
  name: z.string().max(1_000),
  /** Request body. */
  request: z.record(z.string(), z.unknown()),
  /** Epoch milliseconds. */
  changed: z.number().int(),
})
export type SearchDefinition = z.infer<typeof definitionSchema>

/** Stores definitions of search reports in one file per account, because the service stores none. */
export class SearchDefinitions {
  readonly #kept: StoredList<SearchDefinition>
  readonly #now: () => number

  constructor(library: Library, now: () => number) {
    this.#kept = new StoredList(library, 'search-reports.json', 'definitions', definitionSchema)
    this.#now = now
  }

  /** Definitions sorted by name. @throws FaultError `storage` if the file can't be read or is invalid */
  async list(accountId: string): Promise<SearchDefinition[]> {
    const found = await this.#kept.list(accountId)
    return found.sort((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1))
  }

  /** Saves a definition, a new one without `id`. @throws FaultError `storage` */
  keep(
    accountId: string,
    wanted: Omit<SearchDefinition, 'id' | 'changed'> & { id?: string },
  ): Promise<SearchDefinition> {
    return this.#kept.change(accountId, (all) => {
      const kept = { ...wanted, id: wanted.id ?? randomUUID(), changed: this.#now() }
      return { all: [...all.filter(({ id }) => id !== kept.id), kept], answer: kept }
    })
  }

  /** @throws FaultError `storage` */
  remove(accountId: string, definitionId: string): Promise<null> {
    return this.#kept.change(accountId, (all) => ({ all: all.filter(({ id }) => id !== definitionId), answer: null }))
  }
}
