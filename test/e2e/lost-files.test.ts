import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { launchApp } from '../helpers/app'
import { nothingPending } from '../helpers/page'

it('losing the journal and then the database is reported and not taken for a first start', async () => {
  const first = await launchApp({ args: ['--seed', 'empty'] })
  await nothingPending(first.page)
  await expect.poll(() => first.page.getByText('Your data is downloading again').count()).toBe(0)
  await rm(join(first.userData, 'journal', 'outbox.journal'))
  await first.kill()
  await rm(join(first.userData, 'IndexedDB'), { recursive: true })
  const second = await launchApp({ userData: first.userData, args: ['--seed', 'empty'] })
  await second.page.getByText('Your data is downloading again').waitFor()
  await second.page.getByText(/the journal of pending changes were both lost/).waitFor()
  await nothingPending(second.page)
  await second.close()
})
