import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { FaultError, faultOf, faults, type Fault } from '#shared/fault'
import { sendingKinds, type Sending } from '#shared/search-ads/questions'
import type { Availability, Conversion } from '#shared/wire/search/types'
import type { Client } from '../services/client'
import type { ConversionBatches } from './conversion-batches'
import { currentStatesOf } from './conversion-base'
import { nameOf } from './conversion-lookup'
import {
  earlierTry,
  resolveDuplicates,
  isDouble,
  sameThere,
  sendTicket,
  theServiceHasIt,
  ticketWords,
  type End,
} from './conversion-requests'
import type { Library } from './library'
import type { SearchFiles } from './search-files'
import { StoredList } from './stored-list'

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
  shown: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  there: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  batch: z
    .object({
      id: z.string().max(80),
      name: z.string(),
      rows: z.number().int(),
      sent: z.number().int(),
      refused: z.number().int(),
    })
    .optional(),
})

/** Maximum number of finished uploads to keep. */
const keptOver = 200
const untilRetry = 60_000

export interface UploadOptions {
  library: Library
  batches: ConversionBatches
  clientOf: (accountId: string) => Client | undefined
  /** The values of conversions that the user saw, by row. */
  shownOf?: SearchFiles['shownOf']
  now: () => number
  changed: (accountId: string, sendings: Sending[]) => void
}

/**
 * Queue of conversion and availability uploads. Each is stored before it's sent, they're sent in order, and transient
 * errors are retried. Each conversion gets its ID first, which makes the insert idempotent: after a lost response it's
 * sent again, and a rejection as a duplicate confirms it. A conversion ID created by the app equals the ID of its
 * upload, as that of a row does.
 */
export class ConversionUploads {
  readonly #kept: StoredList<Sending>
  readonly #options: UploadOptions
  /** Current upload by account. Each account sends one at a time. */
  readonly #under = new Map<string, Promise<void>>()
  /** Accounts whose batches were searched for tickets missing from the queue. */
  readonly #complete = new Set<string>()
  /** Retry timers by account. */
  readonly #later = new Map<string, NodeJS.Timeout>()
  #closed = false

  constructor(options: UploadOptions) {
    this.#options = options
    this.#kept = new StoredList<Sending>(
      options.library,
      'search-sendings.json',
      'sendings',
      keptSending as z.ZodType<Sending>,
    )
  }

  /** Uploads of an account, newest first. @throws FaultError `storage` */
  async list(accountId: string): Promise<Sending[]> {
    return (await this.#kept.list(accountId)).sort((a, b) => b.asked - a.asked)
  }

  /**
   * Queues an upload. `made`: the conversion ID that the app created for it. With another ID in the body, the user
   * entered it and may have used it before. `shown`: see `Sending`. @throws FaultError `storage`
   */
  async send(
    accountId: string,
    kind: Sending['kind'],
    body: Sending['body'],
    { made = randomUUID(), shown }: { made?: string | undefined; shown?: Sending['body'] | undefined } = {},
  ): Promise<Sending> {
    const sending: Sending = {
      id: made,
      kind,
      body: kind === 'insert' && !body['conversionId'] ? { ...body, conversionId: made } : body,
      state: 'waiting',
      words: 'Pending',
      asked: this.#options.now(),
      ...(shown && { shown }),
    }
    await this.#change(accountId, (all) => {
      // Only one of two uploads with this ID can be the one it was created for.
      if (all.some(({ id }) => id === made)) sending.id = randomUUID()
      return [...all, sending]
    })
    void this.wake(accountId)
    return sending
  }

  /** Queues rows of a batch. @throws FaultError `invalid` if none can be sent, `storage` */
  async sendRows(accountId: string, batchId: string, rows: ReadonlyMap<number, Sending['body']>): Promise<Sending> {
    const { batches, now, shownOf } = this.#options
    const ticket = randomUUID()
    const { kind, name } = await batches.head(accountId, batchId)
    const shown = kind === 'update' ? await shownOf?.(accountId, rows) : undefined
    const count = await batches.ask(accountId, batchId, rows, ticket, shown)
    if (count === 0) throw new FaultError({ code: 'invalid', message: 'These rows are already pending or sent.' })
    const sending = ticketOf({ id: ticket, kind, asked: now(), batch: { id: batchId, name, rows: count } })
    await this.#change(accountId, (all) => [...all, sending])
    void this.wake(accountId)
    return sending
  }

  /** Discards pending rows of a batch that were never sent. */
  async stopRows(accountId: string, batchId: string): Promise<void> {
    await this.#options.batches.release(accountId, batchId)
    for (const sending of await this.#kept.list(accountId))
      if (sending.batch?.id === batchId && sending.state === 'waiting') await this.#noteTicket(accountId, sending)
  }

  /** Removes an upload that is finished or was never sent. @throws FaultError `invalid` */
  async remove(accountId: string, sendingId: string): Promise<Sending[]> {
    const found = (await this.#kept.list(accountId)).find(({ id }) => id === sendingId)
    if (found?.state === 'waiting' && found.unsure)
      throw new FaultError({
        code: 'invalid',
        message: 'This upload may have been sent already. You can remove it once the service confirms it.',
      })
    if (found?.state === 'waiting' && found.batch)
      await this.#options.batches.release(accountId, found.batch.id, sendingId)
    await this.#change(accountId, (all) => all.filter(({ id }) => id !== sendingId))
    return this.list(accountId)
  }

  /** Sends pending uploads in order. Resolves when nothing more can be done now. */
  wake(accountId: string): Promise<void> {
    const next = (this.#under.get(accountId) ?? Promise.resolve())
      .then(() => this.#sendAll(accountId))
      // The state couldn't be saved, so nothing else is sent until it can.
      .catch(() => this.#wakeLater(accountId))
    this.#under.set(accountId, next)
    return next
  }

  /** Stops sending. The current upload stays marked as unsure. */
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
    // Unreadable rows must not block other uploads.
    await this.#findTickets(accountId).catch(() => undefined)
    const waiting = (await this.#kept.list(accountId)).filter(({ state }) => state === 'waiting')
    // In file order, because the clock may have been set back between two uploads.
    for (const { id } of waiting) {
      if (this.#closed || !client) return
      const before = (await this.#kept.list(accountId)).find((one) => one.id === id && one.state === 'waiting')
      if (!before) continue
      if (before.batch) {
        if (await this.#sendTicket(accountId, client, before)) continue
        return
      }
      // From here on it may have arrived, even if the app is killed.
      await this.#note(accountId, { ...before, unsure: true, words: 'Sending…' })
      const { end, waits } = await endOf(client, before, (await this.#earlier(accountId))(before.body))
      const { unsure: _known, ...rest } = before
      await this.#note(accountId, { ...rest, ...end, ...(!waits && { over: this.#options.now() }) })
      if (!waits) continue
      this.#wakeLater(accountId, waits.retryAfter)
      return
    }
  }

  /** Finds earlier uploads of a conversion from this computer. */
  async #earlier(accountId: string): Promise<(body: Sending['body']) => Sending['body'][]> {
    const sent = (await this.#kept.list(accountId)).filter(({ state, batch }) => state === 'sent' && !batch)
    const all = [...sent.map(({ body }) => body), ...(await this.#options.batches.sent(accountId))]
    const byName = new Map<string, Sending['body'][]>()
    for (const body of all) byName.set(nameOf(body), [...(byName.get(nameOf(body)) ?? []), body])
    return (body) => byName.get(nameOf(body)) ?? []
  }

  /** @returns true if none of its rows are pending */
  async #sendTicket(accountId: string, client: Client, sending: Sending): Promise<boolean> {
    const { id: batchId } = sending.batch!
    const fault = await sendTicket({
      ...{ client, accountId, batchId, batches: this.#options.batches, ticket: sending.id },
      kind: sending.kind === 'update' ? 'update' : 'insert',
      earlier: await this.#earlier(accountId),
      closed: () => this.#closed,
      progress: () => this.#noteTicket(accountId, sending),
    }).catch((error: unknown) => {
      const fault = faultOf(error)
      // Its rows were deleted, so nothing is left to send.
      if (fault.code === 'notFound') return undefined
      if (fault.code !== 'storage') throw error
      return fault
    })
    if (fault?.code === 'storage') {
      // If the disk takes nothing, this fails too, and sending stops.
      await this.#note(accountId, { ...sending, words: fault.message })
      this.#wakeLater(accountId)
      return !this.#closed
    }
    await this.#noteTicket(accountId, sending, fault)
    if (fault) this.#wakeLater(accountId, fault.retryAfter)
    return fault === undefined && !this.#closed
  }

  /** Updates the progress of a ticket's rows. */
  async #noteTicket(accountId: string, sending: Sending, fault?: Fault): Promise<void> {
    const batch = sending.batch!
    const rows = await this.#options.batches.withTicket(accountId, batch.id, sending.id).catch(() => [])
    const { words, ...counts } = ticketWords(rows)
    if (rows.length === 0) return this.#change(accountId, (all) => all.filter(({ id }) => id !== sending.id))
    const waiting = rows.filter(({ state }) => state === 'waiting')
    const { unsure: _unsure, ...rest } = sending
    const next: Sending = {
      ...rest,
      words: fault ? `${words}. ${fault.message}` : words,
      batch: { ...batch, rows: rows.length, ...counts },
      ...(waiting.some(({ unsure }) => unsure) && { unsure: true }),
    }
    const state = counts.refused > 0 ? 'refused' : 'sent'
    await this.#note(accountId, waiting.length > 0 ? next : this.#over(next, state, words))
  }

  /** Recreates missing tickets for pending rows after a start. */
  async #findTickets(accountId: string): Promise<void> {
    if (this.#complete.has(accountId)) return
    const known = new Set((await this.#kept.list(accountId)).map(({ id }) => id))
    for (const { batch, ticket, rows } of await this.#options.batches.waitingTickets(accountId)) {
      if (known.has(ticket)) continue
      const { id, name, kind } = batch
      const lost = ticketOf({ id: ticket, kind, asked: this.#options.now(), batch: { id, name, rows } })
      await this.#change(accountId, (all) => [...all, lost])
    }
    this.#complete.add(accountId)
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

const ticketOf = ({
  batch,
  ...rest
}: Pick<Sending, 'id' | 'kind' | 'asked'> & { batch: { id: string; name: string; rows: number } }): Sending => ({
  ...rest,
  body: {},
  state: 'waiting',
  words: 'Pending',
  batch: { ...batch, sent: 0, refused: 0 },
})

/** Outcome of an upload. `waits`: the transient error that keeps it in the queue. */
async function endOf(
  client: Client,
  sending: Sending,
  earlier: readonly Sending['body'][],
): Promise<{ end: Partial<Sending> & End; waits?: Fault }> {
  const later = (waits: Fault, unsure: boolean): { end: End; waits: Fault } => ({
    end: { state: 'waiting', words: waits.message, ...(unsure && { unsure }) },
    waits,
  })
  try {
    const current =
      sending.kind === 'update' ? (await currentStatesOf(client, [{ ...sending, earlier }]))[0]! : 'asSeen'
    if (current === 'done') return { end: { state: 'sent', words: sending.unsure ? earlierTry : sameThere } }
    if (current !== 'asSeen') return { end: { state: 'refused', ...current } }
    await callOf(client, sending)
    return { end: { state: 'sent', words: theServiceHasIt } }
  } catch (error) {
    const fault = faultOf(error)
    const { code, message: words, location } = fault
    if (sending.kind === 'insert' && isDouble(fault)) {
      const part = fault.parts?.[0] ?? fault
      const ends = await resolveDuplicates(client, [{ ...sending, part }]).catch(faultOf)
      return Array.isArray(ends) ? { end: ends[0]! } : later(ends, true)
    }
    if (faults[code].retry || code === 'signInExpired')
      return later(fault, sending.unsure === true || faults[code].mayHaveArrived)
    return { end: { state: 'refused', words, ...(location !== undefined && { location }) } }
  }
}

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
