import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { FaultError, faultOf, faults, type Fault } from '#shared/fault'
import { sendingKinds, type Sending } from '#shared/search-ads/questions'
import type { Availability, Conversion } from '#shared/wire/search/types'
import type { Client } from '../services/client'
import type { Library } from './library'
import { KeptList } from './search-kept'

const keptSending = z.object({
  id: z.string().max(80),
  kind: z.enum(sendingKinds),
  body: z.record(z.string(), z.union([z.string(), z.number()])),
  state: z.enum(['waiting', 'sent', 'refused']),
  words: z.string(),
  location: z.string().optional(),
  asked: z.number().int(),
  over: z.number().int().optional(),
  unsure: z.boolean().optional(),
})

/** Receipts that stay. */
const keptOver = 200
const untilRetry = 60_000

export interface SendingsOptions {
  library: Library
  clientOf: (accountId: string) => Client | undefined
  now: () => number
  changed: (accountId: string, sendings: Sending[]) => void
}

/**
 * Conversions and availabilities on their way to the service: kept before they are sent, one after the other, and tried
 * again where waiting helps. Each conversion has its id before, so that the service itself refuses it a second time: what
 * may have arrived is sent once more, and a refusal as a double is then its receipt.
 */
export class SearchSendings {
  readonly #kept: KeptList<Sending>
  readonly #options: SendingsOptions
  /** By account: one way at a time. */
  readonly #under = new Map<string, Promise<void>>()
  /** By account: when what waits is tried again. */
  readonly #later = new Map<string, NodeJS.Timeout>()
  #closed = false

  constructor(options: SendingsOptions) {
    this.#options = options
    this.#kept = new KeptList<Sending>(
      options.library,
      'search-sendings.json',
      'sendings',
      keptSending as z.ZodType<Sending>,
    )
  }

  /** The newest first. @throws FaultError `storage` */
  async list(accountId: string): Promise<Sending[]> {
    return (await this.#kept.list(accountId)).sort((a, b) => b.asked - a.asked)
  }

  /** Keeps it, and sends it in its turn. @throws FaultError `storage` */
  async send(accountId: string, kind: Sending['kind'], body: Sending['body']): Promise<Sending> {
    const whole = kind === 'insert' && !body['conversionId'] ? { ...body, conversionId: randomUUID() } : body
    const sending: Sending = {
      id: randomUUID(),
      kind,
      body: whole,
      state: 'waiting',
      words: 'Waiting to be sent',
      asked: this.#options.now(),
    }
    await this.#change(accountId, (all) => [...all, sending])
    void this.wake(accountId)
    return sending
  }

  /** Takes away what is over, or waits and was never sent. @throws FaultError `invalid` */
  async remove(accountId: string, sendingId: string): Promise<Sending[]> {
    const found = (await this.#kept.list(accountId)).find(({ id }) => id === sendingId)
    if (found?.state === 'waiting' && found.unsure)
      throw new FaultError({
        code: 'invalid',
        message: 'It may be at the service already. It stays until the service has said so.',
      })
    await this.#change(accountId, (all) => all.filter(({ id }) => id !== sendingId))
    return this.list(accountId)
  }

  /** Sends what waits, in the order in which it was asked for; resolves when no more can be done now. */
  wake(accountId: string): Promise<void> {
    const next = (this.#under.get(accountId) ?? Promise.resolve())
      .then(() => this.#sendAll(accountId))
      // It could not be noted: nothing else is sent before it can.
      .catch(() => this.#wakeLater(accountId))
    this.#under.set(accountId, next)
    return next
  }

  /** What is under way is noted as unsure; nothing new is sent. */
  close(): void {
    this.#closed = true
  }

  #wakeLater(accountId: string, atLeast = 0): void {
    clearTimeout(this.#later.get(accountId))
    if (this.#closed) return
    const timer = setTimeout(() => void this.wake(accountId), Math.max(untilRetry, atLeast))
    this.#later.set(accountId, timer.unref())
  }

  async #sendAll(accountId: string): Promise<void> {
    const client = this.#options.clientOf(accountId)
    const waiting = (await this.#kept.list(accountId)).filter(({ state }) => state === 'waiting')
    // As they stand in the file: a clock may have been set back between two of them.
    for (const { id } of waiting) {
      if (this.#closed || !client) return
      const before = (await this.#kept.list(accountId)).find((one) => one.id === id && one.state === 'waiting')
      if (!before) continue
      const wasUnsure = before.unsure === true
      // From here on it may have arrived, whatever ends the app.
      await this.#note(accountId, { ...before, unsure: true, words: 'Being sent' })
      try {
        await callOf(client, before)
        await this.#note(accountId, this.#over(before, 'sent', 'The service has it'))
      } catch (error) {
        const fault = faultOf(error)
        if (before.kind === 'insert' && isDouble(fault) && (wasUnsure || isOwn(before))) {
          await this.#note(
            accountId,
            isOwn(before)
              ? this.#over(before, 'sent', 'The service has it: an earlier try had arrived')
              : this.#over(before, 'refused', mayBeThere),
          )
          continue
        }
        const waits = faults[fault.code].retry || fault.code === 'signInExpired'
        if (!waits) {
          await this.#note(accountId, {
            ...this.#over(before, 'refused', fault.message),
            ...(fault.location !== undefined && { location: fault.location }),
          })
          continue
        }
        const unsure = wasUnsure || faults[fault.code].mayHaveArrived
        const { unsure: _known, ...rest } = before
        await this.#note(accountId, { ...rest, words: fault.message, ...(unsure && { unsure }) })
        this.#wakeLater(accountId, fault.retryAfter)
        return
      }
    }
  }

  #over({ unsure: _unsure, ...sending }: Sending, state: 'sent' | 'refused', words: string): Sending {
    return { ...sending, state, words, over: this.#options.now() }
  }

  #note(accountId: string, next: Sending): Promise<void> {
    return this.#change(accountId, (all) => all.map((one) => (one.id === next.id ? next : one)))
  }

  async #change(accountId: string, change: (all: Sending[]) => Sending[]): Promise<void> {
    const all = await this.#kept.change(accountId, (before) => {
      const next = change(before)
      const over = next.filter(({ state }) => state !== 'waiting').sort((a, b) => b.asked - a.asked)
      const gone = new Set(over.slice(keptOver).map(({ id }) => id))
      const left = next.filter(({ id }) => !gone.has(id))
      return { all: left, answer: left }
    })
    this.#options.changed(
      accountId,
      [...all].sort((a, b) => b.asked - a.asked),
    )
  }
}

const isDouble = ({ code, reason }: Fault): boolean => code === 'duplicate' || reason === 'duplicate'

const mayBeThere =
  'The service has a conversion of this ID and time. It may be this one, from a try whose answer was lost, or another one: look for it among the conversions before you send it again.'

/** An id of chance is nobody else's: the network itself may have sent it a second time, unseen from here. */
const isOwn = ({ body }: Sending): boolean => z.uuid().safeParse(body['conversionId']).success

async function callOf(client: Client, { kind, body }: Sending): Promise<void> {
  if (kind === 'availability') {
    await client.call(
      'search.conversion.updateAvailability',
      {},
      { body: { availabilities: [body as unknown as Availability] } },
    )
    return
  }
  const list = { kind: 'search#conversionList', conversion: [body as unknown as Conversion] }
  if (kind === 'insert') await client.call('search.conversion.insert', {}, { body: list })
  else await client.call('search.conversion.update', {}, { body: list })
}
