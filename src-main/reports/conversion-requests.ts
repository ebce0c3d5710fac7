import { faultOf, faults, type Fault, type FaultPart } from '#shared/fault'
import type { BatchKind } from '#shared/search-ads/batch-questions'
import type { Sending } from '#shared/search-ads/questions'
import type { Conversion } from '#shared/wire/search/types'
import { tableOf } from '#shared/wire/services'
import { validate } from '#shared/wire/validate'
import type { Client } from '../services/client'
import type { ConversionBatches, KeptRow } from './conversion-batches'
import { currentStatesOf } from './conversion-base'
import { lookUpConversions, nameOf } from './conversion-lookup'

/**
 * Maximum number of conversions per request. The API documents no limit. This is a few hundred kilobytes, takes
 * seconds, and limits how many are in doubt after a lost response.
 */
export const maxPerRequest = 200

export const theServiceHasIt = 'Accepted'
export const earlierTry = 'Accepted in an earlier attempt'
const mayBeThere =
  'A conversion with this ID and time already exists. It may be this one, sent by an earlier attempt. Look for it under Conversions before you send it again.'
const another = 'A conversion with this ID and time already exists, with different values.'
export const sameThere = 'Already accepted with the same values'

/** Outcome of a conversion, as far as it's known. */
export type End = Pick<Sending, 'state' | 'words' | 'location' | 'unsure' | 'there'>
const sent = (words = theServiceHasIt): End => ({ state: 'sent', words })
const refused = ({ message, location }: FaultPart): End => ({
  state: 'refused',
  words: message.replace(/^conversion\[\d+\]:\s*/, ''),
  ...(location !== undefined && { location: location.replace(/^conversion\[\d+\]\.?/, '') }),
})

export const isDouble = ({ code, reason }: Pick<Fault, 'reason'> & { code?: string }): boolean =>
  code === 'duplicate' || reason === 'duplicate'

interface Options {
  client: Client
  batches: ConversionBatches
  accountId: string
  batchId: string
  ticket: string
  kind: BatchKind
  /** This computer's own earlier changes to a conversion. */
  earlier: (body: Sending['body']) => readonly Sending['body'][]
  /** True to stop between two requests. */
  closed: () => boolean
  /** Called before and after each request. */
  progress: () => Promise<void>
}

/**
 * Sends the pending rows of a ticket in groups. Each is marked as unsure before the request, and with its outcome after
 * it.
 * @returns the error that stops it for now, or undefined when no rows are pending. @throws FaultError `storage`
 */
export async function sendTicket(options: Options): Promise<Fault | undefined> {
  const { batches, accountId, batchId, ticket, closed, progress } = options
  let size = maxPerRequest
  while (!closed()) {
    const waiting = (await batches.withTicket(accountId, batchId, ticket)).filter(({ state }) => state === 'waiting')
    if (waiting.length === 0) return undefined
    let rows = waiting.slice(0, size)
    const note = (ends: ReadonlyMap<number, End>): Promise<void> => batches.note(accountId, batchId, ends)
    const all = (end: (row: KeptRow) => End): Map<number, End> => new Map(rows.map((row) => [row.row, end(row)]))
    const wrong = wronglyMade(rows, options.kind)
    if (wrong.size > 0) {
      await note(wrong)
      continue
    }
    try {
      const known = await endsOfSeen(options, rows)
      if (known.size > 0) await note(known)
      rows = rows.filter(({ row }) => !known.has(row))
      if (rows.length === 0) continue
    } catch (error) {
      const fault = faultOf(error)
      if (fault.code === 'storage') throw error
      await note(all(({ unsure }) => ({ state: 'waiting', words: fault.message, ...(unsure && { unsure }) })))
      await progress()
      return fault
    }
    const tried = new Set(rows.flatMap(({ row, unsure }) => (unsure ? [row] : [])))
    // From here on they may have arrived, even if the app is killed.
    await note(all(() => ({ state: 'waiting', words: 'Sending…', unsure: true })))
    await progress()
    try {
      const missing = await ask(options, rows)
      await note(all((row) => (missing.has(row.row) ? unconfirmed(tried.has(row.row)) : sent())))
      size = Math.min(maxPerRequest, size * 2)
    } catch (error) {
      const fault = faultOf(error)
      const named = partsByMember(fault, rows.length)
      if (named) await note(await endsOf(rows, named, options))
      else if (faults[fault.code].retry || fault.code === 'signInExpired') {
        const { message: words, code } = fault
        const unsure = ({ unsure }: KeptRow): { unsure?: true } =>
          unsure || faults[code].mayHaveArrived ? { unsure: true } : {}
        await note(all((row) => ({ state: 'waiting', words, ...unsure(row) })))
        await progress()
        return fault
      } else if (rows.length > 1 && fault.code === 'invalid') {
        // A smaller group shows which rows it means. It's unknown whether the others were accepted.
        await note(all(() => ({ state: 'waiting', words: fault.message, unsure: true })))
        size = Math.ceil(rows.length / 2)
      } else await note(await endsOf(rows, new Map(rows.map((_row, at) => [at, fault])), options))
    }
    await progress()
  }
  return undefined
}

/**
 * Outcomes of updates that aren't sent: an earlier attempt arrived, or someone else changed what the user saw.
 * @throws FaultError if the lookup must be retried later
 */
async function endsOfSeen({ client, kind, earlier }: Options, rows: readonly KeptRow[]): Promise<Map<number, End>> {
  const updates = kind === 'update' ? rows.filter(({ shown }) => shown) : []
  const states = await currentStatesOf(
    client,
    updates.map(({ body = {}, shown }) => ({ body, shown, earlier: earlier(body) })),
  )
  const ends = new Map<number, End>()
  updates.forEach(({ row, unsure }, at) => {
    const state = states[at]!
    if (state === 'done') ends.set(row, sent(unsure ? earlierTry : sameThere))
    else if (state !== 'asSeen') ends.set(row, { state: 'refused', ...state })
  })
  return ends
}

/** @returns rows that the response leaves out, although the request succeeded */
async function ask({ client, kind }: Options, rows: readonly KeptRow[]): Promise<ReadonlySet<number>> {
  const conversion = rows.map(({ body }) => body as unknown as Conversion)
  const list = { kind: 'search#conversionList', conversion }
  const { body } =
    kind === 'insert'
      ? await client.call('search.conversion.insert', {}, { body: list })
      : await client.call('search.conversion.update', {}, { body: list })
  return body.conversion ? leftOut(rows, body.conversion) : new Set()
}

/** @returns rows that a response doesn’t confirm. Each of its conversions confirms at most one. */
function leftOut(rows: readonly KeptRow[], answered: readonly Conversion[]): ReadonlySet<number> {
  const named = rows
    .map(({ row, body = {} }) => ({ row, sent: body as unknown as Conversion }))
    .filter(({ sent }) => sent.conversionId !== undefined)
  let open = named
  let spare = answered
  // Times first, because conversions with the same ID may differ only in theirs.
  for (const name of [nameOf, ({ conversionId = '' }: Conversion) => conversionId]) {
    const known = new Set(named.map(({ sent }) => name(sent)))
    const unused = spare.map(name)
    open = open.filter(({ sent }) => {
      const at = unused.indexOf(name(sent))
      if (at >= 0) unused.splice(at, 1)
      return at < 0
    })
    spare = spare.filter((one) => !known.has(name(one)))
  }
  // Without an ID, or with one in the service's own way, it may be any of them.
  return new Set(spare.length >= open.length ? [] : open.map(({ row }) => row))
}

/** A conversion that the response left out is sent again: its ID shows whether it's there already. */
const unconfirmed = (tried: boolean): End =>
  tried
    ? refused({
        message: 'The service didn’t confirm this conversion. Look for it under Conversions before you send it again.',
      })
    : { state: 'waiting', words: 'Not confirmed yet', unsure: true }

/** Rejects bodies that violate the schema, because one would fail the whole request. */
function wronglyMade(rows: readonly KeptRow[], kind: BatchKind): Map<number, End> {
  const found = new Map<number, End>()
  for (const { row, body = {} } of rows) {
    const operation = kind === 'insert' ? 'search.conversion.insert' : 'search.conversion.update'
    const [problem] = validate(tableOf('search'), 'Conversion', body, { kind, operation })
    if (problem) found.set(row, refused({ message: problem.message, location: problem.path }))
  }
  return found
}

/** Errors by member of the request, or undefined if the error isn't about single members. */
function partsByMember({ code, parts }: Fault, count: number): Map<number, FaultPart> | undefined {
  if (!parts || faults[code].retry || code === 'signInExpired') return undefined
  const named = new Map<number, FaultPart>()
  for (const part of parts) {
    const [, digits] = /^conversion\[(\d+)\]/.exec(part.location ?? '') ?? []
    const at = digits === undefined ? count : Number(digits)
    if (at >= count) return undefined
    if (!named.has(at)) named.set(at, part)
  }
  return named
}

/** Outcomes of rows after a partial failure. The service accepts the rows it doesn't name. */
async function endsOf(
  rows: readonly KeptRow[],
  named: ReadonlyMap<number, FaultPart & { code?: string }>,
  { client, kind }: Options,
): Promise<Map<number, End>> {
  const ends = new Map<number, End>()
  const doubles: (Double & Pick<KeptRow, 'row'>)[] = []
  rows.forEach((row, at) => {
    const part = named.get(at)
    if (!part) ends.set(row.row, sent())
    else if (kind === 'update' || !isDouble(part)) ends.set(row.row, refused(part))
    else doubles.push({ ...row, body: row.body ?? {}, part })
  })
  const found = await resolveDuplicates(client, doubles)
  doubles.forEach(({ row }, at) => ends.set(row, found[at]!))
  return ends
}

/** A new conversion that the service rejected as a duplicate, and its error. */
type Double = Pick<KeptRow, 'id' | 'unsure'> & { body: Sending['body']; part: FaultPart }

/**
 * Resolves conversions that the service rejected as duplicates. If the app created the conversion ID, an earlier
 * attempt arrived, perhaps an automatic retry of the network stack. For all others, compares the values on the server.
 * @throws FaultError if the lookup must be retried later
 */
export async function resolveDuplicates(client: Client, doubles: readonly Double[]): Promise<End[]> {
  const isOwn = ({ id, body }: Double): boolean => body['conversionId'] === id
  const others = doubles.filter((one) => !isOwn(one))
  const looked = await lookUpConversions(
    client,
    others.map(({ body }) => body),
  )
  return doubles.map((one) => {
    if (isOwn(one)) return sent(earlierTry)
    const there = looked[others.indexOf(one)]
    if (there === 'same') return sent(one.unsure ? earlierTry : sameThere)
    if (there === 'other') return refused({ message: another, location: 'conversionId' })
    return refused(one.unsure ? { message: mayBeThere, location: 'conversionId' } : one.part)
  })
}

/** Summary of the outcomes of a ticket's rows. */
export function ticketWords(rows: readonly Pick<KeptRow, 'state'>[]): { words: string; sent: number; refused: number } {
  const count = (state: KeptRow['state']): number => rows.filter((row) => row.state === state).length
  const [sent, refused, waiting] = [count('sent'), count('refused'), count('waiting')]
  const parts = [
    sent > 0 && `${sent.toLocaleString('en')} accepted`,
    refused > 0 && `${refused.toLocaleString('en')} rejected`,
    waiting > 0 && `${waiting.toLocaleString('en')} pending`,
  ].filter((part) => part !== false)
  return { words: parts.join(', ') || 'Discarded before sending', sent, refused }
}
