import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { faultOf, type Fault } from '#shared/fault'
import { NetworkSwitch } from '../../../src-main/app/network'
import { receive, send, type Fetch, type HttpRequest } from '../../../src-main/http/send'

const servers: Array<{ close(): void }> = []
const unhandled: unknown[] = []
const note = (error: unknown): void => void unhandled.push(error)
process.on('unhandledRejection', note)
afterAll(() => void process.off('unhandledRejection', note))

afterEach(() => {
  vi.useRealTimers()
  for (const server of servers.splice(0)) server.close()
  expect(unhandled).toEqual([])
})

interface Line {
  url: string
  /** Resolves with the next connection once its request starts to arrive. */
  asked(): Promise<Socket>
  closed: Promise<void>
}

/** A service on a raw socket, controlled by the test. */
async function line(answer: (socket: Socket, first: Buffer) => void = () => undefined): Promise<Line> {
  const sockets: Socket[] = []
  let close!: () => void
  const closed = new Promise<void>((resolve) => (close = resolve))
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.once('close', close)
    socket.once('data', (first: Buffer) => {
      server.emit('asked', socket)
      answer(socket, first)
    })
  })
  servers.push({
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked: async () => (await once(server, 'asked'))[0] as Socket,
    closed,
  }
}

const head = (length: number): string => `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`
const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  headers: {},
  timeout: 150,
  ...more,
})
/** Only `vi.advanceTimersByTime` moves timers, however long this machine takes. Real ones return after the test. */
const holdTimers = (): void => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
const faultIn = (attempt: Promise<unknown>): Promise<Fault> =>
  attempt.then(() => expect.fail('It should not have come to an answer.'), faultOf)

/** Electron's fetch after memory cleanup: its signal no longer works. */
const withoutSignal: Fetch = (url, { signal: _, ...init }) => fetch(url, init)

describe.each<[string, Fetch]>([
  ['that obeys its signal', fetch],
  ['that ignores its signal', withoutSignal],
])('with a fetch %s', (_name, fetch) => {
  it('a missing header times out with an unknown outcome', async () => {
    const { url } = await line()
    const fault = await faultIn(send(fetch, get(url)))
    expect(fault).toMatchObject({ code: 'answerLost', message: expect.stringContaining('didn’t respond in time') })
  })

  it('a stalled body times out with an unknown outcome', async () => {
    const { url } = await line((socket) => socket.write(`${head(100)}{"half`))
    expect(await faultIn(send(fetch, get(url)))).toMatchObject({ code: 'answerLost' })
  })

  it('a slow response succeeds: the limit is per chunk', async () => {
    holdTimers()
    const { url, asked } = await line()
    const reached = asked()
    const answer = receive(fetch, get(url, { timeout: 3_000 }), async (_head, chunks) => {
      let text = ''
      for await (const chunk of chunks) {
        text += Buffer.from(chunk).toString()
        // Once the loop waits for the next chunk.
        if (text.length < 5) setImmediate(late, 'x')
      }
      return text
    })
    const socket = await reached
    function late(written: string): void {
      vi.advanceTimersByTime(2_999)
      socket.write(written)
    }
    late(`${head(5)}x`)
    expect(await answer).toBe('xxxxx')
  })

  it('a trickling response is aborted, though each chunk is on time', async () => {
    const { url } = await line((socket) => {
      socket.write(head(1_000_000))
      const timer = setInterval(() => socket.write('x'), 20)
      socket.once('close', () => clearInterval(timer))
    })
    const pace = { bytes: 1_000, within: 300 }
    const fault = await faultIn(send(fetch, get(url, { pace })))
    expect(fault).toMatchObject({ code: 'answerLost', message: expect.stringContaining('in time') })
  })

  it('a reset in the header or the body means an unknown outcome', async () => {
    const inHead = await line((socket) => socket.resetAndDestroy())
    const inBody = await line((socket) => socket.write(`${head(100)}{"half`, () => socket.resetAndDestroy()))
    for (const { url } of [inHead, inBody])
      expect(await faultIn(send(fetch, get(url, { timeout: 60_000 })))).toMatchObject({ code: 'answerLost' })
  })

  it('a stalled file stops at the missing chunk and keeps the earlier ones', async () => {
    const { url } = await line((socket) => socket.write(`${head(100)}first`))
    const came: string[] = []
    const fault = await faultIn(
      receive(fetch, get(url), async (_head, chunks) => {
        for await (const chunk of chunks) came.push(Buffer.from(chunk).toString())
      }),
    )
    expect(fault).toMatchObject({ code: 'answerLost' })
    expect(came).toEqual(['first'])
  })

  it('canceling stops at once, in the header and the body', async () => {
    const inHead = await line()
    const inBody = await line((socket) => socket.write(`${head(100)}{"half`))
    for (const { url, asked } of [inHead, inBody]) {
      const controller = new AbortController()
      const reached = asked()
      const fault = faultIn(send(fetch, get(url, { timeout: 60_000, signal: controller.signal })))
      await reached
      controller.abort()
      expect(await fault).toMatchObject({ code: 'aborted' })
    }
  })

  it('offline mode aborts hanging requests at once, with an unknown outcome', async () => {
    const inHead = await line()
    const inBody = await line()
    for (const { url, asked } of [inHead, inBody]) {
      const network = new NetworkSwitch()
      const reached = asked()
      let headCame!: () => void
      const headed = new Promise<void>((resolve) => (headCame = resolve))
      const fault = faultIn(
        receive(network.guard(fetch), get(url, { timeout: 60_000 }), async (_head, chunks) => {
          headCame()
          for await (const chunk of chunks) expect(chunk.length).toBeGreaterThan(0)
        }),
      )
      const socket = await reached
      if (url === inBody.url) {
        socket.write(`${head(100)}{"half`)
        await headed
      }
      network.set(true)
      expect(await fault).toMatchObject({ code: 'answerLost', message: expect.stringContaining('offline') })
      network.set(false)
    }
  })
})

describe('a response after the timeout', () => {
  it('is closed, and a late error is ignored', async () => {
    const late = await line()
    const reached = late.asked()
    const fault = faultIn(send(withoutSignal, get(late.url)))
    const socket = await reached
    await fault
    socket.write(`${head(1_000_000)}x`)
    // The connection is closed instead of being read to the end.
    await late.closed

    const broken = await line()
    const asked = broken.asked()
    const lost = faultIn(send(withoutSignal, get(broken.url)))
    const other = await asked
    await lost
    other.resetAndDestroy()
    await broken.closed
    // Turns of the event loop that would report an unhandled rejection.
    for (let turns = 0; turns < 5; turns++) await new Promise((done) => setImmediate(done))
  })
})

describe('an upload', () => {
  it('counts each chunk as progress', async () => {
    holdTimers()
    const { url } = await line((socket, first) => {
      let received = ''
      const receiveChunk = (chunk: Buffer): void => {
        received += chunk.toString('latin1')
        if (received.endsWith('0\r\n\r\n')) socket.write(`${head(2)}{}`)
      }
      socket.on('data', receiveChunk)
      receiveChunk(first)
    })
    async function* slowly(): AsyncGenerator<Uint8Array> {
      for (let piece = 0; piece < 5; piece++) {
        vi.advanceTimersByTime(2_999)
        yield new Uint8Array(10)
      }
    }
    const body = streamOf(slowly())
    const answered = await send(fetch, get(url, { method: 'POST', body, timeout: 3_000 }))
    expect(answered.status).toBe(200)
  })

  it('in one chunk gets more time the larger it is', async () => {
    holdTimers()
    const { url } = await line((socket) => {
      vi.advanceTimersByTime(1_000)
      socket.write(`${head(2)}{}`)
    })
    const large = get(url, { method: 'POST', body: 'x'.repeat(20_000), timeout: 400 })
    expect((await send(fetch, large)).status).toBe(200)
    expect(await faultIn(send(fetch, { ...large, body: 'x' }))).toMatchObject({ code: 'answerLost' })
  })
})

/** A piece is made only when it's read. */
function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
}
