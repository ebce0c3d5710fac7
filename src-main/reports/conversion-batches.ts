import { createHash, randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { FaultError } from '#shared/fault'
import {
  batchKinds,
  conversionBody,
  rowStates,
  type BatchHead,
  type BatchKind,
  type BatchRow,
  type ConversionBatch,
} from '#shared/search-ads/batch-questions'
import type { Sending } from '#shared/search-ads/questions'
import { SerialQueue } from '#shared/serial-queue'
import { storageFault } from '#shared/storage-words'
import { privateFolder, savePrivate } from '../disk/private'
import type { ReadRecords } from './batch-text'
import type { Library } from './library'
import { StoredList } from './stored-list'

const keptRow = z.object({
  row: z.number().int(),
  id: z.string(),
  cells: z.array(z.string()),
  state: z.enum(rowStates),
  out: z.boolean().optional(),
  words: z.string().optional(),
  location: z.string().optional(),
  unsure: z.boolean().optional(),
  /** Request body of the row, and the ticket it's sent with. */
  body: conversionBody.optional(),
  /** For updates: the editable values that the user saw, and those that the service had instead. */
  shown: conversionBody.optional(),
  there: conversionBody.optional(),
  ticket: z.string().optional(),
})
export type KeptRow = z.output<typeof keptRow>

const keptHead = z.object({
  id: z.string().max(80),
  name: z.string(),
  kind: z.enum(batchKinds),
  place: conversionBody,
  activity: z.string(),
  made: z.number().int(),
  rows: z.number().int(),
  sent: z.number().int(),
  waiting: z.number().int(),
  refused: z.number().int(),
  /** Hash of the input, to recognize it when it's imported again. */
  digest: z.string(),
})
type KeptHead = z.output<typeof keptHead>

const keptFile = z.object({ version: z.literal(1), head: z.array(z.string()), rows: z.array(keptRow) })
type KeptFile = z.output<typeof keptFile>

/** Stores imported rows of conversions and their outcomes until the user removes them. */
export class ConversionBatches {
  readonly #library: Library
  readonly #now: () => number
  readonly #heads: StoredList<KeptHead>
  readonly #writing = new SerialQueue()

  constructor(library: Library, now: () => number) {
    this.#library = library
    this.#now = now
    this.#heads = new StoredList<KeptHead>(
      library,
      'conversion-batches.json',
      'batches',
      keptHead as z.ZodType<KeptHead>,
    )
  }

  /** Batches, newest first. @throws FaultError `storage` */
  async list(accountId: string): Promise<BatchHead[]> {
    return (await this.#heads.list(accountId)).reverse().map(shown)
  }

  /** Stores imported rows without queueing them. @throws FaultError `storage` */
  async add(
    accountId: string,
    { head, rows }: ReadRecords,
    { name, kind, place }: Pick<BatchHead, 'name' | 'kind' | 'place'>,
  ): Promise<BatchHead> {
    const id = randomUUID()
    const list = rows.map(({ row, cells }): KeptRow => ({ row, cells, id: randomUUID(), state: 'here' }))
    await this.#save(accountId, id, { version: 1, head, rows: list })
    const digest = createHash('sha256')
      .update(JSON.stringify([kind, place, head, rows.map(({ cells }) => cells)]))
      .digest('hex')
    const made = { id, name, kind, place, activity: '', made: this.#now(), digest, ...countsOf(list) }
    await this.#heads.change(accountId, (all) => ({ all: [...all, made], answer: null }))
    return shown(made)
  }

  /** @throws FaultError `notFound`, `storage` */
  async head(accountId: string, batchId: string): Promise<BatchHead> {
    return shown(await this.#headOf(accountId, batchId))
  }

  /** @throws FaultError `notFound`, `storage` */
  async read(accountId: string, batchId: string): Promise<ConversionBatch> {
    const heads = await this.#heads.list(accountId)
    const found = await this.#headOf(accountId, batchId)
    const { head, rows } = await this.#file(accountId, batchId)
    const again = heads.find(({ id, digest, made }) => digest === found.digest && id !== batchId && made <= found.made)
    // Recount: the app may have been killed between writing the rows and their head.
    const counts = countsOf(rows)
    if (counts.waiting !== found.waiting || counts.sent !== found.sent)
      await this.#noteCounts(accountId, batchId, counts)
    const list = rows.map(({ body: _body, shown: _shown, there: _there, ticket: _ticket, ...row }) => row as BatchRow)
    return { ...shown(found), ...counts, head, list, ...(again && { again: shown(again) }) }
  }

  /** @throws FaultError `conflict` while rows are pending */
  async change(accountId: string, batchId: string, to: { kind: BatchKind; activity: string }): Promise<void> {
    const { kind, waiting } = await this.#headOf(accountId, batchId)
    if (kind !== to.kind && waiting > 0)
      throw busy('Can’t change the type while rows are pending. Stop sending them first.')
    await this.#heads.change(accountId, (all) => ({
      all: all.map((one) => (one.id === batchId ? { ...one, ...to } : one)),
      answer: null,
    }))
  }

  /** Replaces the cells of a row that isn't pending or sent. @throws FaultError `conflict` */
  async changeRow(accountId: string, batchId: string, row: number, cells: readonly string[]): Promise<void> {
    await this.#change(accountId, batchId, ({ head, rows }) => ({
      head,
      rows: rows.map((one) => {
        if (one.row !== row) return one
        if (one.state === 'waiting' || one.state === 'sent') throw busy('This row is already pending or sent.')
        const { words: _words, location: _location, ...rest } = one
        return { ...rest, state: 'here' as const, cells: head.map((_name, at) => cells[at] ?? '') }
      }),
    }))
  }

  async leaveOut(accountId: string, batchId: string, wanted: readonly number[], out: boolean): Promise<void> {
    const numbers = new Set(wanted)
    await this.#change(accountId, batchId, ({ head, rows }) => ({
      head,
      rows: rows.map((one) => {
        if (!numbers.has(one.row) || one.state === 'waiting' || one.state === 'sent') return one
        const { out: _out, ...rest } = one
        return out ? { ...rest, out } : rest
      }),
    }))
  }

  /** @throws FaultError `conflict` while rows are pending */
  async remove(accountId: string, batchId: string): Promise<void> {
    const { rows } = await this.#file(accountId, batchId)
    if (rows.some(({ state }) => state === 'waiting'))
      throw busy('Can’t remove these rows while some are pending. Stop sending them first.')
    await this.#heads.change(accountId, (all) => ({ all: all.filter(({ id }) => id !== batchId), answer: null }))
    await rm(this.#pathOf(accountId, batchId), { force: true }).catch((error: unknown) => {
      throw storageFault(error, 'The rows weren’t deleted.')
    })
  }

  /**
   * Queues rows under a ticket, with their bodies. Skips rows that are pending or sent. @returns the number of queued
   * rows
   */
  async ask(
    accountId: string,
    batchId: string,
    bodies: ReadonlyMap<number, Sending['body']>,
    ticket: string,
    shown: ReadonlyMap<number, Sending['body']> = new Map(),
  ): Promise<number> {
    let count = 0
    await this.#change(accountId, batchId, ({ head, rows }) => ({
      head,
      rows: rows.map((one) => {
        const body = bodies.get(one.row)
        if (!body || one.out || one.state === 'waiting' || one.state === 'sent') return one
        count++
        const { location: _location, shown: _shown, there, ...rest } = one
        // A rejection has shown the values of the service.
        const seen = there ?? shown.get(one.row)
        return { ...rest, state: 'waiting' as const, words: 'Pending', body, ticket, ...(seen && { shown: seen }) }
      }),
    }))
    return count
  }

  /** Discards pending rows that were never sent, of one ticket or all. */
  async release(accountId: string, batchId: string, ticket?: string): Promise<void> {
    await this.#change(accountId, batchId, ({ head, rows }) => ({
      head,
      rows: rows.map((one) => {
        if (one.state !== 'waiting' || one.unsure || (ticket !== undefined && one.ticket !== ticket)) return one
        const { words: _words, ticket: _ticket, body: _body, ...rest } = one
        return { ...rest, state: 'here' as const }
      }),
    }))
  }

  /** All rows of a ticket, in any state. */
  async withTicket(accountId: string, batchId: string, ticket: string): Promise<KeptRow[]> {
    return (await this.#file(accountId, batchId)).rows.filter((row) => row.ticket === ticket)
  }

  /** Stores outcomes by row number. */
  async note(
    accountId: string,
    batchId: string,
    changed: ReadonlyMap<number, Pick<KeptRow, 'state' | 'words' | 'location' | 'unsure' | 'there'>>,
  ): Promise<void> {
    await this.#change(accountId, batchId, ({ head, rows }) => ({
      head,
      rows: rows.map((one) => {
        const to = changed.get(one.row)
        if (!to) return one
        const { words: _words, location: _location, unsure: _unsure, ...rest } = one
        return { ...rest, ...to }
      }),
    }))
  }

  /** Bodies of all sent rows. Leaves out unreadable batches. */
  async sent(accountId: string): Promise<Sending['body'][]> {
    const found: Sending['body'][] = []
    for (const { id, sent } of await this.list(accountId)) {
      if (sent === 0) continue
      const { rows } = await this.#file(accountId, id).catch(() => ({ rows: [] as KeptRow[] }))
      for (const { state, body } of rows) if (state === 'sent' && body) found.push(body)
    }
    return found
  }

  /** Tickets of pending rows, by batch. After a start, some may be missing from the queue. */
  async waitingTickets(accountId: string): Promise<{ batch: BatchHead; ticket: string; rows: number }[]> {
    const found: { batch: BatchHead; ticket: string; rows: number }[] = []
    for (const batch of await this.list(accountId)) {
      if (batch.waiting === 0) continue
      const counts = new Map<string, number>()
      const { rows } = await this.#file(accountId, batch.id).catch(() => ({ rows: [] as KeptRow[] }))
      for (const { state, ticket } of rows)
        if (state === 'waiting' && ticket !== undefined) counts.set(ticket, (counts.get(ticket) ?? 0) + 1)
      for (const [ticket, rows] of counts) found.push({ batch, ticket, rows })
    }
    return found
  }

  async #headOf(accountId: string, batchId: string): Promise<KeptHead> {
    const found = (await this.#heads.list(accountId)).find(({ id }) => id === batchId)
    if (!found) throw new FaultError({ code: 'notFound', message: 'These rows are no longer on this computer.' })
    return found
  }

  #change(
    accountId: string,
    batchId: string,
    change: (file: Omit<KeptFile, 'version'>) => Omit<KeptFile, 'version'>,
  ): Promise<void> {
    const work = async (): Promise<void> => {
      const after = change(await this.#file(accountId, batchId))
      await this.#save(accountId, batchId, { version: 1, ...after })
      await this.#noteCounts(accountId, batchId, countsOf(after.rows))
    }
    return this.#writing.run(work)
  }

  #noteCounts(accountId: string, batchId: string, counts: ReturnType<typeof countsOf>): Promise<null> {
    return this.#heads.change(accountId, (all) => ({
      all: all.map((one) => (one.id === batchId ? { ...one, ...counts } : one)),
      answer: null,
    }))
  }

  async #file(accountId: string, batchId: string): Promise<KeptFile> {
    await this.#headOf(accountId, batchId)
    const path = this.#pathOf(accountId, batchId)
    try {
      return keptFile.parse(JSON.parse(await readFile(path, 'utf8')))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== undefined) throw storageFault(error, 'Nothing changed.')
      throw new FaultError({ code: 'storage', message: `Couldn’t read ${path}. The file is unchanged.` })
    }
  }

  /** The app creates the IDs, so other characters can be dropped. */
  #pathOf(accountId: string, batchId: string): string {
    return this.#library.accountFile(accountId, `conversion-rows-${batchId.replace(/[^0-9a-f-]/g, '')}.json`)
  }

  async #save(accountId: string, batchId: string, file: KeptFile): Promise<void> {
    const path = this.#pathOf(accountId, batchId)
    await privateFolder(dirname(path)).catch((error: unknown) => {
      throw storageFault(error, 'The rows aren’t saved.')
    })
    await savePrivate(path, [JSON.stringify(file)])
  }
}

const shown = ({ digest: _digest, ...head }: KeptHead): BatchHead => head

const busy = (message: string): FaultError => new FaultError({ code: 'conflict', message })

function countsOf(rows: readonly KeptRow[]): Pick<BatchHead, 'rows' | 'sent' | 'waiting' | 'refused'> {
  const counts = { rows: rows.length, sent: 0, waiting: 0, refused: 0 }
  for (const { state } of rows) if (state !== 'here') counts[state]++
  return counts
}
