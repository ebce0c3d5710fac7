import { randomBytes, randomUUID } from 'node:crypto'
import { collections, recordKey, type CollectionName } from '#shared/domain/collections'
import { faultOf } from '#shared/fault'
import type { Client } from '../services/client'
import { Receiver } from './receiver'

export interface WatchTarget {
  collection: CollectionName
  parent: string | null
}

/** A channel that is open at the service: enough to stop it, also after a crash. Nothing secret. */
export interface OpenChannel {
  accountId: string
  id: string
  resourceId: string
}

export interface ChannelsOptions {
  /** Undefined for an account that has gone. */
  client: (accountId: string) => Client | undefined
  changed: (accountId: string, target: WatchTarget) => void
  /** Called whenever the list of open channels changes, so that it can be kept. */
  keep: (open: OpenChannel[]) => void
  now: () => number
}

interface Channel extends OpenChannel, WatchTarget {
  key: string
  token: string
  /** Epoch milliseconds: when it ends, and when it is replaced. */
  expiration: number
  renewAt: number
}

/**
 * A channel is replaced so long before it ends, a short one after four fifths of its life: both are open for a moment,
 * and nothing is missed.
 */
const renewBefore = 10 * 60_000
/** What the service grants where nothing is asked (`params.ttl`), a week. */
const defaultLife = 604_800_000
/** A renewal that failed is tried again so much later. */
const retryAfter = 60_000
const longestTimer = 2 ** 31 - 1

/**
 * Watch channels of all accounts: one for each target the renderer names, renewed before they end, stopped when they are
 * no longer named and on quitting. A target that cannot be watched is left to polling.
 */
export class PushChannels {
  readonly #channels = new Map<string, Channel>()
  readonly #receiver: Receiver
  #receiving: Promise<void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false
  /** One change of channels after the other, or two calls would open the same one twice. */
  #turn: Promise<unknown> = Promise.resolve()

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

  /** Ends channels that an earlier run left open; a service that has forgotten them is fine too. */
  async sweep(left: readonly OpenChannel[]): Promise<void> {
    await Promise.all(left.map((channel) => this.#stop(channel)))
  }

  /**
   * Makes the open channels of an account those that are named. @returns the keys (`recordKey` without an id) of the
   * targets that are watched now; the others have to be polled.
   */
  watch(accountId: string, targets: readonly WatchTarget[]): Promise<string[]> {
    const work = this.#turn.then(() => this.#watch(accountId, targets))
    this.#turn = work.catch(() => undefined)
    return work
  }

  /** Stops every channel, at most for `patience` milliseconds: a service that does not answer lets them expire. */
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
      if (!open || open.expiration <= this.options.now()) await this.#open(accountId, key, target)
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
    const channel: Channel = { accountId, ...target, key, id, token, resourceId: '', expiration: 0, renewAt: Infinity }
    // Known before it is asked for: the service may call before it answers.
    this.#channels.set(id, channel)
    try {
      const params = parent ? { [parent.param]: target.parent } : {}
      const body = { id, token, type: 'web_hook', address: this.#receiver.address } as const
      const answer = await client.call(watch, params as never, { body })
      channel.resourceId = answer.body.resourceId ?? ''
      const now = this.options.now()
      channel.expiration = Number(answer.body.expiration ?? now + defaultLife)
      channel.renewAt = channel.expiration - Math.min(renewBefore, Math.max((channel.expiration - now) / 5, 0))
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

  /** Wakes up when the next channel has to be replaced. */
  #plan(): void {
    clearTimeout(this.#timer)
    if (this.#closed || this.#channels.size === 0) return
    const next = Math.min(...[...this.#channels.values()].map(({ renewAt }) => renewAt))
    const wait = Math.max(1_000, Math.min(next - this.options.now(), longestTimer))
    this.#timer = setTimeout(() => {
      const work = this.#turn.then(() => this.#renew())
      this.#turn = work.catch(() => undefined)
    }, wait)
    this.#timer.unref()
  }

  async #renew(): Promise<void> {
    const now = this.options.now()
    for (const old of [...this.#channels.values()].filter(({ renewAt }) => renewAt <= now)) {
      if (await this.#open(old.accountId, old.key, old)) await this.#end(old)
      else if (old.expiration <= this.options.now()) this.#channels.delete(old.id)
      else old.renewAt = now + retryAfter
    }
    this.#plan()
  }
}
