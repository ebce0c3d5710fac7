import { describe, expect, it } from 'vitest'
import { connect, events, timedEvent, type Client } from './client'

interface Part {
  id: string | undefined
  status: number
  headers: Record<string, string>
  body: string
}
const boundary = '===============7330845974216740156=='
const http = (id: string, text: string, lf: string): string =>
  [`--${boundary}`, 'Content-Type: application/http', 'MIME-Version: 1.0', `Content-ID: <${id}>`, '', text, ''].join(lf)

/** Sends calls as one batch, and reads its answer. */
async function batch(
  { sandbox: { baseUrl, token } }: Client,
  path: string,
  calls: readonly string[],
  { lf = '\r\n', authorization = `Bearer ${token}` } = {},
): Promise<{ status: number; parts: Part[] }> {
  const body = calls.map((call, at) => http(`b29c5de2 + ${at + 1}`, call.replaceAll('\n', lf), lf)).join('')
  const answer = await fetch(baseUrl + path, {
    method: 'POST',
    headers: { authorization, 'content-type': `multipart/mixed; boundary="${boundary}"` },
    body: `${body}--${boundary}--${lf}`,
  })
  const text = await answer.text()
  const edge = /^multipart\/mixed; boundary=(.+)$/.exec(answer.headers.get('content-type') ?? '')?.[1]
  const parts = edge ? text.split(`--${edge}`).slice(1, -1) : []
  return {
    status: answer.status,
    parts: parts.map((part) => {
      const [outer = '', head = '', ...rest] = part.trim().split('\r\n\r\n')
      const [first = '', ...lines] = head.split('\r\n')
      const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]))
      return {
        id: /^content-id: (.*)$/im.exec(outer)?.[1],
        status: Number(first.split(' ')[1]),
        headers,
        body: rest.join('\r\n\r\n').trim(),
      }
    }),
  }
}

describe('a batch', () => {
  it.each(['\r\n', '\n'])('answers each call with its own status, with lines that end with %j', async (lf) => {
    const client = await connect()
    const { body: event } = await client.post(events, timedEvent({ summary: 'Zoë’s plan' }))
    const { baseUrl } = client.sandbox
    const { status, parts } = await batch(
      client,
      '/batch/calendar/v3',
      [
        `POST ${events} HTTP/1.1\nContent-Type: application/json\n\n${JSON.stringify(timedEvent({ summary: 'Two' }))}`,
        `GET ${baseUrl}${events}/${event.id as string}?fields=summary HTTP/1.1\nHost: elsewhere.example\n\n`,
        `PATCH ${events}/${event.id as string}\nIf-Match: "1"\n\n{"summary":"Late"}`,
        `GET ${events}/none HTTP/1.1\n\n`,
        `DELETE ${events}/${event.id as string} HTTP/1.1\n\n`,
      ],
      { lf },
    )
    expect(status).toBe(200)
    expect(parts.map((part) => part.status)).toEqual([200, 200, 412, 404, 204])
    expect(parts.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5].map((at) => `<response-b29c5de2 + ${at}>`))
    expect(JSON.parse(parts[0]!.body)).toMatchObject({ summary: 'Two' })
    expect(parts[0]!.headers['etag']).toBe((JSON.parse(parts[0]!.body) as { etag: string }).etag)
    expect(JSON.parse(parts[1]!.body)).toEqual({ summary: 'Zoë’s plan' })
    expect((await client.get(events)).body.items).toHaveLength(1)
  })

  it('uses the token of a call before its own', async () => {
    const client = await connect()
    const call = (token: string): string => `GET ${events} HTTP/1.1\nAuthorization: Bearer ${token}\n\n`
    const ask = batch(client, '/batch/calendar/v3', [call(client.sandbox.token), call('none'), `GET ${events}\n\n`], {
      authorization: 'Bearer nobody',
    })
    expect((await ask).parts.map(({ status }) => status)).toEqual([200, 401, 401])
  })

  it('takes only calls of its service, and no uploads, batches, or commands', async () => {
    const client = await connect()
    const paths = ['/tasks/v1/users/@me/lists', '/upload/trafficking/v3.4/x', '/batch/calendar/v3', '/sandbox/v1/log']
    const { parts } = await batch(
      client,
      '/batch/calendar/v3',
      paths.map((path) => `GET ${path}\n\n`),
    )
    expect(parts.map(({ status }) => status)).toEqual([400, 400, 400, 400])
    const lists = await batch(client, '/batch/tasks/v1', [`GET ${paths[0]}\n\n`])
    expect(lists.parts[0]!.status).toBe(200)
  })

  it('takes the method of a call from X-HTTP-Method-Override, and its long query from the body', async () => {
    const client = await connect()
    const { body: event } = await client.post(events, timedEvent())
    await client.post(events, timedEvent({ summary: 'Lunch' }))
    const form = 'Content-Type: application/x-www-form-urlencoded'
    const { parts } = await batch(client, '/batch/calendar/v3', [
      `POST ${events}/${event.id as string}\nX-HTTP-Method-Override: PATCH\n\n{"location":"Room 4"}`,
      `POST ${events}?fields=items/summary\nX-HTTP-Method-Override: GET\n${form}\n\nq=Lunch`,
    ])
    expect(JSON.parse(parts[0]!.body)).toMatchObject({ id: event.id, summary: 'Plan', location: 'Room 4' })
    expect(JSON.parse(parts[1]!.body)).toEqual({ items: [{ summary: 'Lunch' }] })
  })

  it('answers a call that no client can send like any other', async () => {
    const client = await connect()
    const calls = [`TRACE ${events}\n\n`, `GET ${events}\nIf-None-Match: 漢\n\n`, `GET ${events}?fields=kind\n\n`]
    const { status, parts } = await batch(client, '/batch/calendar/v3', calls)
    expect([status, parts.map((part) => part.status)]).toEqual([200, [400, 400, 200]])
  })

  it('has at most 50 calls in the calendar, and 1,000 elsewhere', async () => {
    const client = await connect()
    const many = (count: number, path: string): string[] => Array.from({ length: count }, () => `GET ${path}\n\n`)
    const status = async (path: string, calls: string[]): Promise<number> => (await batch(client, path, calls)).status
    expect(await status('/batch/calendar/v3', many(50, `${events}/none`))).toBe(200)
    expect(await status('/batch/calendar/v3', many(51, `${events}/none`))).toBe(400)
    expect(await status('/batch/tasks/v1', many(51, '/tasks/v1/lists/none/tasks/none'))).toBe(200)
    expect(await status('/batch/tasks/v1', many(1001, '/tasks/v1/lists/none/tasks/none'))).toBe(400)
  })

  it('is refused if it is none', async () => {
    const client = await connect()
    expect((await batch(client, '/batch/calendar/v3', [])).status).toBe(400)
    expect((await batch(client, '/batch/calendar/v3', ['hello'])).status).toBe(400)
    expect((await batch(client, '/batch/mail/v3', [`GET ${events}\n\n`])).status).toBe(404)
    expect((await client.post('/batch/calendar/v3', {})).status).toBe(400)
  })

  it('ends with the connection of a call that is dropped', async () => {
    const client = await connect()
    await client.post('/sandbox/v1/trouble', { operation: 'calendar.events.list', drop: 'after' })
    await expect(batch(client, '/batch/calendar/v3', [`GET ${events}\n\n`])).rejects.toThrow()
    expect((await batch(client, '/batch/calendar/v3', [`GET ${events}\n\n`])).parts[0]!.status).toBe(200)
  })
})

it('has its path in the description of a service', async () => {
  const client = await connect()
  const { body } = await client.get('/discovery/v1/apis/calendar/v3/rest')
  expect(body.batchPath).toBe('batch/calendar/v3')
})
