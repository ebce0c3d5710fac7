import type { Channel } from '#shared/wire/calendar/types'
import type { Call } from './operation'
import { Problem, invalid, notFound, required } from './problems'
import type { Store } from './store'

interface ChannelRow {
  id: string
  person: string
  resource: string
  resource_id: string
  uri: string
  address: string
  token: string | null
  expiration: number
  message: number
}

const defaultTtl = 604_800
const loopback = /^http:\/\/(127(?:\.\d{1,3}){3}|localhost|\[::1\])(:\d+)?(\/|$)/i
const accepted = [102, 200, 201, 202, 204]
const retried = [500, 502, 503, 504]

/**
 * Watch channels. A notification is a POST without a body to the channel's address. Retries 5xx and missing answers with
 * growing delays. Other errors drop the message.
 */
export class Channels {
  readonly #store: Store
  readonly #fetch: typeof fetch
  readonly #stopped = new AbortController()
  #queue = Promise.resolve()

  constructor(store: Store, fetchFunction: typeof fetch) {
    this.#store = store
    this.#fetch = fetchFunction
  }

  /** Opens a channel for a resource such as `events:<calendar>`. @throws Problem 400 */
  open(call: Call, resource: string, uri: string): Channel {
    const body = call.body as Channel
    const { id, address, token } = body
    if (!id) throw required('id')
    if ([...id].length > 64) throw invalid('The channel id may have at most 64 characters.', 'id')
    // Both are sent as headers, where a line break would make every message fail.
    if (!/^[\x21-\x7e]+$/.test(id)) throw invalid('The channel id may have letters, digits and punctuation only.', 'id')
    if (!body.type) throw required('type')
    if (!address) throw required('address')
    if (!URL.canParse(address)) throw invalid('The address is not a URL.', 'address')
    if (!address.toLowerCase().startsWith('https://') && !loopback.test(address)) {
      throw new Problem(400, 'push.webhookUrlNotHttps', 'WebHook callback must be HTTPS', { location: 'address' })
    }
    if (token !== undefined && [...token].length > 256)
      throw invalid('The token may have at most 256 characters.', 'token')
    if (token !== undefined && /[\x00-\x1f\x7f]/.test(token))
      throw invalid('The token may not have control characters.', 'token')
    const expiration = this.#expiration(body)
    this.#store.run('DELETE FROM channels WHERE expiration <= ?', this.#store.now)
    if (this.#store.get('SELECT 1 FROM channels WHERE id = ?', id)) {
      throw new Problem(400, 'channelIdNotUnique', `Channel id ${id} not unique`, { location: 'id' })
    }
    const row: ChannelRow = {
      id,
      person: call.person.id,
      resource,
      resource_id: call.service.tokens.digest(['resource', call.person.id, resource]),
      uri,
      address,
      token: token ?? null,
      expiration,
      message: 1,
    }
    this.#store.put('channels', row as unknown as Record<string, string | number | null>)
    this.#store.afterCommit(() => this.#send(row, 1, 'sync'))
    return {
      kind: 'api#channel',
      id,
      resourceId: row.resource_id,
      resourceUri: uri,
      ...(token ? { token } : {}),
      expiration: String(expiration),
    }
  }

  /** @throws Problem 404 for a channel that isn't open, or isn't the caller's */
  close(call: Call): void {
    const { id, resourceId } = call.body as Channel
    if (!id) throw required('id')
    if (!resourceId) throw required('resourceId')
    const row = this.#store.get<ChannelRow>(
      'SELECT * FROM channels WHERE id = ? AND expiration > ?',
      id,
      this.#store.now,
    )
    if (!row || row.resource_id !== resourceId || row.person !== call.person.id) {
      throw notFound(`Channel '${id}' not found for project`)
    }
    this.#store.run('DELETE FROM channels WHERE id = ?', id)
  }

  /** Notifies every open channel of a resource after the current transaction commits, once per transaction. */
  changed(resource: string, state: 'exists' | 'not_exists' = 'exists'): void {
    this.#store.afterCommit(() => {
      const sql = 'SELECT * FROM channels WHERE resource = ? AND expiration > ?'
      for (const row of this.#store.all<ChannelRow>(sql, resource, this.#store.now)) {
        this.#store.run('UPDATE channels SET message = message + 1 WHERE id = ?', row.id)
        this.#send(row, row.message + 1, state)
      }
    }, `${resource} ${state}`)
  }

  stop(): void {
    this.#stopped.abort()
  }

  #expiration(body: Channel): number {
    const { now } = this.#store
    const ttl = body.params?.ttl
    if (ttl !== undefined) {
      if (!/^\d{1,9}$/.test(ttl) || Number(ttl) === 0)
        throw invalid('The ttl must be a number of seconds.', 'params.ttl')
      return now + Number(ttl) * 1000
    }
    const asked = body.expiration === undefined ? NaN : Number(body.expiration)
    if (asked <= now) throw invalid('The expiration is in the past.', 'expiration')
    return Number.isNaN(asked) ? now + defaultTtl * 1000 : Math.min(asked, now + 30 * 86_400_000)
  }

  #send(row: ChannelRow, number: number, state: string): void {
    const headers: Record<string, string> = {
      'X-Goog-Channel-ID': row.id,
      'X-Goog-Channel-Expiration': new Date(row.expiration).toUTCString(),
      'X-Goog-Resource-ID': row.resource_id,
      'X-Goog-Resource-URI': row.uri,
      'X-Goog-Resource-State': state,
      'X-Goog-Message-Number': String(number),
    }
    if (row.token) headers['X-Goog-Channel-Token'] = Buffer.from(row.token).toString('latin1')
    // Deliver notifications in sequence, so that a receiver sees increasing message numbers.
    this.#queue = this.#queue.then(() => this.#deliver(row.address, headers, 0))
  }

  async #deliver(address: string, headers: Record<string, string>, attempt: number): Promise<void> {
    const { signal } = this.#stopped
    if (signal.aborted) return
    const status = await this.#post(address, headers)
    if (accepted.includes(status) || !retried.includes(status) || attempt >= 5) return
    const timer = setTimeout(() => void this.#deliver(address, headers, attempt + 1), 200 * 2 ** attempt)
    timer.unref()
  }
  /** Returns the receiver's status. A missing answer or failed connection counts as 503. */
  async #post(address: string, headers: Record<string, string>): Promise<number> {
    const abort = new AbortController()
    const stop = (): void => abort.abort()
    const timer = setTimeout(stop, 5_000)
    this.#stopped.signal.addEventListener('abort', stop, { once: true })
    try {
      const answer = await this.#fetch(address, { method: 'POST', headers, redirect: 'manual', signal: abort.signal })
      await answer.arrayBuffer()
      return answer.status
    } catch {
      return 503
    } finally {
      clearTimeout(timer)
      this.#stopped.signal.removeEventListener('abort', stop)
    }
  }
}
