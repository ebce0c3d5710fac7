import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkedPng } from '../../src-main/exports/picture'
import { checkedSvg } from '../../src-main/exports/svg'
import { openApp } from '../helpers/app-page'
import { componentViolations } from '../helpers/axe'
import { openComponents } from '../helpers/component-page'
import { drawn } from '../helpers/ring'
import type { BrowserWindow } from '../helpers/shared-browser'
import { pressing } from '../helpers/page'

let opened: BrowserWindow
let page: Page

beforeAll(async () => {
  opened = await openComponents('charts')
  ;({ page } = opened)
})
afterAll(() => opened?.close())

const show = (names: readonly string[], width?: number): Promise<void> =>
  page.evaluate(([names, width]) => charts().show(names, width), [names, width] as const)
const chart = (name: string): Locator => page.getByRole('application', { name: new RegExp(`^${name}`) })
const spoken = (): Promise<string> => page.evaluate(() => charts().spoken())
const press = pressing(() => page)

describe('a chart', () => {
  it('is one tab stop, moves by arrows, and announces each point', async () => {
    await show(['Lines with names'])
    await page.keyboard.press('Tab')
    expect(await chart('Lines with names').evaluate((one) => one === document.activeElement)).toBe(true)
    await press('ArrowRight', 'ArrowRight')
    await expect.poll(spoken).toMatch(/2 March, Morning Post, clicks: [\d,]+$/)
    await press('ArrowDown')
    await expect.poll(spoken).toMatch(/2 March, Harbour News, clicks: [\d,]+$/)
    await press('End')
    await expect.poll(spoken).toMatch(/28 March, Harbour News, clicks: [\d,]+$/)
    await page.locator('.readout').getByText('28 March').waitFor()
    await press('Escape')
    await page.locator('.readout').waitFor({ state: 'detached' })
  })
  it('has a one-sentence description', async () => {
    const id = await chart('Lines with names').getAttribute('aria-describedby')
    await expect
      .poll(() => page.locator(`[id="${id}"]`).textContent())
      .toMatch(/^Clicks (rose|fell) \d+%.*\. Highest [\d,]+ on \d+ March/)
  })
  it("shows all lines' values under the pointer", async () => {
    const box = (await chart('Lines with names').boundingBox())!
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.locator('.readout').waitFor()
    await expect.poll(() => page.locator('.readout .one').count()).toBeGreaterThan(3)
    await page.mouse.move(box.x + box.width / 2, box.y + box.height + 40)
    await page.locator('.readout').waitFor({ state: 'detached' })
  })
  it('fits its width, from a narrow panel to a wide screen', async () => {
    for (const width of [320, 900, 2400]) {
      const names = await page.evaluate(() => charts().names)
      await show(names, width)
      await page.locator('svg').first().waitFor()
      const over = await page.evaluate(() =>
        [...document.querySelectorAll('section')].flatMap((section) => {
          const right = section.getBoundingClientRect().right
          return [...section.querySelectorAll('text')]
            .filter((text) => text.getBoundingClientRect().right > right + 1)
            .map((text) => text.textContent)
        }),
      )
      expect([width, over]).toEqual([width, []])
    }
  })
  // Finding the color behind each text takes most of the time.
  it.each(drawn(['light', 'dark'], 1))('passes axe in the theme %s', async (theme) => {
    await show(await page.evaluate(() => charts().names))
    await page.evaluate((theme) => void (document.documentElement.dataset['theme'] = theme), theme)
    expect(await componentViolations(page)).toEqual([])
  })
  it('exports in print colors, as SVG and as PNG of the chosen size', async () => {
    const svg = await page.evaluate(() => charts().file('Stacked columns', 'svg'))
    expect(checkedSvg(svg)).toBe(svg)
    expect(svg).toContain('fill="#ffffff"')
    expect(svg).not.toContain('var(')
    const sizes: number[] = []
    for (const scale of [1, 2] as const) {
      const bytes = Buffer.from(
        await page.evaluate((scale) => charts().file('Stacked columns', scale), scale),
        'base64',
      )
      checkedPng(bytes)
      sizes.push(bytes.readUInt32BE(16))
    }
    expect(sizes[0]).toBeGreaterThan(600)
    expect(sizes[1]).toBe(sizes[0]! * 2)
    await page.evaluate(() => void (document.documentElement.dataset['theme'] = 'light'))
  })
})

describe('the pacing list', () => {
  const list = (): Locator => page.getByRole('listbox', { name: 'Pacing, most money at risk first' })
  const active = (): Promise<string> =>
    list().evaluate((one) => document.getElementById(one.getAttribute('aria-activedescendant') ?? '')?.innerText ?? '')
  it('is navigable by keyboard', async () => {
    await page.evaluate(() => charts().showPacing())
    await list().focus()
    const first = await active()
    await press('ArrowDown')
    expect(await active()).not.toBe(first)
    await press('End', 'Enter')
    await press('Home', 'Enter')
    const opened = await page.evaluate(() => [...charts().opened])
    expect(opened).toHaveLength(2)
    expect(opened[1]).toMatch(/^placement \d+$/)
    expect(await componentViolations(page)).toEqual([])
  })
  it('filters by behind and ahead', async () => {
    await page.getByRole('radio', { name: /^Behind/ }).check()
    const states = await list()
      .getByRole('option')
      .evaluateAll((all) => all.map((one) => one.dataset['state']))
    expect(states.length).toBeGreaterThan(3)
    expect(states.every((state) => /behind|short/i.test(state!))).toBe(true)
  })
  it('explains what to do when nothing is booked', async () => {
    await page.evaluate(() => charts().showPacing(0))
    await page.getByText('Nothing booked').waitFor()
    expect(await componentViolations(page)).toEqual([])
  })
})

describe('an image being exported', () => {
  it('is written unchanged or rejected completely', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'flightplan-charts-'))
    await show(['Shares'])
    await page.locator('svg').first().waitFor()
    const svg = await page.evaluate(() => charts().file('Shares', 'svg'))
    const png = await page.evaluate(() => charts().file('Shares', 2))
    const app = await openApp({ args: ['--seed', 'empty', '--save-to', folder] })
    try {
      const answers = await app.page.evaluate(
        async ([svg, png]) => {
          const bytes = Uint8Array.from(atob(png), (sign) => sign.charCodeAt(0))
          const suggestedName = 'Shares: March'
          const { ask } = window.flightplan
          return [
            await ask('export/chart', { suggestedName, format: 'svg', text: svg }),
            await ask('export/chart', { suggestedName, format: 'png', bytes }),
            await ask('export/chart', {
              suggestedName: 'bad',
              format: 'svg',
              text: svg.replace('<defs>', '<script/><defs>'),
            }),
            await ask('export/chart', { suggestedName: 'bad', format: 'png', bytes: bytes.slice(0, 100) }),
          ]
        },
        [svg, png] as const,
      )
      expect(answers.map(({ ok }) => ok)).toEqual([true, true, false, false])
      expect((await readdir(folder)).sort()).toEqual(['Shares March.png', 'Shares March.svg'])
      expect(await readFile(join(folder, 'Shares March.svg'), 'utf8')).toBe(svg)
      expect((await readFile(join(folder, 'Shares March.png'))).toString('base64')).toBe(png)
    } finally {
      await app.close()
    }
  })
})

declare const charts: () => typeof import('./components/charts')
