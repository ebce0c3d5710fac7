import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Journal } from '../../src-main/journal/journal'
import { launchApp } from '../helpers/app'
import { nothingPending, workOffline } from '../helpers/page'
import { feedText, startUpdateFeed, updatePublicKey } from '../helpers/update-feed'

it('an update is installed when the app quits, and 50 pending edits are there in the next version', async () => {
  const feed = await startUpdateFeed()
  const folder = await mkdtemp(join(tmpdir(), 'flightplan-image-'))
  const image = join(folder, 'Flightplan.AppImage')
  await writeFile(image, 'the old version')
  await writeFile(join(folder, 'key.pem'), updatePublicKey)
  const update = randomBytes(3_000_000)
  feed.publish(feedText(update))
  feed.put('/feed/Flightplan-9.0.0.AppImage', update)
  const env = {
    APPIMAGE: image,
    FLIGHTPLAN_UPDATE_FEED: feed.url,
    FLIGHTPLAN_UPDATE_PUBLIC_KEY: join(folder, 'key.pem'),
  }
  const args = ['--seed', 'empty']

  const app = await launchApp({ args, env })
  await nothingPending(app.page)
  await app.page.keyboard.press('Control+,')
  await app.page.getByRole('button', { name: 'Check now' }).click()
  // Announced, too.
  await app.page.getByText('Version 9.0.0 is ready and will be installed when you quit.').first().waitFor()
  await workOffline(app.page)
  await app.page.keyboard.press('Control+2')
  for (let count = 1; count <= 50; count++) {
    await app.page.keyboard.press('c')
    await app.page.keyboard.insertText(`Edit ${count}`)
    await app.page.keyboard.press('Enter')
    await app.page.keyboard.press('Escape')
  }
  await app.page.getByText('50 pending changes').first().waitFor()
  expect(await readFile(image, 'utf8')).toBe('the old version')
  await app.close()
  expect((await readFile(image)).equals(update)).toBe(true)
  expect(await readdir(folder)).toEqual(['Flightplan.AppImage', 'key.pem'])

  const { entries } = (await Journal.peek(join(app.userData, 'journal', 'outbox.journal'))).contents()
  expect(entries.map(({ patch }) => patch?.['title']).sort()).toEqual(
    Array.from({ length: 50 }, (_, index) => `Edit ${index + 1}`).sort(),
  )
  const next = await launchApp({ args, env, userData: app.userData })
  await next.page.getByText('50 pending changes').first().waitFor()
  expect(await readFile(join(app.userData, 'logs', 'log.jsonl'), 'utf8')).toContain(
    '"what":"update","happened":"installed"',
  )
  await next.close()
  await feed.stop()
})
