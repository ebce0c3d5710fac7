import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { FaultError } from '#shared/fault'
import { receiveCallback, type CallbackReceiver } from '../../../src-main/auth/callback'

const state = 'the-right-state'

async function open(): Promise<CallbackReceiver & { port: number; controller: AbortController }> {
  const controller = new AbortController()
  const receiver = await receiveCallback(state, controller.signal)
  return { ...receiver, port: Number(new URL(receiver.redirectUri).port), controller }
}

/** With a raw socket, since fetch sends no foreign Host. */
function hit(
  port: number,
  path: string,
  more: { host?: string; method?: string } = {},
): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const headers = { host: more.host ?? `127.0.0.1:${port}` }
    const call = request({ host: '127.0.0.1', port, path, method: more.method ?? 'GET', headers }, (answer) => {
      let text = ''
      answer.on('data', (data: Buffer) => (text += data.toString()))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }))
    })
    call.on('error', reject)
    call.end()
  })
}

describe('the redirect address', () => {
  it('is on 127.0.0.1 with its own port', async () => {
    const [one, two] = [await open(), await open()]
    expect(one.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
    expect(one.redirectUri).not.toBe(two.redirectUri)
    one.close()
    two.close()
  })

  it('takes one response with the right state, then closes', async () => {
    const receiver = await open()
    const page = hit(receiver.port, `/callback?state=${state}&code=abc`)
    const callback = await receiver.answer
    expect(callback.parameters.get('code')).toBe('abc')
    await expect(hit(receiver.port, `/callback?state=${state}&code=def`)).rejects.toThrow(/ECONNREFUSED/)
    callback.show(true, 'You can close this window.')
    const { status, text, headers } = await page
    expect([status, text]).toEqual([200, expect.stringContaining('You can close this window.')])
    expect(text).not.toMatch(/<script|<link|<img|abc/)
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'nonce-/),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    receiver.close()
  })

  it('rejects a second request on an open connection', async () => {
    const receiver = await open()
    const line = `GET /callback?state=${state}&code=x HTTP/1.1\r\nHost: 127.0.0.1:${receiver.port}\r\n\r\n`
    const second = connect(receiver.port, '127.0.0.1')
    await new Promise((done) => second.once('connect', done))
    const page = hit(receiver.port, `/callback?state=${state}&code=abc`)
    const callback = await receiver.answer
    const text = await new Promise<string>((done) => {
      second.once('data', (data: Buffer) => done(data.toString()))
      second.once('close', () => done('closed'))
      second.once('error', () => done('closed'))
      second.write(line)
    })
    expect(text).toMatch(/^(HTTP\/1\.1 410|closed)/)
    callback.show(true, 'Done.')
    expect((await page).status).toBe(200)
    expect(callback.parameters.get('code')).toBe('abc')
    second.destroy()
    receiver.close()
  })

  it.each([
    ['no state', '/callback?code=abc', {}, 400],
    ['an empty state', '/callback?code=abc&state=', {}, 400],
    ['a wrong state', '/callback?code=abc&state=the-wrong-state', {}, 400],
    ['the state twice', `/callback?code=abc&state=${state}&state=x`, {}, 400],
    ['an error without the state', '/callback?error=access_denied', {}, 400],
    ['another path', `/callback/?state=${state}&code=abc`, {}, 404],
    ['the root', `/?state=${state}&code=abc`, {}, 404],
    ['an icon', '/favicon.ico', {}, 404],
    ['POST', `/callback?state=${state}&code=abc`, { method: 'POST' }, 405],
    ['HEAD', `/callback?state=${state}&code=abc`, { method: 'HEAD' }, 405],
    ['a foreign Host', `/callback?state=${state}&code=abc`, { host: 'evil.example' }, 403],
    ['a Host with the right prefix', `/callback?state=${state}&code=abc`, { host: '127.0.0.1.evil.example' }, 403],
    ['localhost', `/callback?state=${state}&code=abc`, { host: 'localhost' }, 403],
  ])('rejects %s and keeps waiting', async (_what, path, more, status) => {
    const receiver = await open()
    const refused = await hit(receiver.port, path, more)
    expect([refused.status, refused.text.includes('abc')]).toEqual([status, false])
    const page = hit(receiver.port, `/callback?state=${state}&code=good`)
    // There's one result: had the rejected one counted, it would be that.
    const callback = await receiver.answer
    expect(callback.parameters.get('code')).toBe('good')
    callback.show(true, 'Done.')
    await page
    receiver.close()
  })

  it("survives lines that aren't HTTP", async () => {
    const receiver = await open()
    for (const line of [
      'GET http://[ HTTP/1.1\r\n',
      'GET //[::1 HTTP/1.1\r\n',
      'nonsense\r\n',
      `GET /${'x'.repeat(40_000)} HTTP/1.1\r\n`,
    ]) {
      await new Promise<void>((done) => {
        const socket = connect(receiver.port, '127.0.0.1', () =>
          socket.write(`${line}Host: 127.0.0.1:${receiver.port}\r\n\r\n`),
        )
        socket.on('data', () => socket.end())
        socket.on('error', () => done())
        socket.on('close', () => done())
      })
    }
    const page = hit(receiver.port, `/callback?state=${state}&code=good`)
    const callback = await receiver.answer
    callback.show(true, 'Done.')
    expect((await page).status).toBe(200)
    receiver.close()
  })

  it('closes at once when the sign-in is canceled', async () => {
    const receiver = await open()
    receiver.controller.abort(new FaultError({ code: 'aborted', message: 'Cancelled.' }))
    await expect(receiver.answer).rejects.toThrow('Cancelled.')
    await expect(hit(receiver.port, '/callback')).rejects.toThrow(/ECONNREFUSED/)
  })
})
