import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchApp, type RunningApp } from '../helpers/app'
import { startService } from '../helpers/service'
import { seeded } from '../flows/model/clock'
import { compare, titlesOnService } from './events'
import { noCounts, type Suite } from './suite'

const mount = (folder: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=80m', 'tmpfs', folder]).status === 0

const ballast = ['large', 'small']
const append = ['oflag=append', 'conv=notrunc']
/** Takes all space, first in blocks and then in single sectors. */
function fill(folder: string): void {
  for (const [at, size] of ['1M', '512'].entries())
    spawnSync('dd', ['if=/dev/zero', `of=${join(folder, `${ballast[at]!}.ballast`)}`, `bs=${size}`, ...append])
}
const free = (folder: string): void => {
  for (const name of ballast) rmSync(join(folder, `${name}.ballast`), { force: true })
}

/** Adds an event. @returns whether it was saved, or null if nothing said so within a minute */
async function tryEvent(page: Page, title: string): Promise<boolean | null> {
  await page.keyboard.press('q')
  await page.locator('#quick-line').fill(`"${title}" today 15:00`)
  await page.keyboard.press('Enter')
  const saved = page.getByText(`“${title}” created`, { exact: true })
  const refused = page.getByText(`Couldn’t save “Create ${title}”`)
  return saved
    .or(refused)
    .first()
    .waitFor()
    .then(
      () => saved.isVisible(),
      () => null,
    )
}

const idle = (page: Page): Promise<boolean> =>
  page
    .getByText(/No pending changes/)
    .first()
    .waitFor({ timeout: 120_000 })
    .then(
      () => true,
      () => false,
    )

/**
 * Adds events while a real small disk fills up and gets space again, with and without a kill in between. What was called saved
 * arrives once, and what wasn't is reported and doesn't. Tries nothing where the system mounts no disk.
 */
export const disk: Suite = async ({ seed, rounds = 10, say }) => {
  const counts = noCounts()
  const draw = seeded(seed)
  for (let round = 0; round < rounds; round++) {
    const folder = await mkdtemp(join(tmpdir(), 'flightplan-crash-disk-'))
    if (!mount(folder)) {
      say('not tried, because this user can’t mount a disk')
      return counts
    }
    const service = await startService()
    const open = (): Promise<RunningApp> =>
      launchApp({ userData: folder, service: service.sandbox, args: ['--seed', 'empty'], complains: /./ })
    let app = await open()
    try {
      const [acknowledged, refused] = [new Set<string>(), new Set<string>()]
      let number = 0
      const add = async (times: number, isFull = false): Promise<void> => {
        for (let n = 0; n < times; n++) {
          // Also what the app has freed since.
          if (isFull) fill(folder)
          const title = `Round ${round} edit ${number++}`
          const saved = await tryEvent(app.page, title)
          if (saved) acknowledged.add(title)
          else if (saved === false) refused.add(title)
          else counts.unreported++
          await app.page.keyboard.press('Escape')
        }
      }
      const times = (): number => 1 + Math.floor(draw() * 4)
      if (!(await idle(app.page))) counts.stuck++
      const isOffline = draw() < 0.5
      if (isOffline) await service.order('POST', '/trouble', { operation: 'calendar.', status: 503, count: 1_000_000 })
      await add(times())
      await add(times(), true)
      const isKilled = draw() < 0.5
      if (isKilled) {
        await app.kill()
        if (draw() < 0.5) {
          app = await open()
          await app.page
            .getByText(/Free up disk space|pending change/)
            .first()
            .waitFor()
          await app.kill()
        }
        free(folder)
        app = await open()
      } else free(folder)
      await app.page.getByRole('main').first().waitFor()
      await add(times())
      const said = `${isOffline ? 'unreachable' : 'online'}${isKilled ? ', killed' : ''}, ${acknowledged.size} of ${number} saved`
      if (isOffline) await service.order('DELETE', '/trouble')
      if (!(await idle(app.page))) counts.stuck++
      const faults = await compare(app.page, acknowledged, counts)
      const arrived = await titlesOnService(app.page)
      for (const title of refused) {
        if (!arrived.has(title)) continue
        faults.push(`refused, but sent: ${title}`)
        counts.unreported++
      }
      say(`${round}: ${said}: ${faults.join(', ') || 'all there, once'}`)
      counts.rounds++
      counts.edits += acknowledged.size
    } finally {
      await app.kill()
      await service.stop()
      spawnSync('umount', ['-l', folder])
      await rm(folder, { recursive: true, force: true })
    }
  }
  return counts
}
