import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { downloadFile, downloadText } from '../../../src-main/updates/download'
import { sha512, startUpdateFeed, type FakeFeed } from '../../helpers/update-feed'

let feed: FakeFeed
let url: URL

beforeEach(async () => {
  feed = await startUpdateFeed()
  url = new URL('drip', feed.url)
  // A byte every few milliseconds, so that it never stalls.
  feed.answers.set('/feed/drip', (_request, response) => {
    const drip = setInterval(() => response.write('x'), 5)
    response.on('close', () => clearInterval(drip))
  })
})
afterEach(() => feed.stop())

const limits = { stall: 60_000, total: () => 200 }

it('a list that drips ends after its total time', async () => {
  await expect(downloadText(fetch, url, 1_000_000, limits)).rejects.toThrow('The update wasn’t downloaded completely.')
})

it('an update that drips ends after its total time, and leaves nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'flightplan-drip-'))
  const file = { sha512: sha512('x'), size: 1_000_000 }
  await expect(downloadFile(fetch, url, join(folder, 'update'), file, limits)).rejects.toThrow(
    'The update wasn’t downloaded completely.',
  )
  expect(await readdir(folder)).toEqual([])
})
