import { request } from 'node:http'
import { connect as openSocket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { connect, events, tasks, timedEvent, type Client } from './client'

/** With raw requests, since fetch sends no foreign Host. */
function raw(client: Client, headers: Record<string, string>, path = events): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request({ port: client.sandbox.port, host: '127.0.0.1', path, headers }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
    })
    call.on('error', reject)
    call.end()
  })
}

it("every response has the service's own date", async () => {
  const now = Date.UTC(2028, 1, 29, 11)
  const client = await connect({ now: () => now })
  const answers = [
    await client.get(events),
    await client.get('/nowhere'),
    await client.get(events, { host: 'x.example' }),
  ]
  for (const { headers } of answers) expect(headers.get('date')).toBe(new Date(now).toUTCString())
})

describe('access control', () => {
  it('rejects a foreign Host and a foreign Origin with any token', async () => {
    const client = await connect()
    const authorization = `Bearer ${client.sandbox.token}`
    const { port } = client.sandbox
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      '127.0.0.1:1',
      `127.0.0.1.evil.example:${port}`,
    ]) {
      expect([host, await raw(client, { host, authorization })]).toEqual([host, 403])
    }
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]) {
      expect([host, await raw(client, { host, authorization })]).toEqual([host, 200])
    }
    const own = `127.0.0.1:${port}`
    for (const origin of ['https://evil.example', 'null', `http://evil.example:${port}`, `https://127.0.0.1:${port}`]) {
      expect([origin, await raw(client, { host: own, origin, authorization })]).toEqual([origin, 403])
    }
    expect(await raw(client, { host: own, origin: `http://127.0.0.1:${port}`, authorization })).toBe(200)
  })

  it('requires a bearer token and says how', async () => {
    const client = await connect()
    for (const path of [events, tasks, '/nowhere', '/sandbox/v1/log']) {
      const none = await client.get(path, { authorization: '' })
      expect([path, none.status, none.reason, none.body.error.message]).toEqual([
        path,
        401,
        'required',
        'Login Required',
      ])
      expect(none.headers.get('www-authenticate')).toMatch(/^Bearer/)
    }
    for (const authorization of ['Bearer nonsense', 'Basic YTpi', 'Bearer', `Bearer ${client.sandbox.token}x`]) {
      const wrong = await client.get(events, { authorization })
      expect([authorization, wrong.status, wrong.reason, wrong.location]).toEqual([
        authorization,
        401,
        'authError',
        'Authorization',
      ])
      expect(wrong.body.error.errors[0].locationType).toBe('header')
      expect(wrong.headers.get('www-authenticate')).toMatch(/^Bearer/)
    }
  })

  it("returns 404 for unknown addresses and 405 for unknown methods, as JSON in the service's format", async () => {
    const client = await connect()
    for (const path of [
      '/',
      '/calendar/v3/nope',
      '/calendar/v3/calendars/primary/events/a/b/c',
      '/calendar/v4/colors',
      '/sandbox/v1/nope',
    ]) {
      const answer = await client.get(path)
      expect([path, answer.status, answer.reason]).toEqual([path, 404, 'notFound'])
      expect(answer.headers.get('content-type')).toBe('application/json; charset=UTF-8')
    }
    expect((await client.get('/tasks/v1/nope')).body.error.status).toBe('NOT_FOUND')
    const method = await client.put(events, timedEvent())
    expect([method.status, method.headers.get('allow')]).toEqual([405, 'GET, POST'])
    expect((await client.call('DELETE', '/calendar/v3/colors')).status).toBe(405)
  })

  it("rejects bodies that aren't a JSON object or are too large", async () => {
    const client = await connect()
    for (const [body, reason] of [
      ['{"summary":', 'parseError'],
      ['nonsense', 'parseError'],
      ['[1]', 'badRequest'],
      ['"text"', 'badRequest'],
    ] as const) {
      const answer = await client.post(events, body)
      expect([body, answer.status, answer.reason]).toEqual([body, 400, reason])
    }
    expect((await client.get(events)).body.items).toEqual([])
  })

  it('returns 413 as soon as a body of unknown length is too large', async () => {
    const client = await connect()
    const headers = { authorization: `Bearer ${client.sandbox.token}`, 'content-type': 'application/json' }
    const status = await new Promise((resolve, reject) => {
      const call = request(
        { port: client.sandbox.port, host: '127.0.0.1', method: 'POST', path: events, headers },
        (answer) => {
          resolve(answer.statusCode)
          call.destroy()
        },
      )
      call.on('error', reject)
      // Never ended, so only the part so far can be checked.
      call.write(JSON.stringify({ ...timedEvent(), description: 'x'.repeat(10 * 1024 * 1024 + 1) }))
    })
    expect(status).toBe(413)
    expect((await client.get(events)).body.items).toEqual([])
  })

  it('returns 413 at once when the announced length is too large', async () => {
    const client = await connect()
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = openSocket(client.sandbox.port, '127.0.0.1', () => {
        socket.write(
          `POST ${events} HTTP/1.1\r\nHost: 127.0.0.1:${client.sandbox.port}\r\nAuthorization: Bearer ${client.sandbox.token}\r\nContent-Length: 99999999\r\n\r\n`,
        )
      })
      socket.once('data', (data) => {
        resolve(data.toString())
        socket.destroy()
      })
      socket.once('error', reject)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('survives hostile JSON', async () => {
    const client = await connect()
    const deep = '['.repeat(20_000) + ']'.repeat(20_000)
    const hostile = [
      '{"__proto__":{"polluted":1},"summary":"a"}',
      `{"extendedProperties":{"private":{"__proto__":"x","constructor":"y"}},"start":{"date":"2026-01-05"},"end":{"date":"2026-01-06"}}`,
      `{"summary":${deep},"start":{"date":"2026-01-05"},"end":{"date":"2026-01-06"}}`,
      `{"workingLocationProperties":{"homeOffice":${deep},"type":"homeOffice"},"start":{"date":"2026-01-05"},"end":{"date":"2026-01-06"}}`,
      '{"summary":"\\ud800 lone","start":{"date":"2026-01-05"},"end":{"date":"2026-01-06"}}',
    ]
    for (const body of hostile) expect((await client.post(events, body)).status).toBeLessThan(500)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect((await client.get(events)).status).toBe(200)
  })
})

describe('parameters', () => {
  it('ignores unknown ones in the calendar and rejects them in tasks', async () => {
    const client = await connect()
    expect((await client.get(`${events}?surprise=1`)).status).toBe(200)
    const refused = await client.get(`${tasks}?surprise=1`)
    expect([refused.status, refused.location, refused.body.error.status]).toEqual([400, 'surprise', 'INVALID_ARGUMENT'])
  })

  it('accepts the common ones everywhere', async () => {
    const client = await connect()
    const common = 'key=k&quotaUser=q&alt=json&prettyPrint=false&fields=kind,items(id)'
    expect((await client.get(`${events}?${common}`)).status).toBe(200)
    expect((await client.get(`${tasks}?${common}`)).status).toBe(200)
    expect((await client.get(`${events}?alt=xml`)).location).toBe('alt')
  })

  it('names the invalid parameter', async () => {
    const client = await connect()
    const wrong = {
      'maxResults=0': 'maxResults',
      'maxResults=many': 'maxResults',
      'singleEvents=yes': 'singleEvents',
      'orderBy=color': 'orderBy',
      'timeMin=2026-01-05': 'timeMin',
      'timeMin=2026-01-05T00:00:00': 'timeMin',
      'timeMin=2026-02-30T00:00:00Z': 'timeMin',
      'timeZone=Mars/Olympus': 'timeZone',
      'eventTypes=party': 'eventTypes',
      'maxAttendees=0': 'maxAttendees',
      'pageToken=nonsense': 'pageToken',
      'syncToken=nonsense': 'syncToken',
    }
    for (const [text, location] of Object.entries(wrong)) {
      const answer = await client.get(`${events}?${text}`)
      expect([text, answer.status, answer.location]).toEqual([text, 400, location])
    }
    const missing = await client.post(`${events}/quickAdd`)
    expect([missing.status, missing.reason, missing.location]).toEqual([400, 'required', 'text'])
    const empty = await client.get(`${events}?timeMin=2026-01-02T00:00:00Z&timeMax=2026-01-02T00:00:00Z`)
    expect([empty.status, empty.reason, empty.location, empty.body.error.errors[0].domain]).toEqual([
      400,
      'timeRangeEmpty',
      'timeMax',
      'calendar',
    ])
  })

  it('selects fields by the selector grammar and rejects invalid selectors', async () => {
    const client = await connect()
    const { body: event } = await client.post(events, timedEvent())
    const selected = await client.get(`${events}?fields=kind,items(id,start/dateTime,organizer(email))`)
    expect(selected.body).toEqual({
      kind: 'calendar#events',
      items: [{ id: event.id, start: { dateTime: event.start.dateTime }, organizer: { email: event.organizer.email } }],
    })
    expect((await client.get(`${events}/${event.id}?fields=*`)).body.summary).toBe('Plan')
    expect((await client.get(`${events}?fields=items/summary`)).body).toEqual({ items: [{ summary: 'Plan' }] })
    const spaced = await client.get(`${events}?fields=${encodeURIComponent(' items( summary, status ) , kind')}`)
    expect(spaced.body).toEqual({ kind: 'calendar#events', items: [{ summary: 'Plan', status: 'confirmed' }] })
    const color = (await client.get('/calendar/v3/colors?fields=event(1/background,2)')).body.event
    expect([Object.keys(color), Object.keys(color['1'])]).toEqual([['1', '2'], ['background']])
    const deep = ['*/'.repeat(3000) + '*', 'a('.repeat(3000)]
    for (const fields of ['items(id', 'items(', ',', 'items)', 'nope', 'items(nope)', 'kind(id)', ...deep]) {
      const answer = await client.get(`${events}?fields=${encodeURIComponent(fields)}`)
      expect([fields, answer.status, answer.reason, answer.location]).toEqual([
        fields,
        400,
        'invalidParameter',
        'fields',
      ])
    }
  })

  it("rejects a body that isn't UTF-8", async () => {
    const { sandbox, get } = await connect()
    const day = '"start":{"date":"2026-01-05"},"end":{"date":"2026-01-06"}'
    const body = Buffer.concat([Buffer.from('{"summary":"'), Buffer.from([0xc3, 0x28]), Buffer.from(`",${day}}`)])
    const headers = { authorization: `Bearer ${sandbox.token}` }
    const answer = await fetch(sandbox.baseUrl + events, { method: 'POST', headers, body })
    expect([answer.status, (await answer.json()).error.errors[0].reason]).toEqual([400, 'parseError'])
    expect((await get(events)).body.items).toEqual([])
  })
})
