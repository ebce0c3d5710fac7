import type { CollectionName } from '#shared/domain/collections'
import { isSubscribed } from '#shared/domain/subscribed'
import { FaultError } from '#shared/fault'
import type { Cursor } from '#shared/ipc/cursor'
import type { PullPage } from '#shared/ipc/sync-questions'
import type { Outcome, OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import type { Subscriptions } from './subscriptions'

/** Number of events per page. */
const pageSize = 2_000
/** Separates the service's part of a cursor from ours. */
const mark = '\nsubscriptions:'

interface PullRequest {
  accountId: string
  collection: CollectionName
  parent: string | null
  cursor: Cursor | null
  page: string | null
}
type Place = Pick<PullRequest, 'accountId' | 'collection' | 'parent'>

/**
 * Adds subscribed calendars to what a service returns, so that the window needs no other way to keep and show them. The
 * service never hears of them.
 */
export class SubscribedSync {
  readonly #subscriptions: Subscriptions

  constructor(subscriptions: Subscriptions) {
    this.#subscriptions = subscriptions
  }

  /** A page of changes. `ask` asks the service. @throws FaultError */
  async pull<R extends PullRequest>(request: R, ask: (request: R) => Promise<PullPage>): Promise<PullPage> {
    const { collection, parent, cursor } = request
    if (isSubscribed(parent)) return this.#eventsPage(request)
    if (collection !== 'calendarList') return ask(request)
    const { accountId } = request
    const [token, seen = ''] = cursor?.value.split(mark) ?? []
    const page = await ask({ ...request, cursor: cursor && { ...cursor, value: token! } })
    // No service may pass its calendars off as ours.
    const records = page.records.filter(({ id }) => !isSubscribed(id))
    if (page.nextPage !== undefined) return { ...page, records }
    const version = this.#subscriptions.listVersion(accountId)
    const entries = this.#subscriptions.entries(accountId)
    const news = page.full ? entries.filter(({ value }) => value) : version === seen ? [] : entries
    const next = page.cursor && version !== '' && { ...page.cursor, value: page.cursor.value + mark + version }
    return { ...page, records: [...records, ...news], ...(next && { cursor: next }) }
  }

  /** Current records. @throws FaultError */
  async read(place: Place, id: string, ask: () => Promise<RemoteRecord>): Promise<RemoteRecord> {
    if (!isSubscribed(place.parent) && !isSubscribed(id)) return ask()
    return (await this.#known(place)).get(id) ?? { ...recordPlace(place), id, value: null }
  }

  /** @throws FaultError */
  async readMany(
    place: Place,
    ids: readonly string[],
    ask: (ids: string[]) => Promise<{ records: RemoteRecord[]; units: number }>,
  ): Promise<{ records: RemoteRecord[]; units: number }> {
    const own = ids.filter((id) => isSubscribed(place.parent) || isSubscribed(id))
    const others = ids.filter((id) => !own.includes(id))
    const { records, units } = others.length > 0 || own.length === 0 ? await ask(others) : { records: [], units: 0 }
    const known = own.length > 0 ? await this.#known(place) : new Map<string, RemoteRecord>()
    return {
      records: [...records, ...own.map((id) => known.get(id) ?? { ...recordPlace(place), id, value: null })],
      units,
    }
  }

  /** Refuses a change of a subscribed calendar or its events. @throws FaultError */
  push(entry: OutboxEntry, ask: () => Promise<Outcome>): Promise<Outcome> {
    if (!isSubscribed(entry.parent) && !isSubscribed(entry.recordId)) return ask()
    throw new FaultError({ code: 'forbidden', message: 'Subscribed calendars can’t be changed.' })
  }

  /** @throws FaultError `storage` if what is known can't be read */
  async #known(place: Place): Promise<Map<string, RemoteRecord>> {
    this.#subscriptions.assertReadable()
    const records = isSubscribed(place.parent)
      ? ((await this.#subscriptions.copy(place.parent!))?.records ?? [])
      : this.#subscriptions.entries(place.accountId)
    return new Map(records.map((record) => [record.id, record]))
  }

  /** Everything, if something changed since the cursor. */
  async #eventsPage({ collection, parent, cursor, page }: PullRequest): Promise<PullPage> {
    const copy = collection === 'events' ? await this.#subscriptions.copy(parent!) : undefined
    if (!copy || (page === null && copy.version === cursor?.value))
      return { records: [], full: false, units: 0, ...(cursor && { cursor }) }
    const [version, at] = page?.split(' ') ?? [copy.version, '0']
    // The copy was replaced between two pages.
    if (version !== copy.version) throw new FaultError({ code: 'cursorExpired', message: 'The calendar changed.' })
    const from = Number(at)
    const next = from + pageSize
    return {
      records: copy.records.slice(from, next),
      full: true,
      units: 0,
      ...(next < copy.records.length
        ? { nextPage: `${version} ${next}` }
        : { cursor: { kind: 'syncToken', value: copy.version } }),
    }
  }
}

const recordPlace = ({ collection, parent }: Place): Pick<RemoteRecord, 'collection' | 'parent'> => ({
  collection,
  parent,
})
