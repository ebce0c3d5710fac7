import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { uploadBody } from '../../../../src-main/services/upload'
import { connect, type Client } from '../client'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'sandbox-assets-'))
  folders.push(made)
  return made
}

const address = ({ sandbox }: Client, version = 'v3.4'): string =>
  `/upload/trafficking/${version}/userprofiles/${sandbox.ids.profileId}/creativeAssets/${sandbox.ids.advertiserId}/creativeAssets`

/** Sends bytes in chunks over a separate connection. */
function send(
  client: Client,
  path: string,
  contentType: string,
  pieces: Iterable<Uint8Array>,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(client.sandbox.baseUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.sandbox.token}`, 'content-type': contentType, ...headers },
    })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode!, body: JSON.parse(Buffer.concat(chunks).toString()) }),
      )
    })
    for (const piece of pieces) outgoing.write(piece)
    outgoing.end()
  })
}

async function multipart(
  client: Client,
  metadata: object,
  bytes: Buffer,
  pieceLength: number,
  contentType = 'image/png',
  version?: string,
) {
  const { contentType: type, body } = uploadBody(metadata as never, { contentType, bytes })
  const whole = Buffer.from(body as Uint8Array)
  const pieces = []
  for (let at = 0; at < whole.length; at += pieceLength) pieces.push(whole.subarray(at, at + pieceLength))
  return send(client, `${address(client, version)}?uploadType=multipart`, type, pieces)
}

const png = { assetIdentifier: { name: 'banner.png', type: 'IMAGE' } }

describe('creative assets', () => {
  it('accept lines that end in a line feed alone, as Python’s client writes them', async () => {
    const client = await connect()
    const image = Buffer.from('89504e470d0a1a0a0d0a', 'hex')
    const head = Buffer.from(
      `--b==\nContent-Type: application/json\nMIME-Version: 1.0\n\n${JSON.stringify(png)}\n--b==\nContent-Type: image/png\n\n`,
    )
    const body = Buffer.concat([head, image, Buffer.from('\n--b==--')])
    for (const size of [1, 7, body.length]) {
      const pieces = []
      for (let at = 0; at < body.length; at += size) pieces.push(body.subarray(at, at + size))
      const path = `${address(client, 'v3.4')}?uploadType=multipart`
      expect((await send(client, path, 'multipart/related; boundary="b=="', pieces)).status).toBe(200)
    }
  })

  it.each(['v3.4', 'v3.3'])(
    'accept metadata and a file in one multipart body of %s, in any chunks',
    async (version) => {
      const dataDir = folder()
      const client = await connect({ dataDir })
      const bytes = Buffer.from(`\r\n--flightplan\r\n${'Ünïcode '.repeat(500)}\r\n--`)
      for (const [index, length] of [1, 7, 4096].entries()) {
        const { status, body } = await multipart(client, png, bytes, length, 'image/png', version)
        expect(status).toBe(200)
        expect(body.assetIdentifier).toEqual({
          name: index === 0 ? 'banner.png' : `banner_${index}.png`,
          type: 'IMAGE',
        })
        expect(body.id).toMatch(/^\d+$/)
      }
      const files = readdirSync(join(dataDir, 'uploads'))
      expect(files).toHaveLength(3)
      for (const file of files) expect(readFileSync(join(dataDir, 'uploads', file))).toEqual(bytes)
    },
  )

  it('accept a compressed body', async () => {
    const dataDir = folder()
    const client = await connect({ dataDir })
    const bytes = Buffer.alloc(70_000, 'Ünïcode ')
    const { contentType, body } = uploadBody(png as never, { contentType: 'image/png', bytes })
    const path = `${address(client)}?uploadType=multipart`
    const packed = gzipSync(body as Uint8Array)
    const gzip = { 'content-encoding': 'gzip' }
    expect((await send(client, path, contentType, [packed.subarray(0, 9), packed.subarray(9)], gzip)).status).toBe(200)
    const [file] = readdirSync(join(dataDir, 'uploads'))
    expect(readFileSync(join(dataDir, 'uploads', file!)).equals(bytes)).toBe(true)
    expect((await send(client, path, contentType, [packed.subarray(0, -9)], gzip)).status).toBe(400)
    expect(readdirSync(join(dataDir, 'uploads'))).toEqual([file])
  })

  it('accept a bare file, and only metadata on the plain path', async () => {
    const client = await connect()
    const bare = await send(client, `${address(client)}?uploadType=media`, 'video/mp4', [Buffer.alloc(70_000, 1)])
    expect(bare).toMatchObject({ status: 200, body: { assetIdentifier: { name: 'upload.mp4', type: 'VIDEO' } } })
    const plain = await client.post(address(client).slice('/upload'.length), png)
    expect(plain.body).toMatchObject({
      kind: 'trafficking#creativeAssetMetadata',
      assetIdentifier: png.assetIdentifier,
    })
  })

  it('leave nothing after invalid metadata, an incomplete body, or an unknown format', async () => {
    const dataDir = folder()
    const client = await connect({ dataDir })
    const bytes = Buffer.from('file')
    const refused = await multipart(client, { assetIdentifier: { name: 'a.png', type: 'PICTURE' } }, bytes, 4096)
    expect(refused.body.error.errors[0].location).toBe('assetIdentifier.type')
    const { contentType, body } = uploadBody(png, { contentType: 'image/png', bytes })
    const cut = await send(client, address(client), contentType, [Buffer.from(body as Uint8Array).subarray(0, -8)])
    expect(cut.status).toBe(400)
    const other = await send(client, `${address(client)}?uploadType=resumable`, 'image/png', [bytes])
    expect(other.body.error.errors[0].location).toBe('uploadType')
    expect((await client.get(address(client))).status).toBe(405)
    expect(readdirSync(join(dataDir, 'uploads'))).toEqual([])
  })

  it("report what's in HTML, and creatives can use only uploads", async () => {
    const client = await connect()
    const { profileId, advertiserId } = client.sandbox.ids
    const html = Buffer.from('<style>@keyframes a {}</style><canvas></canvas><img src="http://plain.example/a.png">')
    const { body: asset } = await multipart(
      client,
      { assetIdentifier: { name: 'a.html', type: 'HTML' } },
      html,
      64,
      'text/html',
    )
    expect(asset.detectedFeatures).toEqual(['CSS_ANIMATIONS', 'CANVAS'])
    expect(asset.warnedValidationRules).toEqual(['CLICK_TAG_MISSING', 'NOT_SSL_COMPLIANT'])
    const creative = (name: string) => ({
      name: 'Animated',
      advertiserId,
      type: 'HTML5_BANNER',
      size: { width: 300, height: 250 },
      creativeAssets: [{ id: asset.id, role: 'PRIMARY', assetIdentifier: { name, type: 'HTML' } }],
    })
    const path = `/trafficking/v3.4/userprofiles/${profileId}/creatives`
    const unknown = await client.post(path, creative('b.html'))
    expect([unknown.status, unknown.location]).toEqual([400, 'creativeAssets[0].assetIdentifier'])
    const { body: made } = await client.post(path, creative('a.html'))
    const { body: read } = await client.get(`${path}/${made.id}`)
    expect(read.creativeAssets[0]).toMatchObject({
      id: asset.id,
      fileSize: String(html.length),
      detectedFeatures: asset.detectedFeatures,
    })
  })
})
