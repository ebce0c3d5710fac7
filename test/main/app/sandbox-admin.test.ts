import { expect, it } from 'vitest'
import { SandboxAdmin } from '../../../src-main/app/sandbox-admin'

it('the sandbox token is sent only to this computer or over TLS', async () => {
  const asked: string[] = []
  const fetch = (url: string): Promise<Response> => {
    asked.push(url)
    return Promise.resolve(Response.json({}))
  }
  const order = (baseUrl: string): Promise<unknown> =>
    new SandboxAdmin(
      fetch as never,
      () => ({ baseUrl, token: 'secret' }),
      () => 0,
    ).order('GET', '/people')
  for (const baseUrl of ['http://a.example', 'ftp://127.0.0.1', 'http://you@127.0.0.1:9', 'nonsense'])
    await expect(order(baseUrl)).rejects.toMatchObject({ fault: { code: 'invalid' } })
  expect(asked).toEqual([])
  await order('http://127.0.0.1:9')
  expect(asked).toEqual(['http://127.0.0.1:9/sandbox/v1/people'])
})
