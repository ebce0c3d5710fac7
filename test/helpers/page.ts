import type { ElectronApplication, Locator, Page } from 'playwright-core'

/** Runs a command by its name in the palette. */
export async function runCommand(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('combobox', { name: 'Search and commands' })
  await palette.fill(words)
  await page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true }).waitFor()
  await palette.press('Enter')
  // A palette that's still closing must not be mistaken for the next.
  await palette.waitFor({ state: 'detached' })
}

/** A function that presses keys one after another. `page` may open later. */
export const pressing =
  (page: () => Page) =>
  async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page().keyboard.press(key)
  }

/** Adds an entry in the calendar's line, which must be in view. */
export async function quickAdd(page: Page, line: string): Promise<void> {
  await page.keyboard.press('q')
  await page.locator('#quick-line').fill(line)
  await page.keyboard.press('Enter')
  await page.locator('#quick-line').waitFor({ state: 'detached' })
}

/** Resolves when the status line says that everything is sent. An edit made just before is pending by the next frame. */
export async function nothingPending(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  await page
    .getByRole('contentinfo')
    .getByText(/No pending changes/)
    .first()
    .waitFor()
}

/** The messages in the corner of the window. Elsewhere, the page may contain the same text for screen readers. */
export const messages = (page: Page): Locator => page.getByRole('region', { name: 'Messages' })

/** Dismisses every message, even one about to disappear. */
export async function dismissMessages(page: Page): Promise<void> {
  const dismiss = messages(page).getByRole('button', { name: 'Dismiss message' })
  while ((await dismiss.count()) > 0)
    await dismiss.evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLElement).click()))
}

/** Pastes text at the focus without using the system clipboard. */
export const pasteText = (page: Page, text: string): Promise<void> =>
  page.evaluate((text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    document.activeElement!.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, text)

/** Makes every later clipboard write fail. */
export const denyClipboard = (electron: ElectronApplication): Promise<void> =>
  electron.evaluate(({ session }) => {
    session.defaultSession.setPermissionCheckHandler(() => false)
    session.defaultSession.setPermissionRequestHandler((_contents, _permission, decide) => decide(false))
  })

/** Holds all frames, as a busy computer does. @returns lets them come */
export async function holdFrames(page: Page): Promise<() => Promise<void>> {
  const release = await page.evaluateHandle(() => {
    const request = window.requestAnimationFrame
    const held: FrameRequestCallback[] = []
    window.requestAnimationFrame = (callback) => -held.push(callback)
    return () => {
      window.requestAnimationFrame = request
      for (const callback of held) request(callback)
    }
  })
  return () => release.evaluate((callback) => callback())
}

/** Resolves when all animations are done, except infinite ones. */
export async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done))
    const moving = (): Animation[] =>
      document
        .getAnimations()
        .filter((one) => one.playState === 'running' && Number.isFinite(one.effect?.getComputedTiming().endTime))
    // A fade may start one frame after its cause. The promise of an animation out of sight may never resolve.
    for (let still = 0; still < 3; still = moving().length === 0 ? still + 1 : 0) await frame()
  })
}

/** Selects a combobox entry by its label with the mouse. */
export async function choose(combobox: Locator, choice: string | RegExp): Promise<void> {
  await combobox.click()
  const list = combobox.locator('xpath=..').getByRole('listbox')
  await list.getByRole('option', { name: choice, exact: true }).click()
  await list.waitFor({ state: 'detached' })
}

/** Toggles offline mode with the chip in the status line. */
export async function workOffline(page: Page): Promise<void> {
  await page.getByRole('contentinfo').getByRole('button', { expanded: false }).first().click()
  const item = page.getByRole('menuitemcheckbox', { name: 'Offline mode' })
  await item.click()
  await item.waitFor({ state: 'detached' })
}
