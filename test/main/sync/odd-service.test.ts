import { createServer, type Server } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FaultError, faultCodes, faultOf } from '#shared/fault'
import type { PullPage } from '#shared/ipc/sync-questions'
import type { OutboxEntry } from '#shared/mutation/entry'
import { systemClock } from '#shared/time/clock'
import { createClient, type Client } from '../../../src-main/services/client'
import { maxPages, pull } from '../../../src-main/sync/pull'
import { actions } from '../../../src-main/actions/actions'
import { push } from '../../../src-main/sync/push'
import { readRecord } from '../../../src-main/sync/read'

interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer
  /** Sends only this many bytes, then closes the connection. */
  cut?: number
}

let server: Server
let client: Client
let next: (path: string) => Answer = () => ({})

beforeAll(async () => {
  server = createServer((incoming, outgoing) => {
    incoming.resume()
    const { status = 200, headers = { 'content-type': 'application/json' }, body = '', cut } = next(incoming.url ?? '')
    const bytes = Buffer.from(body as string)
    outgoing.on('error', () => undefined)
    if (cut === undefined) {
      outgoing.writeHead(status, headers)
      outgoing.end(status === 204 || status === 304 ? undefined : bytes)
      return
    }
    outgoing.writeHead(status, { ...headers, 'content-length': bytes.length })
    outgoing.flushHeaders()
    outgoing.write(bytes.subarray(0, cut), () => incoming.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  client = createClient({ baseUrl: () => `http://127.0.0.1:${port}`, token: () => 't', fetch, now: systemClock.now })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const events = { collection: 'events' as const, parent: 'me@example.com', cursor: null, page: null }
const event = {
  kind: 'calendar#event',
  id: 'abcde',
  etag: '"1"',
  status: 'confirmed',
  start: { date: '2026-01-05' },
  end: { date: '2026-01-06' },
}
const page = { kind: 'calendar#events', items: [event], nextSyncToken: 's1' }

async function pulled(answer: Answer): Promise<PullPage | string> {
  next = () => answer
  try {
    return await pull(client, events)
  } catch (error) {
    expect(error).toBeInstanceOf(FaultError)
    return faultOf(error).code
  }
}

describe('a pull with odd responses', () => {
  it.each<[string, Answer, string]>([
    ['HTML', { headers: { 'content-type': 'text/html' }, body: '<html>' }, 'badAnswer'],
    ['nothing', { body: '' }, 'badAnswer'],
    ['an object without items', { body: '{}' }, 'badAnswer'],
    ['a list', { body: '[]' }, 'badAnswer'],
    ['null', { body: 'null' }, 'badAnswer'],
    ['204', { status: 204 }, 'badAnswer'],
    ['an unrequested 304', { status: 304 }, 'badAnswer'],
    ["items that aren't a list", { body: '{"items":{"a":1}}' }, 'badAnswer'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'answerLost'],
    ['HTML with 503', { status: 503, body: '<html>' }, 'unavailable'],
    ['an error with wrong types', { status: 403, body: '{"error":{"code":"x","errors":[null,7]}}' }, 'forbidden'],
    ['an unknown status', { status: 418, body: '{}' }, 'badAnswer'],
    ['an unknown status of the service', { status: 418, body: '{"error":{"message":"No"}}' }, 'invalid'],
  ])('%s is an error', async (_name, answer, code) => {
    expect(await pulled(answer)).toBe(code)
  })

  it('gzip, another content type, a byte order mark, and unknown fields change nothing', async () => {
    const text = JSON.stringify({ ...page, later: { a: [1] } })
    const answers: Answer[] = [
      { body: text, headers: { 'content-type': 'text/plain' } },
      { body: gzipSync(text), headers: { 'content-encoding': 'gzip' } },
      { body: `\ufeff${text}` },
    ]
    for (const answer of answers) {
      expect(await pulled(answer)).toMatchObject({ records: [{ id: 'abcde' }], cursor: { value: 's1' } })
    }
  })

  it('a response cut at any byte is lost, never a partial page', async () => {
    const body = JSON.stringify(page)
    for (let cut = 0; cut < body.length; cut++) expect([cut, await pulled({ body, cut })]).toEqual([cut, 'answerLost'])
  })

  it('a compressed response that is cut or damaged is never a partial page', async () => {
    const records = Array.from({ length: 50 }, (_, at) => ({
      id: `abcde${at}`,
      etag: `"${at * 7919}"`,
      status: 'confirmed',
    }))
    const packed = gzipSync(JSON.stringify({ ...page, items: records }))
    const damaged = Buffer.from(packed)
    damaged[packed.length >> 1]! ^= 1
    const cuts = Array.from({ length: 20 }, (_, at) => packed.subarray(0, Math.floor((packed.length * at) / 24)))
    for (const body of [damaged, Buffer.from('{}'), ...cuts]) {
      const result = await pulled({ body, headers: { 'content-encoding': 'gzip' } })
      expect([body.length, result]).toEqual([body.length, expect.stringMatching(/^(answerLost|badAnswer)$/)])
    }
  })

  it('a response with any flipped bit is an error or has identifiable records', async () => {
    const bytes = Buffer.from(JSON.stringify(page))
    for (let at = 0; at < bytes.length; at++) {
      const body = Buffer.from(bytes)
      body[at]! ^= 1 << (at % 8)
      const result = await pulled({ body })
      if (typeof result === 'string') expect(faultCodes).toContain(result)
      else for (const record of result.records) expect(record.id).toMatch(/^[^\u0000-\u001f]+$/)
    }
  })

  it.each([
    ['no id', {}],
    ['an empty id', { id: '' }],
    ['a number', { id: 5 }],
    ['null', { id: null }],
    ['a line break', { id: 'a\nb' }],
    ['a NUL', { id: 'a\u0000b' }],
    ['only white space', { id: '  ' }],
  ])('an item with %s is skipped', async (_name, part) => {
    const { id: _id, ...rest } = event
    const items = [{ ...rest, ...part }, null, 7, 'x', [], event]
    const result = await pulled({ body: JSON.stringify({ ...page, items }) })
    expect((result as PullPage).records.map((record) => record.id)).toEqual(['abcde'])
  })

  it('a page that links to itself is an error, not an endless loop', async () => {
    next = () => ({ body: JSON.stringify({ ...page, nextPageToken: 'again' }) })
    const first = await pull(client, events)
    await expect(pull(client, { ...events, page: first.nextPage! })).rejects.toMatchObject({
      fault: { code: 'badAnswer' },
    })
  })

  it('endless empty pages end in an error, sooner than full ones', async () => {
    const pagesUntilFault = async (items: unknown[]): Promise<number> => {
      let asked = 0
      next = () => ({ body: JSON.stringify({ ...page, items, nextPageToken: `p${++asked}` }) })
      for (let token: string | null = null; ;) {
        const answer: PullPage | string = await pull(client, { ...events, page: token }).catch(
          (error: unknown) => faultOf(error).code,
        )
        if (typeof answer === 'string') {
          expect(answer).toBe('badAnswer')
          return asked
        }
        token = answer.nextPage!
      }
    }
    expect(await pagesUntilFault([])).toBe(maxPages / 2 + 1)
    expect(await pagesUntilFault([event])).toBe(maxPages + 1)
  })

  it('an invalid token restarts the pull with any status, and is an invalid request without a token', async () => {
    const refused = { code: 400, errors: [{ reason: 'invalid', location: 'syncToken' }] }
    next = () => ({ status: 400, body: JSON.stringify({ error: refused }) })
    const since = { ...events, cursor: { kind: 'syncToken' as const, value: 'old' } }
    await expect(pull(client, since)).rejects.toMatchObject({ fault: { code: 'cursorExpired' } })
    const midway = { ...events, page: JSON.stringify({ token: 'p1', number: 1 }) }
    await expect(pull(client, midway)).rejects.toMatchObject({ fault: { code: 'cursorExpired' } })
    await expect(pull(client, events)).rejects.toMatchObject({ fault: { code: 'invalid' } })
  })

  it('an empty page with a next one is valid', async () => {
    expect(await pulled({ body: '{"nextPageToken":"n"}' })).toMatchObject({ records: [], nextPage: expect.any(String) })
  })
})

describe('a push with odd responses', () => {
  const entry = {
    id: 'e1',
    accountId: 'a',
    collection: 'events',
    parent: 'me@example.com',
    recordId: 'abcde',
    kind: 'create',
    patch: { summary: 'x', start: event.start, end: event.end },
    base: null,
    complete: false,
  } as unknown as OutboxEntry

  it.each<[string, Answer]>([
    ['HTML', { body: '<html>' }],
    ['nothing', { body: '' }],
    ['a record without an id', { body: '{"kind":"calendar#event"}' }],
    ['half an answer', { body: JSON.stringify(event), cut: 20 }],
    ['204', { status: 204 }],
    ['500 in HTML', { status: 500, body: '<html>' }],
  ])("%s leaves the outcome unknown, so it's checked before a retry", async (_name, answer) => {
    next = () => answer
    expect(await push({ actions, client, now: systemClock.now }, entry)).toMatchObject({ kind: 'retry', unknown: true })
  })

  it("a response about another record isn't ours", async () => {
    next = () => ({ body: JSON.stringify({ ...event, id: 'other' }) })
    expect(await push({ actions, client, now: systemClock.now }, entry)).toMatchObject({ kind: 'retry', unknown: true })
    const change = { ...entry, kind: 'change', etag: '"1"', base: event, complete: true, patch: { summary: 'y' } }
    expect(await push({ actions, client, now: systemClock.now }, change as OutboxEntry)).toMatchObject({
      kind: 'retry',
    })
  })

  const remove = { ...entry, kind: 'delete', etag: '"1"', base: event, complete: true } as OutboxEntry
  const portal = '<html><body>Welcome to our hotel</body></html>'

  it.each([200, 401, 403, 404, 410, 412])(
    'a web page with %i confirms no deletion, ends no record, and pauses nothing',
    async (status) => {
      next = () => ({ status, headers: { 'content-type': 'text/html' }, body: portal })
      const deps = { actions, client, now: systemClock.now }
      const kinds = [
        remove,
        { ...remove, etag: undefined } as OutboxEntry,
        { ...remove, kind: 'change', patch: { summary: 'y' } } as OutboxEntry,
        { ...remove, kind: 'action', action: { name: 'moveEvent', destination: 'there' } } as OutboxEntry,
        { ...remove, kind: 'action', action: { name: 'clearCalendar' } } as OutboxEntry,
      ]
      for (const one of kinds)
        expect(await push(deps, one)).toMatchObject({ kind: 'retry', unknown: true, fault: { code: 'badAnswer' } })
      await expect(readRecord(client, 'events', 'me@example.com', 'abcde')).rejects.toMatchObject({
        fault: { code: 'badAnswer' },
      })
    },
  )

  it("the service's own 404 and 410 still mean deleted", async () => {
    for (const [status, reason] of [
      [404, 'notFound'],
      [410, 'deleted'],
    ] as const) {
      next = () => ({ status, body: JSON.stringify({ error: { code: status, errors: [{ reason }] } }) })
      expect(await push({ actions, client, now: systemClock.now }, remove)).toMatchObject({ kind: 'confirmed' })
    }
  })

  it("a web page with 401 doesn't end the sign-in", async () => {
    next = () => ({ status: 401, body: portal })
    const address = server.address() as AddressInfo
    const baseUrl = (): string => `http://127.0.0.1:${address.port}`
    const renewing = createClient({
      baseUrl,
      token: () => 't',
      renew: () => expect.fail('It was not the service that refused the token.'),
      fetch,
      now: systemClock.now,
    })
    expect(await push({ actions, client: renewing, now: systemClock.now }, remove)).toMatchObject({
      fault: { code: 'badAnswer' },
    })
  })

  it('a paged search restarts when its token is rejected', async () => {
    next = (path) =>
      path.includes('pageToken')
        ? { status: 400, body: JSON.stringify({ error: { errors: [{ reason: 'invalid', location: 'pageToken' }] } }) }
        : { body: JSON.stringify({ items: [], nextPageToken: 'p1' }) }
    const task = { ...entry, collection: 'tasks', parent: 'l', recordId: 'local:1', unknownOutcome: true, patch: {} }
    expect(await push({ actions, client, now: systemClock.now }, task as unknown as OutboxEntry)).toMatchObject({
      kind: 'retry',
    })
  })

  it("repeating pages don't block a push forever", async () => {
    let asked = 0
    next = (path) =>
      path.includes('/lists/')
        ? { body: JSON.stringify({ items: [], nextPageToken: `p${Math.min(++asked, 2)}` }) }
        : { status: 500 }
    const task = { ...entry, collection: 'tasks', parent: 'l', recordId: 'local:1', unknownOutcome: true, patch: {} }
    const outcome = await push({ actions, client, now: systemClock.now }, task as unknown as OutboxEntry)
    expect(outcome.kind).toBe('retry')
    expect(asked).toBe(3)
  })
})
