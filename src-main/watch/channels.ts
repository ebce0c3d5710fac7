import { randomBytes, randomUUID } from 'node:crypto'
import { collections, recordKey, type CollectionName } from '#shared/domain/collections'
import { faultOf } from '#shared/fault'
import { SerialQueue } from '#shared/serial-queue'
import type { Clock } from '#shared/time/clock'
import type { Client } from '../services/client'
import { Receiver } from './receiver'

export interface WatchTarget {
  collection: CollectionName
  parent: string | null
}

/** An open channel: enough to stop it, even after a crash. Contains no secrets. */
export interface OpenChannel {
  accountId: string
  id: string
  resourceId: string
}

export interface ChannelsOptions {
  /** Undefined for a removed account. */
  client: (accountId: string) => Client | undefined
  changed: (accountId: string, target: WatchTarget) => void
  /** Called whenever the list of open channels changes, to store it. */
  keep: (open: OpenChannel[]) => void
  clock: Clock
}

/**
 * A deadline in wall-clock time (epoch milliseconds) and in monotonic time, whichever comes first. The wall clock can be
 * set back, and monotonic time pauses while the computer sleeps.
 */
interface Moment {
  wall: number
  elapsed: number
}

interface Channel extends OpenChannel, WatchTarget {
  key: string
  token: string
  ends: Moment
  renew: Moment
}

/**
 * Time before its expiration at which a channel is replaced, in milliseconds. Short ones are replaced after four fifths
 * of their life. Both are open for a moment, so nothing is missed.
 */
const renewBefore = 10 * 60_000
/** Lifetime that the service grants without `params.ttl`: a week. */
const defaultLife = 604_800_000
/** Delay before a failed renewal is retried, in milliseconds. */
const retryAfter = 60_000
const maxTimerDelay = 2 ** 31 - 1

/**
 * Watch channels of all accounts: one per target the renderer names, renewed before they expire, stopped when no longer
 * named and when quitting. Targets that can't be watched are polled.
 */
export class WatchChannels {
  readonly #channels = new Map<string, Channel>()
  readonly #receiver: Receiver
  #receiving: Promise<void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false
  /** Serializes changes. Otherwise two calls would open the same channel twice. */
  readonly #turn = new SerialQueue()

  constructor(private readonly options: ChannelsOptions) {
    this.#receiver = new Receiver({
      path: `/${randomBytes(16).toString('base64url')}`,
      tokenOf: (id) => this.#channels.get(id)?.token,
      notified: ({ channelId, state }) => {
        const channel = this.#channels.get(channelId)
        if (channel && state !== 'sync')
          options.changed(channel.accountId, { collection: channel.collection, parent: channel.parent })
      },
    })
  }

  /** Stops channels that an earlier run left open. Ignores those that the service no longer knows. */
  async sweep(left: readonly OpenChannel[]): Promise<void> {
    await Promise.all(left.map((channel) => this.#stop(channel)))
  }

  /**
   * Opens and stops channels so that they match the targets. @returns the keys (`recordKey` without an ID) of the watched
   * targets. The others must be polled.
   */
  watch(accountId: string, targets: readonly WatchTarget[]): Promise<string[]> {
    return this.#turn.run(() => this.#watch(accountId, targets))
  }

  /** Stops every channel, but waits at most `patience` milliseconds. The remaining ones expire. */
  async close(patience = 2_000): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    const open = [...this.#channels.values()]
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, patience)))
    await Promise.race([Promise.all(open.map((channel) => this.#end(channel))), late])
    clearTimeout(timer)
    await this.#receiver.close()
  }

  async #watch(accountId: string, targets: readonly WatchTarget[]): Promise<string[]> {
    const wanted = new Map(targets.map((target) => [recordKey(target.collection, target.parent, ''), target]))
    const mine = [...this.#channels.values()].filter((channel) => channel.accountId === accountId)
    for (const channel of mine) if (!wanted.has(channel.key)) await this.#end(channel)
    for (const [key, target] of wanted) {
      if (this.#closed) break
      const open = mine.find((channel) => channel.key === key)
      if (!open || this.#left(open.ends) <= 0) await this.#open(accountId, key, target)
    }
    this.#plan()
    return [...this.#channels.values()].filter((channel) => channel.accountId === accountId).map(({ key }) => key)
  }

  async #open(accountId: string, key: string, target: WatchTarget): Promise<boolean> {
    const { watch, parent } = collections[target.collection]
    const client = this.options.client(accountId)
    if (!watch || !client) return false
    await (this.#receiving ??= this.#receiver.open())
    const id = randomUUID()
    const token = randomBytes(16).toString('base64url')
    const ends = this.#in(0)
    const renew = { wall: Infinity, elapsed: Infinity }
    const channel: Channel = { accountId, ...target, key, id, token, resourceId: '', ends, renew }
    // Registered before the request, because the service may call back before it answers.
    this.#channels.set(id, channel)
    try {
      const params = parent ? { [parent.param]: target.parent } : {}
      const body = { id, token, type: 'web_hook', address: this.#receiver.address } as const
      const answer = await client.call(watch, params as never, { body })
      channel.resourceId = answer.body.resourceId ?? ''
      const { expiration } = answer.body
      const life = expiration === undefined ? defaultLife : Number(expiration) - this.options.clock.now()
      channel.ends = this.#in(life)
      channel.renew = this.#in(life - Math.min(renewBefore, Math.max(life / 5, 0)))
      this.#keep()
      return true
    } catch {
      this.#channels.delete(id)
      return false
    }
  }

  async #end(channel: Channel): Promise<void> {
    this.#channels.delete(channel.id)
    await this.#stop(channel)
    this.#keep()
  }

  async #stop({ accountId, id, resourceId }: OpenChannel): Promise<void> {
    const client = this.options.client(accountId)
    if (!client || resourceId === '') return
    await client.call('calendar.channels.stop', {}, { body: { id, resourceId }, timeout: 5_000 }).catch(faultOf)
  }

  #keep(): void {
    const open = [...this.#channels.values()].filter(({ resourceId }) => resourceId !== '')
    this.options.keep(open.map(({ accountId, id, resourceId }) => ({ accountId, id, resourceId })))
  }

  /** Schedules the next renewal. */
  #plan(): void {
    clearTimeout(this.#timer)
    if (this.#closed || this.#channels.size === 0) return
    const next = Math.min(...[...this.#channels.values()].map(({ renew }) => this.#left(renew)))
    const wait = Math.max(1_000, Math.min(next, maxTimerDelay))
    this.#timer = setTimeout(() => {
      void this.#turn.run(() => this.#renew())
    }, wait)
    this.#timer.unref()
  }

  async #renew(): Promise<void> {
    for (const old of [...this.#channels.values()].filter(({ renew }) => this.#left(renew) <= 0)) {
      if (await this.#open(old.accountId, old.key, old)) await this.#end(old)
      else if (this.#left(old.ends) <= 0) this.#channels.delete(old.id)
      else old.renew = this.#in(retryAfter)
    }
    this.#plan()
  }

  #in(ms: number): Moment {
    const { clock } = this.options
    return { wall: clock.now() + ms, elapsed: clock.elapsed() + ms }
  }

  /** Milliseconds until a moment. 0 or less if it's due. */
  #left({ wall, elapsed }: Moment): number {
    const { clock } = this.options
    return Math.min(wall - clock.now(), elapsed - clock.elapsed())
  }
}
