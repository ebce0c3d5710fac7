import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '#shared/time/clock'
import { createClient, type Client, type DownloadHead, type DownloadOptions } from '../../../src-main/services/client'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections()
})

/** A client whose service always returns the same response. */
async function clientOf(answer: Answer): Promise<Client> {
  const server = createServer(answer)
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return createClient({
    baseUrl: () => `http://127.0.0.1:${port}`,
    token: () => 'T',
    fetch: (url, init) => fetch(url, init),
    now: systemClock.now,
  })
}

interface Taken {
  head: DownloadHead
  text: string
}

const file = (client: Client, options: DownloadOptions = {}): Promise<Taken> =>
  client.download(
    'trafficking.files.get',
    { reportId: '1', fileId: '2' },
    async (head, chunks) => {
      const all: Uint8Array[] = []
      for await (const chunk of chunks) all.push(chunk)
      return { head, text: Buffer.concat(all).toString() }
    },
    options,
  )

const fault = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: { fault?: { code: string } }) => error.fault?.code ?? String(error),
  )

const piece =
  (status: number, headers: Record<string, string>, text: string): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/csv', ...headers })
    response.end(text)
  }

describe('a download', () => {
  it('returns the file and its type', async () => {
    const { head, text } = await file(await clientOf(piece(200, { etag: '"e"', 'content-length': '3' }, 'a,b')))
    expect([head, text]).toEqual([{ contentType: 'text/csv', partial: false, total: 3, etag: '"e"' }, 'a,b'])
  })

  it('resumes, for the same version only', async () => {
    const asked: unknown[] = []
    const client = await clientOf((request, response) => {
      asked.push(request.headers.range, request.headers['if-range'])
      piece(206, { 'content-range': 'bytes 2-2/3' }, 'b')(request, response)
    })
    const { head, text } = await file(client, { from: 2, etag: '"e"' })
    expect([head.partial, head.total, text, asked]).toEqual([true, 3, 'b', ['bytes=2-', '"e"']])
  })

  it('asks for a file as it is, so that its size is known and the rest can be requested', async () => {
    let asked: unknown
    const client = await clientOf((request, response) => {
      asked = request.headers['accept-encoding']
      piece(200, {}, 'a,b')(request, response)
    })
    await file(client)
    expect(asked).toBe('identity')
  })

  it('takes one that is compressed anyway, with an unknown size and no version to resume', async () => {
    const packed = gzipSync('a,b')
    const client = await clientOf((_request, response) => {
      const headers = { 'content-encoding': 'gzip', 'content-length': String(packed.length), etag: '"e"' }
      response.writeHead(200, { 'content-type': 'text/csv', ...headers }).end(packed)
    })
    const { head, text } = await file(client)
    expect([head, text]).toEqual([{ contentType: 'text/csv', partial: false }, 'a,b'])
  })

  it('takes a complete file in place of the rest', async () => {
    const { head, text } = await file(await clientOf(piece(200, {}, 'a,b')), { from: 2 })
    expect([head.partial, text]).toEqual([false, 'a,b'])
  })

  it.each<[string, Answer, number]>([
    ['an unrequested range', piece(206, { 'content-range': 'bytes 1-2/3' }, ',b'), 0],
    ['less than requested', piece(206, { 'content-range': 'bytes 0-1/3' }, 'a,'), 0],
    ['another range', piece(206, { 'content-range': 'bytes 1-2/3' }, ',b'), 2],
    ['a range of unknown size', piece(206, {}, 'b'), 2],
    ['a range of a compressed file', piece(206, { 'content-range': 'bytes 2-2/3', 'content-encoding': 'br' }, 'b'), 2],
    ['a captive portal', piece(200, { 'content-type': 'text/html; charset=utf-8' }, '<p>'), 0],
  ])('rejects %s', async (_what, answer, from) => {
    expect(await fault(file(await clientOf(answer), { from }))).toBe('badAnswer')
  })

  it.each<[string, Answer]>([
    [
      'shorter than announced',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/csv', 'content-length': '100' })
        response.write('a,b', () => response.destroy())
      },
    ],
    [
      'cut between two chunks',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/csv' })
        response.write('a,b', () => response.destroy())
      },
    ],
  ])('that is %s has an unknown outcome, not a short file', async (_what, answer) => {
    expect(await fault(file(await clientOf(answer)))).toBe('answerLost')
  })

  it("notices missing bytes that the system doesn't", async () => {
    const client = createClient({
      baseUrl: () => 'http://127.0.0.1:9',
      token: () => 'T',
      fetch: () => Promise.resolve(new Response('a,b', { headers: { 'content-length': '100' } })),
      now: systemClock.now,
    })
    expect(await fault(file(client))).toBe('answerLost')
  })

  it("beyond the file's end is rejected", async () => {
    const answer = piece(416, { 'content-range': 'bytes */3' }, '')
    expect(await fault(file(await clientOf(answer), { from: 9 }))).toBe('invalid')
  })
})

describe('an address', () => {
  it("can't contain traversal or inherited parameters", async () => {
    const client = await clientOf(piece(200, {}, '{}'))
    await expect(client.call('tasks.tasklists.get', { tasklist: '..' })).rejects.toThrow(RangeError)
    const params = { tasklist: 'a', toString: 'b' } as unknown as { tasklist: string }
    await expect(client.call('tasks.tasklists.get', params)).rejects.toThrow('no parameter toString')
  })
})
