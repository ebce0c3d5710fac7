import { createHash, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { recordKey } from '#shared/domain/collections'
import { isSubscribed, subscribedId } from '#shared/domain/subscribed'
import { FaultError, faultOf } from '#shared/fault'
import type { Subscription } from '#shared/ipc/subscription-questions'
import type { JsonObject } from '#shared/json'
import { readFeedAddress } from '#shared/links/feed-address'
import { recordSchema, type RemoteRecord } from '#shared/mutation/entry'
import { SerialQueue } from '#shared/serial-queue'
import { KeptFile } from '../disk/kept-file'
import { savePrivate } from '../disk/private'
import type { ReadCalendar } from '../exports/ics-read'
import { partName } from '../exports/left-parts'
import { recordsOf, withoutAlarms } from './feed-records'
import { fetchFeed, type FeedLimits, type FeedNetwork } from './fetch-feed'
import { isInLocalNetwork } from './local-network'
import { repetitionsADay } from './repetitions'

/** Milliseconds between two downloads, and until the next attempt after one or more failures. */
const times = { next: 3_600_000, firstRetry: 300_000 }
/** Longest delay of a timer. */
const longest = 2 ** 31 - 1
/** Subscriptions per account. */
const maxSubscriptions = 100
/** Occurrences of a calendar on a usual day. The window draws more so slowly that it stops responding. */
const maxRepetitions = 2_000

/** Ends the version of a copy whose events have their own reminders. */
const withAlarms = '+alarms'

const storedSchema = z.object({
  id: z.string().refine(isSubscribed),
  accountId: z.string(),
  address: z.string(),
  /** The user entered it, and it's in the local network. */
  typed: z.boolean(),
  name: z.string(),
  color: z.string(),
  reminders: z.array(z.number()),
  /** The reminders that its events have count, too. */
  alarms: z.boolean().default(false),
  /** Version of the copy on this computer. */
  version: z.string(),
  events: z.number(),
  etag: z.string().optional(),
  modified: z.string().optional(),
  /** The computer’s zone when it was downloaded, in which times without a zone are. */
  zone: z.string().optional(),
  currentAt: z.number(),
  /** Time of the last attempt, and how many have failed since the last success. */
  triedAt: z.number(),
  failures: z.number(),
  problem: z.string().optional(),
})
type Stored = z.output<typeof storedSchema>

const fileSchema = z.object({
  version: z.literal(1),
  subscriptions: z.array(storedSchema),
  /** Calendars that no longer exist, by account, so that every window and copy removes them. */
  removed: z.array(z.object({ id: z.string(), accountId: z.string() })),
})
type Removed = z.output<typeof fileSchema>['removed']
const copySchema = z.object({ version: z.string(), records: z.array(recordSchema) })
type Copy = z.output<typeof copySchema>

export interface SubscriptionsOptions {
  userData: string
  /** Respects offline mode. */
  network: FeedNetwork
  /** Reads a calendar file in a process of its own. */
  read: (path: string, zone: string) => Promise<ReadCalendar>
  /** Epoch milliseconds. */
  now: () => number
  /** The time zone of the computer. */
  zone: () => string
  /** In safe mode, nothing is downloaded or shown. */
  off: boolean
  /** The state of an account's subscriptions changed. */
  changed: (accountId: string, subscriptions: Subscription[]) => void
  /** The content of a list that the window pulls changed, by its key. */
  pull: (accountId: string, key: string) => void
  limits?: FeedLimits
}

/** Calendars that are subscribed to by address: their list, their copies on this computer, and their downloads. */
export class Subscriptions {
  readonly #options: SubscriptionsOptions
  readonly #file: KeptFile<z.output<typeof fileSchema>>
  readonly #downloads = new SerialQueue()
  readonly #saves = new SerialQueue()
  /** Accounts that were removed. Their IDs aren't used again. */
  readonly #forgotten = new Set<string>()
  readonly #refreshing = new Set<string>()
  #list: Stored[] = []
  #removed: Removed = []
  /** Why the list couldn't be read. Its file isn't written then. */
  #unreadable: FaultError | undefined
  /** The copy that was pulled last, for its next page. */
  #pulled: { id: string; copy: Copy } | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  private constructor(options: SubscriptionsOptions) {
    this.#options = options
    this.#file = new KeptFile(join(options.userData, 'subscriptions', 'list.json'), fileSchema, {
      missing: { version: 1, subscriptions: [], removed: [] },
      whenUnreadable: {
        disk: 'Your subscribed calendars are unchanged.',
        content: (path) =>
          `Couldn’t read the subscribed calendars in ${path}. The file is unchanged. Move it elsewhere to start over.`,
      },
    })
  }

  /** Begins to download what is due. */
  static async open(options: SubscriptionsOptions): Promise<Subscriptions> {
    const opened = new Subscriptions(options)
    await opened.#load()
    return opened
  }

  /** Reads the list again if that failed before. @throws FaultError `storage` if it fails again */
  async ready(): Promise<void> {
    if (this.#unreadable) await this.#saves.run(() => this.#load())
    this.assertReadable()
  }

  /** @throws FaultError `storage` if the list can't be read. It's then unknown, not empty */
  assertReadable(): void {
    if (this.#unreadable) throw this.#unreadable
  }

  async #load(): Promise<void> {
    try {
      const { subscriptions, removed } = await this.#file.read()
      const others = <T extends { accountId: string }>(all: T[]): T[] =>
        all.filter((one) => !this.#forgotten.has(one.accountId))
      const late = this.#unreadable !== undefined
      this.#unreadable = undefined
      this.#list = others(subscriptions)
      this.#removed = others(removed)
      this.#plan()
      if (late) for (const accountId of new Set(this.#list.map((one) => one.accountId))) this.#tell(accountId, true)
    } catch (error) {
      this.#unreadable = new FaultError(faultOf(error))
    }
  }

  get off(): boolean {
    return this.#options.off
  }

  /** @throws FaultError `storage` if the list can't be read */
  list(accountId: string): Subscription[] {
    this.assertReadable()
    return this.#of(accountId).map((one) => this.#shown(one))
  }

  /**
   * Downloads a calendar and adds it. Joins an existing one with the same address.
   * @throws FaultError if the address or what it returns isn't a calendar. Nothing is added
   */
  async add(
    accountId: string,
    wanted: {
      address: string
      typed: boolean
      name?: string | undefined
      color: string
      reminders: number[]
      alarms?: boolean | undefined
    },
  ): Promise<Subscription> {
    if (this.off) throw invalid('Subscriptions are off in safe mode.')
    await this.ready()
    const read = readFeedAddress(wanted.address)
    if ('problem' in read) throw invalid(`${read.problem}.`)
    const known = this.#of(accountId).find(({ address }) => address === read.url)
    if (known) return this.#shown(known)
    if (this.#of(accountId).length >= maxSubscriptions)
      throw invalid(`You can subscribe to up to ${maxSubscriptions} calendars. Unsubscribe from one, then try again.`)
    const { color, reminders, alarms = false } = wanted
    // A name on the web must not lead into the local network later.
    const typed = wanted.typed && (await isInLocalNetwork(new URL(read.url).hostname, this.#options.network.resolve))
    const draft: Stored = {
      ...{ id: subscribedId(randomUUID().replace(/-/g, '')), accountId, address: read.url, typed },
      ...{ name: wanted.name ?? '', color, reminders, alarms, version: '', events: 0 },
      ...{ currentAt: 0, triedAt: 0, failures: 0 },
    }
    try {
      const { found, name } = await this.#download(draft)
      const added = { ...draft, ...found, name: (wanted.name ?? name ?? read.host).slice(0, 254) }
      // Someone may have added it since.
      const other = (): Stored | undefined => this.#of(accountId).find(({ address }) => address === read.url)
      await this.#save((list) => {
        if (this.#forgotten.has(accountId)) throw invalid('This account was removed.')
        return other() ? list : [...list, added]
      })
      this.#tell(accountId, true)
      return this.#shown(other() ?? added)
    } finally {
      if (!this.#list.some(({ id }) => id === draft.id)) await rm(this.#copyPath(draft.id), { force: true })
    }
  }

  /** @throws FaultError `notFound` | `storage` */
  async change(
    accountId: string,
    id: string,
    change: { [N in 'name' | 'color' | 'reminders' | 'alarms']?: Stored[N] | undefined },
  ): Promise<void> {
    await this.ready()
    this.#get(accountId, id)
    const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    // Copies of earlier versions have no alarms.
    await this.#patch(id, change.alarms ? { ...set, etag: undefined, modified: undefined } : set)
    this.#tell(accountId, true)
    if (change.alarms === undefined) return
    this.#options.pull(accountId, recordKey('events', id, ''))
    if (change.alarms) void this.#refresh(id)
  }

  /** @throws FaultError `notFound` | `storage` */
  async remove(accountId: string, id: string): Promise<void> {
    await this.ready()
    this.#get(accountId, id)
    await this.#save(
      (list) => list.filter((one) => one.id !== id),
      (removed) => [...removed.filter((one) => one.id !== id), { id, accountId }],
    )
    await rm(this.#copyPath(id), { force: true })
    this.#tell(accountId, true)
  }

  /** The account was removed. If the list can't be read, its part is dropped once it can. */
  async forget(accountId: string): Promise<void> {
    this.#forgotten.add(accountId)
    if (this.#unreadable) return
    const gone = this.#of(accountId)
    if (gone.length === 0 && this.#removed.every((one) => one.accountId !== accountId)) return
    const others = <T extends { accountId: string }>(all: T[]): T[] => all.filter((one) => one.accountId !== accountId)
    await this.#save(others, others)
    for (const { id } of gone) await rm(this.#copyPath(id), { force: true })
  }

  /** Downloads one calendar, or all of an account, now. @throws FaultError `notFound` */
  async refresh(accountId: string, id?: string): Promise<void> {
    if (this.off) throw invalid('Subscriptions are off in safe mode.')
    await this.ready()
    const wanted = id === undefined ? this.#of(accountId) : [this.#get(accountId, id)]
    await Promise.all(wanted.map((one) => this.#refresh(one.id)))
  }

  /** The network may be back, or the computer woke or is in another zone: retries failed and outdated downloads at once. */
  wake(): void {
    this.#plan(true)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#file.settled()
  }

  /** Version of the account's part of the calendar list. Empty if there's nothing to say. */
  listVersion(accountId: string): string {
    const rows = this.entries(accountId)
    return rows.length === 0 ? '' : hash(JSON.stringify(rows))
  }

  /** Entries of the account's calendar list, and null for those that are gone. */
  entries(accountId: string): RemoteRecord[] {
    const gone = this.#removed.filter((one) => one.accountId === accountId).map(({ id }) => id)
    const own = this.#of(accountId)
    const hidden = this.off ? own.map(({ id }) => id) : []
    const entry = (id: string, value: JsonObject | null): RemoteRecord => ({
      ...{ collection: 'calendarList', parent: null, id, value },
      ...(value && { etag: hash(JSON.stringify(value)) }),
    })
    return [
      ...[...gone, ...hidden].map((id) => entry(id, null)),
      ...(this.off ? [] : own).map((one) => entry(one.id, entryOf(one))),
    ]
  }

  /** The events of a subscribed calendar. Undefined if it has no copy on this computer, or the list can't be read. */
  async copy(id: string): Promise<Copy | undefined> {
    if (this.off) return { version: 'off', records: [] }
    if (this.#unreadable) return undefined
    const known = this.#list.find((one) => one.id === id)
    if (!known) return { version: 'removed', records: [] }
    const version = `${known.version}${known.alarms ? withAlarms : ''}`
    if (this.#pulled?.id === id && this.#pulled.copy.version === version) return this.#pulled.copy
    const read = await this.#copyFile(id).read()
    if (read.version === '') {
      // It was deleted or is damaged: downloads it again, whatever the server says about changes.
      await this.#patch(id, { version: '', etag: undefined, modified: undefined, triedAt: 0 })
      this.#plan()
      return undefined
    }
    const copy = known.alarms
      ? { ...read, version: `${read.version}${withAlarms}` }
      : { ...read, records: withoutAlarms(read.records) }
    this.#pulled = { id, copy }
    return copy
  }

  #of(accountId: string): Stored[] {
    return this.#list.filter((one) => one.accountId === accountId)
  }

  #get(accountId: string, id: string): Stored {
    const found = this.#of(accountId).find((one) => one.id === id)
    if (!found) throw new FaultError({ code: 'notFound', message: 'You’re no longer subscribed to this calendar.' })
    return found
  }

  #shown({ id, address, typed, name, color, reminders, alarms, events, currentAt, problem }: Stored): Subscription {
    const refreshing = this.#refreshing.has(id)
    return {
      id,
      address,
      typed,
      name,
      color,
      reminders,
      alarms,
      events,
      currentAt,
      refreshing,
      ...(problem && { problem }),
    }
  }

  #tell(accountId: string, listChanged: boolean): void {
    if (this.#closed) return
    this.#options.changed(accountId, this.list(accountId))
    if (listChanged) this.#options.pull(accountId, recordKey('calendarList', null, ''))
  }

  /** Saves what the functions return for the current state, one after another, so that none undoes another. */
  #save(
    subscriptions: (list: Stored[]) => Stored[],
    removed: (list: Removed) => Removed = (list) => list,
  ): Promise<void> {
    return this.#saves.run(async () => {
      this.assertReadable()
      const next = { version: 1, subscriptions: subscriptions(this.#list), removed: removed(this.#removed) } as const
      await this.#file.write(next)
      this.#list = next.subscriptions
      this.#removed = next.removed
      this.#plan()
    })
  }

  async #patch(id: string, patch: { [N in keyof Stored]?: Stored[N] | undefined }): Promise<void> {
    await this.#save((list) => list.map((one) => (one.id === id ? ({ ...one, ...patch } as Stored) : one)))
  }

  #plan(now = false): void {
    clearTimeout(this.#timer)
    if (this.off || this.#closed || this.#list.length === 0) return
    const current = this.#options.now()
    const zone = this.#options.zone()
    const isElsewhere = (one: Stored): boolean => one.zone !== undefined && one.zone !== zone
    const due = (one: Stored): number => {
      // Someone set the clock back, or the network is back.
      if (one.triedAt > current || (now && one.failures > 0)) return current
      if (one.failures === 0 && isElsewhere(one)) return current
      const retry = Math.min(times.firstRetry * 2 ** Math.max(0, one.failures - 1), times.next)
      return one.triedAt + (one.failures > 0 ? retry : times.next)
    }
    const waiting = this.#list.filter(({ id }) => !this.#refreshing.has(id))
    if (waiting.length === 0) return
    const first = Math.min(...waiting.map(due))
    const run = (): void => {
      const moment = this.#options.now()
      for (const one of this.#list) if (due(one) <= Math.max(moment, first)) void this.#refresh(one.id)
    }
    this.#timer = setTimeout(run, Math.min(Math.max(0, first - current), longest))
    // Nothing waits for it.
    this.#timer.unref()
  }

  /** Downloads a calendar again. A failure keeps the copy, and is part of its state. */
  async #refresh(id: string): Promise<void> {
    if (this.#refreshing.has(id)) return this.#downloads.idle()
    const one = (): Stored | undefined => this.#list.find((other) => other.id === id)
    const { accountId } = one() ?? {}
    if (accountId === undefined) return
    this.#refreshing.add(id)
    this.#tell(accountId, false)
    let patch: { [N in keyof Stored]?: Stored[N] | undefined }
    let isNew = false
    try {
      const { found } = await this.#download(one()!)
      patch = { ...found, problem: undefined, failures: 0 }
      isNew = found.version !== one()?.version
    } catch (error) {
      const { message } = faultOf(error)
      patch = { problem: message, failures: (one()?.failures ?? 0) + 1, triedAt: this.#options.now() }
    }
    this.#refreshing.delete(id)
    if (this.#closed) return
    if (!one()) return void (await rm(this.#copyPath(id), { force: true }))
    await this.#patch(id, patch).catch((error: unknown) => this.#wait(id, faultOf(error).message))
    this.#tell(accountId, false)
    if (isNew) this.#options.pull(accountId, recordKey('events', id, ''))
  }

  /** The disk may be full: tries again later, as after a failed download. */
  #wait(id: string, problem: string): void {
    const later = (one: Stored): Stored => ({
      ...one,
      problem,
      failures: one.failures + 1,
      triedAt: this.#options.now(),
    })
    this.#list = this.#list.map((one) => (one.id === id ? later(one) : one))
    this.#plan()
  }

  /** Downloads one calendar after the other. Stores its copy if it changed. @throws FaultError */
  #download(one: Stored): Promise<{ found: Partial<Stored>; name?: string | undefined }> {
    return this.#downloads.run(async () => {
      const { id, address: url, typed } = one
      const zone = this.#options.zone()
      const { etag, modified } = (one.zone ?? zone) === zone ? one : {}
      const answer = await fetchFeed(this.#options.network, { url, local: typed, etag, modified }, this.#options.limits)
      const now = this.#options.now()
      if (answer.kind === 'unchanged') return { found: { currentAt: now, triedAt: now, zone } }
      const { host } = new URL(url)
      const { events, name } = await this.#parse(answer.bytes, host, zone)
      if (repetitionsADay(events, now) > maxRepetitions) {
        const message = `Events in the calendar from ${host} repeat too often. The limit is ${maxRepetitions.toLocaleString('en')} times a day.`
        throw new FaultError({ code: 'badAnswer', message })
      }
      const records = recordsOf(id, events, zone)
      const version = hash(JSON.stringify(records))
      if (version !== one.version) await this.#copyFile(id).write({ version, records })
      const found = {
        ...{ version, currentAt: now, triedAt: now, etag: answer.etag, modified: answer.modified, zone },
        events: records.filter(({ value }) => value?.['recurringEventId'] === undefined).length,
      }
      return { found: found as Partial<Stored>, name }
    })
  }

  async #parse(bytes: Uint8Array, host: string, zone: string): Promise<ReadCalendar> {
    // Deleted at the next start if this process ends here.
    const path = join(this.#options.userData, partName('subscribed.ics'))
    try {
      await savePrivate(path, [bytes])
      return await this.#options.read(path, zone)
    } catch (error) {
      if (!(error instanceof FaultError) || error.fault.code !== 'invalid') throw error
      const message = `${host} returned something that isn’t a calendar or is too large.`
      throw new FaultError({ code: 'badAnswer', message }, { cause: error })
    } finally {
      await rm(path, { force: true })
    }
  }

  #copyPath(id: string): string {
    return join(this.#options.userData, 'subscriptions', `${hash(id)}.json`)
  }

  #copyFile(id: string): KeptFile<Copy> {
    return new KeptFile(this.#copyPath(id), copySchema as z.ZodType<Copy>, { missing: { version: '', records: [] } })
  }
}

/** A subscription as an entry of the calendar list. */
const entryOf = ({ id, name, color, reminders }: Stored): JsonObject => ({
  ...{ kind: 'calendar#calendarListEntry', id, summary: name, accessRole: 'reader', selected: true },
  ...{ backgroundColor: color, foregroundColor: '#ffffff' },
  defaultReminders: reminders.map((minutes) => ({ method: 'popup', minutes })),
})

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
const invalid = (message: string): FaultError => new FaultError({ code: 'invalid', message })
