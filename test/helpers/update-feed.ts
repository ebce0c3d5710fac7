import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const keys = generateKeyPairSync('ed25519')
export const updatePublicKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()

export interface FakeFeed {
  url: string
  /** Paths that were asked for. */
  asked: string[]
  /** Answers of the server, by path. */
  answers: Map<string, (request: IncomingMessage, response: ServerResponse) => void>
  /** Serves a file. */
  put(path: string, content: string | Uint8Array): void
  /** Serves a feed with its signature. */
  publish(text: string, signed?: string): void
  stop(): Promise<void>
}

/** A server of updates on loopback, with a key of its own. */
export async function startUpdateFeed(): Promise<FakeFeed> {
  const answers: FakeFeed['answers'] = new Map()
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    const answer = answers.get(request.url!)
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const put: FakeFeed['put'] = (path, content) =>
    void answers.set(path, (_request, response) => response.writeHead(200).end(content))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed/`,
    asked,
    answers,
    put,
    publish: (text, signed = text) => {
      put('/feed/latest-linux.yml', text)
      put('/feed/latest-linux.yml.sig', sign(null, Buffer.from(signed), keys.privateKey).toString('base64'))
    },
    stop: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

export const sha512 = (content: string | Uint8Array): string => createHash('sha512').update(content).digest('base64')

/** A feed as electron-builder writes it. */
export function feedText(
  content: Uint8Array,
  { version = '9.0.0', url = 'Flightplan-9.0.0.AppImage', size = content.length, notes = 'Faster.' } = {},
): string {
  return [
    `version: ${version}`,
    'files:',
    `  - url: ${url}`,
    `    sha512: ${sha512(content)}`,
    `    size: ${size}`,
    `path: ${url}`,
    `sha512: ${sha512(content)}`,
    `releaseNotes: ${JSON.stringify(notes)}`,
    `releaseDate: '2026-06-10T06:00:00.000Z'`,
    '',
  ].join('\n')
}
