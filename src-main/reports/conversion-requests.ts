import { faultOf, faults, type Fault, type FaultPart } from '#shared/fault'
import type { BatchKind } from '#shared/search-ads/batch-questions'
import type { Sending } from '#shared/search-ads/questions'
import type { Conversion } from '#shared/wire/search/types'
import { tableOf } from '#shared/wire/services'
import { validate } from '#shared/wire/validate'
import type { Client } from '../services/client'
import type { ConversionBatches, KeptRow } from './conversion-batches'
import { whetherThere } from './conversion-looking'

/**
 * Conversions of one request. The interface names no limit; this is a few hundred kilobytes, answered in seconds, and a lost
 * answer leaves no more than these in doubt.
 */
export const mostAtOnce = 200

export const theServiceHasIt = 'Accepted'
export const earlierTry = 'Accepted in an earlier attempt'
const mayBeThere =
  'A conversion with this ID and time already exists. It may be this one, sent by an earlier attempt. Look for it under Conversions before you send it again.'
const another = 'A conversion with this ID and time already exists, with different values.'
export const sameThere = 'Already accepted with the same values'

/** What became of a conversion, as far as it shows now. */
export type End = Pick<Sending, 'state' | 'words' | 'location' | 'unsure'>
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
  /** Whether to stop between two requests. */
  closed: () => boolean
  /** Before and after each request. */
  progress: () => Promise<void>
}

/**
 * Sends the waiting rows of a ticket, so many at once. Each is noted as unsure before it goes, and what became of it after.
 * @returns why it cannot go on now; undefined when no row waits any more. @throws FaultError `storage`
 */
export async function sendTicket(options: Options): Promise<Fault | undefined> {
  const { batches, accountId, batchId, ticket, closed, progress } = options
  let size = mostAtOnce
  while (!closed()) {
    const waiting = (await batches.withTicket(accountId, batchId, ticket)).filter(({ state }) => state === 'waiting')
    if (waiting.length === 0) return undefined
    const rows = waiting.slice(0, size)
    const note = (ends: ReadonlyMap<number, End>): Promise<void> => batches.note(accountId, batchId, ends)
    const all = (end: (row: KeptRow) => End): Map<number, End> => new Map(rows.map((row) => [row.row, end(row)]))
    const wrong = wronglyMade(rows, options.kind)
    if (wrong.size > 0) {
      await note(wrong)
      continue
    }
    // From here on they may have arrived, whatever ends the app.
    await note(all(() => ({ state: 'waiting', words: 'Sending…', unsure: true })))
    await progress()
    try {
      await ask(options, rows)
      await note(all(() => sent()))
      size = Math.min(mostAtOnce, size * 2)
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
        // Which of them it means shows when there are fewer; whether it took others is not known.
        await note(all(() => ({ state: 'waiting', words: fault.message, unsure: true })))
        size = Math.ceil(rows.length / 2)
      } else await note(await endsOf(rows, new Map(rows.map((_row, at) => [at, fault])), options))
    }
    await progress()
  }
  return undefined
}

async function ask({ client, kind }: Options, rows: readonly KeptRow[]): Promise<void> {
  const conversion = rows.map(({ body }) => body as unknown as Conversion)
  const list = { kind: 'search#conversionList', conversion }
  if (kind === 'insert') await client.call('search.conversion.insert', {}, { body: list })
  else await client.call('search.conversion.update', {}, { body: list })
}

/** A body that the interface does not allow would cost all others of its request: it never goes out. */
function wronglyMade(rows: readonly KeptRow[], kind: BatchKind): Map<number, End> {
  const found = new Map<number, End>()
  for (const { row, body = {} } of rows) {
    const operation = kind === 'insert' ? 'search.conversion.insert' : 'search.conversion.update'
    const [problem] = validate(tableOf('search'), 'Conversion', body, { kind, operation })
    if (problem) found.set(row, refused({ message: problem.message, location: problem.path }))
  }
  return found
}

/** What the service says of each member that it names; undefined where it does not speak of members alone. */
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

/** The ends of rows of which the service names some as failed: it is at its best effort, so that it has the others. */
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
  const found = await endsOfDoubles(client, doubles)
  doubles.forEach(({ row }, at) => ends.set(row, found[at]!))
  return ends
}

/** A new conversion that the service refused as a double, with what it said. */
type Double = Pick<KeptRow, 'id' | 'unsure'> & { body: Sending['body']; part: FaultPart }

/**
 * What became of conversions that the service refused as doubles. One whose conversion ID the app made is nobody else's: an
 * earlier try had arrived, maybe one that the network made by itself. Of all others the values are looked at there.
 * @throws FaultError where that can be seen later
 */
export async function endsOfDoubles(client: Client, doubles: readonly Double[]): Promise<End[]> {
  const isOwn = ({ id, body }: Double): boolean => body['conversionId'] === id
  const others = doubles.filter((one) => !isOwn(one))
  const looked = await whetherThere(
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

/** Rows of a ticket in words: what became of them so far. */
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
