import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { feedOf } from '../../../src-main/app/update-feed'
import { folderForFile } from '../../helpers/for-file'
import { updatePublicKey } from '../../helpers/update-feed'

const built = folderForFile('flightplan-built-')
const url = 'https://updates.example/'

it('a build without an update server has none, whatever the environment says', async () => {
  const environment = { FLIGHTPLAN_UPDATE_FEED: url, FLIGHTPLAN_UPDATE_PUBLIC_KEY: join(built, 'key.pem') }
  await writeFile(join(built, 'key.pem'), updatePublicKey)
  expect(await feedOf({ packaged: true, built, platform: 'linux', environment })).toBeUndefined()
  expect(await feedOf({ packaged: false, built, platform: 'linux', environment: {} })).toBeUndefined()
  expect((await feedOf({ packaged: false, built, platform: 'linux', environment }))?.updatable).toBe('source')
})

it('a packaged app says whether it can update itself', async () => {
  await writeFile(join(built, 'update-feed.json'), JSON.stringify({ url, publicKey: updatePublicKey }))
  const updatable = async (platform: NodeJS.Platform, environment = {}): Promise<string | undefined> =>
    (await feedOf({ packaged: true, built, platform, environment }))?.updatable
  expect(await updatable('linux')).toBe('package')
  expect(await updatable('linux', { APPIMAGE: '/apps/Flightplan.AppImage' })).toBe('feed')
  expect(await updatable('win32')).toBe('feed')
  expect(await updatable('darwin')).toBe('feed')
})
