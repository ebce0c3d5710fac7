import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { FaultError } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { CheckedArguments, RequestAnswers } from '#shared/ipc/contract'
import type { Versions } from '#shared/wire/services'
import { actions } from '../actions/actions'
import type { Fetch } from '../http/send'
import { requestingPage } from '../ipc/requesting-page'
import { createClient, type Client } from '../services/client'
import { push } from '../sync/push'
import { SandboxAdmin } from './sandbox-admin'

/** A sandbox that a rehearsal starts. */
export interface RehearsalService {
  readonly address: { baseUrl: string; token: string }
  start(): Promise<void>
  stop(): Promise<void>
}

export interface RehearsalDeps {
  /** Folder for the data of running sandboxes. */
  folder: string
  service: (dataDir: string) => RehearsalService
  versionsOf: (accountId: string) => Versions
  /** Works offline, because it only reaches this computer. */
  fetch: Fetch
  now: () => number
}

interface Rehearsal {
  page: number
  accountId: string
  dataDir: string
  service: RehearsalService
  admin: SandboxAdmin
  client: Client
}

/** Maximum characters of JSON in one request, to stay below the sandbox's limit in bytes. */
const maxLength = 3_000_000

/** Splits values into lists whose JSON isn't longer than this, except for single values that are. */
function partsWithin<T>(values: readonly T[], length: number): T[][] {
  const parts: T[][] = []
  let left = 0
  for (const value of values) {
    const own = JSON.stringify(value).length
    const part = own > left ? undefined : parts.at(-1)
    left = (part ? left : length) - own
    if (part) part.push(value)
    else parts.push([value])
  }
  return parts
}

/** Sandboxes in which posts are rehearsed, each with data of its own. */
export class Rehearsals {
  readonly #deps: RehearsalDeps
  readonly #running = new Map<string, Rehearsal>()

  constructor(deps: RehearsalDeps) {
    this.#deps = deps
  }

  /** Deletes data that a crash left behind. */
  async clear(): Promise<void> {
    await rm(this.#deps.folder, { recursive: true, force: true }).catch(() => undefined)
  }

  /** @throws FaultError `storage` */
  async begin(accountId: string, profile: JsonObject): Promise<{ id: string }> {
    const { folder, fetch, now } = this.#deps
    const id = randomUUID()
    const dataDir = join(folder, id)
    const service = this.#deps.service(dataDir)
    const admin = new SandboxAdmin(fetch, () => service.address, now)
    const client = createClient({
      baseUrl: () => service.address.baseUrl,
      token: () => service.address.token,
      versions: this.#deps.versionsOf(accountId),
      fetch,
      now,
    })
    const account = String(profile['accountId'])
    this.#running.set(id, { page: requestingPage(), accountId: account, dataDir, service, admin, client })
    try {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      // The page may have closed since.
      this.#find(id)
      await service.start()
      await admin.order('POST', '/load', { profile, accountId: account })
    } catch (error) {
      await this.end(id)
      throw error
    }
    return { id }
  }

  async load({ id, records }: CheckedArguments<'rehearsal/load'>): Promise<null> {
    const { admin, accountId } = this.#find(id)
    for (const part of partsWithin(records, maxLength)) await admin.order('POST', '/load', { accountId, records: part })
    return null
  }

  push({ id, entry, seen }: CheckedArguments<'rehearsal/push'>): Promise<RequestAnswers['rehearsal/push']> {
    const { client } = this.#find(id)
    return push({ client, actions, now: this.#deps.now, ...(seen && { seen }) }, entry)
  }

  async end(id: string): Promise<null> {
    const rehearsal = this.#running.get(id)
    this.#running.delete(id)
    await rehearsal?.service.stop()
    // The next start deletes the rest.
    if (rehearsal) await rm(rehearsal.dataDir, { recursive: true, force: true }).catch(() => undefined)
    return null
  }

  /** Ends the rehearsals of a page that is gone, or all. */
  async close(page?: number): Promise<void> {
    const ended = [...this.#running].filter(([, rehearsal]) => page === undefined || rehearsal.page === page)
    await Promise.all(ended.map(([id]) => this.end(id)))
  }

  #find(id: string): Rehearsal {
    const rehearsal = this.#running.get(id)
    if (!rehearsal) throw new FaultError({ code: 'aborted', message: 'The simulation has ended.' })
    return rehearsal
  }
}
