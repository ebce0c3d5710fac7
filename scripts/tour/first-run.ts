import type { Page } from 'playwright-core'
import { resize } from '../../test/helpers/app'
import { showTheme } from '../../test/helpers/axe'
import { atRest } from '../../test/helpers/page'
import { launchWatched } from './launch'

const widths = [700, 1440]

/** Takes pictures of the first run in both themes and two widths. `keep` stores one under a name. */
export async function firstRun(keep: (page: Page, name: string) => Promise<void>): Promise<void> {
  const app = await launchWatched({ firstRun: true, size: { width: 1440, height: 900 } })
  const { page } = app
  const pictures = async (name: string): Promise<void> => {
    for (const width of widths) {
      await resize(app.electron, { width, height: width === 700 ? 760 : 900 })
      for (const theme of ['light', 'dark'] as const) {
        await showTheme(page, theme)
        await atRest(page)
        await keep(page, `first-run-${name}-${width}-${theme}`)
      }
    }
  }
  const heading = (name: string): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor()
  await heading('Welcome to Flightplan')
  await pictures('start')
  await page.getByRole('button', { name: /^Google Calendar/ }).click()
  await page.getByRole('dialog').waitFor()
  await pictures('connect')
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: /^Sample data/ }).click()
  await heading('Make it yours')
  await pictures('settings')
  await page.getByRole('button', { name: 'Continue' }).click()
  await heading('Five shortcuts worth knowing')
  await pictures('shortcuts')
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
  await app.close()
}
