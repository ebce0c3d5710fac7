import { expect, it } from 'vitest'
import { readClientFile } from '#shared/ipc/client-file'

it('reads the file of a client for desktop apps', () => {
  const installed = { client_id: ' 1.apps.example ', client_secret: 's', redirect_uris: ['http://localhost'] }
  expect(readClientFile(JSON.stringify({ installed }))).toEqual({ clientId: '1.apps.example', clientSecret: 's' })
  expect(readClientFile('{"installed":{"client_id":"1"}}')).toEqual({ clientId: '1' })
})

it('says what to do about any other file', () => {
  const said = (text: string): string => {
    try {
      return JSON.stringify(readClientFile(text))
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(said('{"web":{"client_id":"1"}}')).toContain('“Desktop app”')
  expect(said('not JSON')).toContain('isn’t the JSON file')
  for (const text of ['[]', 'null', '{"installed":{}}', '{"installed":{"client_id":7}}'])
    expect(said(text)).toContain('no client ID')
})
