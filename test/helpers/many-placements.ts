import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchApp, type LaunchOptions, type RunningApp } from './app'
import { openSync, startDownload, untilDownloaded } from './campaign-download'
import { startOutsideService, type OutsideService } from './outside-service'
import { runCommand } from './page'

export interface ManyPlacements {
  service: OutsideService
  app: RunningApp
  page: Page
  /** The folder for saved files. */
  saveTo: string
}

/** Timeout in milliseconds for work at this scale. */
export const patienceFor = (scale: number): number => 60_000 + scale * 4_000

/** An app with all placements downloaded from a service in another process. `shown`: the list's columns. */
export async function openManyPlacements(
  scale: number,
  shown: readonly string[],
  options: Pick<LaunchOptions, 'attended'> = {},
): Promise<ManyPlacements> {
  const service = await startOutsideService({ campaignScale: scale })
  const saveTo = await mkdtemp(join(tmpdir(), 'flightplan-placements-'))
  const size = { width: 1440, height: 900 }
  const app = await launchApp({ ...options, service, args: ['--save-to', saveTo], size })
  const { page } = app
  await openSync(page)
  await startDownload(page)
  await untilDownloaded(page, patienceFor(scale))
  await page.evaluate(
    (sheets) => {
      const kept = JSON.parse(localStorage.getItem('flightplan.settings') ?? '{}') as object
      localStorage.setItem('flightplan.settings', JSON.stringify({ ...kept, sheets }))
    },
    { placements: { shown: [...shown] } },
  )
  await page.reload()
  await page.getByRole('main').waitFor()
  return { service, app, page, saveTo }
}

/** Shows the list of placements. */
export async function showPlacements(page: Page): Promise<void> {
  await page.getByRole('main').waitFor()
  await runCommand(page, 'Campaigns: placements')
  await page.getByRole('grid', { name: 'Placements', exact: true }).locator('.body [role=row]').first().waitFor()
}
