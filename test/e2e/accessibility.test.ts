import { AxeBuilder } from '@axe-core/playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchApp, type RunningApp } from '../helpers/app'

let app: RunningApp

beforeAll(async () => {
  app = await launchApp({ size: { width: 1280, height: 800 } })
  await app.page
    .getByText(/Nothing waits to be sent/)
    .first()
    .waitFor()
})
afterAll(() => app.close())

/** What axe finds, one line each: the rule and where. */
async function violations(): Promise<string[]> {
  // Colours that are still fading would be measured half way.
  await app.page.waitForTimeout(400)
  const { violations } = await new AxeBuilder({ page: app.page }).setLegacyMode().analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id}: ${target.join(' ')}: ${(failureSummary ?? '').replace(/\s+/g, ' ').slice(0, 160)}`,
    ),
  )
}

const theme = (name: 'light' | 'dark'): Promise<void> => app.page.emulateMedia({ colorScheme: name })
const view = (keys: string): Promise<void> => app.page.keyboard.press(keys)

/** Every screen that people can be on, and the keys that lead there. */
const screens: Array<[string, () => Promise<unknown>]> = [
  ['calendar, day', async () => (await view('Control+1'), await view('1'))],
  ['calendar, week', () => view('2')],
  ['calendar, month', () => view('3')],
  ['calendar, agenda', () => view('4')],
  [
    'event editor',
    async () => (await view('2'), await view('c'), await app.page.getByRole('textbox', { name: 'Title' }).waitFor()),
  ],
  [
    'quick add',
    async () => (
      await app.page.keyboard.press('Escape'),
      await view('q'),
      await app.page.locator('#quick-line').fill('Lunch with Mina tomorrow 12-13')
    ),
  ],
  [
    'command palette',
    async () => (
      await app.page.keyboard.press('Escape'),
      await view('Control+k'),
      await app.page.getByRole('dialog').waitFor()
    ),
  ],
  [
    'keyboard shortcuts',
    async () => (
      await app.page.keyboard.press('Escape'),
      await view('F1'),
      await app.page.getByRole('dialog').waitFor()
    ),
  ],
  ['tasks', async () => (await app.page.keyboard.press('Escape'), await view('Control+2'))],
  ['sync', () => view('Control+3')],
  ['settings', () => view('Control+,')],
]

describe.each(['light', 'dark'] as const)('axe finds nothing in %s', (name) => {
  it.each(screens)('on the screen: %s', async (_screen, open) => {
    await theme(name)
    await open()
    expect(await violations()).toEqual([])
  })
})
