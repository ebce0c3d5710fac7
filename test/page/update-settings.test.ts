import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { feedSource } from '../../src-main/updates/feed-source'
import { openApp } from '../helpers/app-page'
import { violationsByTheme } from '../helpers/axe'
import { atRest } from '../helpers/page'
import { feedText, startUpdateFeed, updatePublicKey } from '../helpers/update-feed'

it('updates from the settings: what’s wrong, what’s new, and a restart', async () => {
  const server = await startUpdateFeed()
  const apps = await mkdtemp(join(tmpdir(), 'flightplan-image-'))
  vi.stubEnv('APPIMAGE', join(apps, 'Flightplan.AppImage'))
  const source = feedSource(server.url, updatePublicKey)
  const { page, shell, close } = await openApp({ args: ['--seed', 'empty'], feed: { source, updatable: 'feed' } })
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
  await page.keyboard.press('Control+,')
  const about = page.getByRole('region', { name: 'About and updates' })
  await about.getByText('Not checked yet').waitFor()
  const check = about.getByRole('button', { name: 'Check now' })
  await check.click()
  await about.getByText('Flightplan is unchanged. The update server returned status 404.').waitFor()
  expect(await violationsByTheme(page)).toEqual([])

  const update = Buffer.from('a new version')
  server.publish(feedText(update, { notes: 'Faster.\nAnd <b>smaller</b>.' }))
  server.put('/feed/Flightplan-9.0.0.AppImage', update)
  await check.click()
  await about.getByText('Version 9.0.0 is ready and will be installed when you quit.').waitFor()
  await about.getByText('And <b>smaller</b>.').waitFor()
  await expect.poll(() => about.getByText('Flightplan is unchanged').count()).toBe(0)
  await atRest(page)
  expect(await violationsByTheme(page)).toEqual([])
  await about.getByRole('button', { name: 'Restart to update' }).click()
  await expect.poll(() => shell.restarts).toBe(1)

  const automatic = about.getByRole('switch', { name: 'Update automatically' })
  await automatic.click()
  await page.reload()
  await about.getByText('Version 9.0.0 is ready').waitFor()
  await expect.poll(() => automatic.isChecked()).toBe(false)
  await close()
  await server.stop()
  vi.unstubAllEnvs()
})

it('says why a copy that was installed as a package can’t update itself', async () => {
  const source = feedSource('https://updates.example/', updatePublicKey)
  const feed = { source, updatable: 'package' } as const
  const { page, close } = await openApp({ args: ['--seed', 'empty'], feed })
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
  await page.keyboard.press('Control+,')
  const about = page.getByRole('region', { name: 'About and updates' })
  await about.getByText('This copy was installed as a package, so it can’t update itself.').waitFor()
  await expect.poll(() => about.getByRole('button', { name: 'Check now' }).count()).toBe(0)
  await close()
})
