import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { launchApp } from '../helpers/app'

const profile = join(import.meta.dirname, '../fixtures/version-1/profile')

it('a profile written by the first release opens with its events, queue, and undo steps', async () => {
  const userData = await mkdtemp(join(tmpdir(), 'flightplan-app-'))
  await cp(profile, userData, { recursive: true })
  // No service answers there, so everything visible comes from disk.
  const service = { baseUrl: 'http://127.0.0.1:9', token: 'none' }
  const app = await launchApp({ userData, service })
  const chip = (title: string) => app.page.locator('main [data-key]', { hasText: title })
  await chip('Made offline').first().waitFor()
  await chip('Stand-up, moved').first().waitFor()
  await chip('Plain event 10').first().waitFor()
  expect(await chip('Plain event 9').count()).toBe(0)
  const version = await app.page.evaluate(
    async () => (await indexedDB.databases()).find(({ name }) => name === 'flightplan-sandbox')!.version,
  )
  expect(version).toBe(20)
  await app.page.getByText('2 pending changes').first().waitFor()
  await app.page.keyboard.press('Control+z')
  await chip('Plain event 9').first().waitFor()
  await app.close()
})
