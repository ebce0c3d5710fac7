// Only in test:all: measures pauses over 20 columns of a large report.
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#shared/time/clock'
import { launchApp, type RunningApp } from '../helpers/app'
import { choose } from '../helpers/page'
import { showAllRuns } from '../helpers/report-screens'
import { busySince, watchThread, type Busy } from '../helpers/thread-watch'
import { wideHead, wideText, writeWideReport, type WideReport } from '../helpers/wide-report'
import { folderForFile } from '../helpers/for-file'

/** FLIGHTPLAN_ROWS=1000000 measures a million rows. Fewer find the same problems. */
const rows = Number(process.env['FLIGHTPLAN_ROWS'] ?? 60_000)
const patience = 60_000 + rows / 2

const folder = folderForFile('flightplan-wide-')
let app: RunningApp
let page: Page
let report: WideReport
const busy: Record<string, Busy & { ms: number }> = {}

beforeAll(async () => {
  const path = join(folder, 'wide.csv')
  report = await writeWideReport(path, rows)
  app = await launchApp({
    args: ['--open-file', path, '--save-to', folder],
    size: { width: 1440, height: 900 },
  })
  page = app.page
  await page.getByRole('main').waitFor()
  await showAllRuns(page)
  await watchThread(page)
}, patience)
afterAll(() => app?.close())

const grid = (): Locator => page.getByRole('grid')
/** Records the duration of an action and how busy the window was. */
async function noted(name: string, work: () => Promise<unknown>): Promise<void> {
  await busySince(page)
  const from = systemClock.elapsed()
  await work()
  const ms = Math.round(systemClock.elapsed() - from)
  busy[name] = { ms, ...(await busySince(page)) }
}
const counted = (count: number): Promise<void> =>
  expect.poll(async () => Number(await grid().getAttribute('aria-rowcount')) - 2, { timeout: patience }).toBe(count)

/** Texts of visible rows by position, for the columns with these headers. */
async function shown(...heads: string[]): Promise<{ at: number; cells: string[] }[]> {
  return grid().evaluate((one, heads) => {
    const columns = [...one.querySelectorAll('[role=columnheader]')].map((head) =>
      head.querySelector('button')!.textContent.trim(),
    )
    const at = heads.map((head) => columns.indexOf(head) + 1)
    return [...one.querySelectorAll('.body [data-row]')].map((line) => ({
      at: Number(line.getAttribute('data-row')),
      cells: at.map((column) => line.querySelector(`[aria-colindex="${column}"]`)?.textContent?.trim() ?? ''),
    }))
  }, heads)
}
/** Checks the rendered rows at the top, in the middle, and at the end of the grid. */
async function shows(
  count: number,
  heads: string[],
  row: (at: number) => readonly (string | undefined)[],
): Promise<void> {
  await counted(count)
  for (const part of [0, 0.5, 1]) {
    await grid().evaluate((one, part) => (one.scrollTop = part * (one.scrollHeight - one.clientHeight)), part)
    const wrong = async (): Promise<unknown> => {
      const lines = await shown(...heads)
      if (lines.length < Math.min(10, count)) return 'few rows'
      return lines.filter(({ at, cells }) => row(at).some((cell, of) => cell !== undefined && cell !== cells[of]))
    }
    await expect.poll(wrong, { timeout: patience }).toEqual([])
  }
}
const digits = new Intl.NumberFormat('en')
const head = (name: string): Locator => grid().getByRole('columnheader').getByRole('button', { name, exact: true })
const atRest = (): Promise<void> =>
  expect.poll(() => grid().getAttribute('aria-busy'), { timeout: patience }).toBe('false')

it('a file with twenty columns opens with the right rows', async () => {
  await noted('opened', async () => {
    await page.getByRole('button', { name: 'New report', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Open a file…' }).click()
    await grid().waitFor({ timeout: patience })
    await counted(rows)
  })
  const first = (at: number): string => wideText(0, report.codes[0]![at]!)
  await shows(rows, ['Dimension 0', 'Impressions'], (at) => [first(at), digits.format(report.impressions[at]!)])
})

describe('the rows', () => {
  it('sort by a metric and by a text', async () => {
    const sorted = report.impressions.slice().sort((a, b) => b - a)
    await noted('ordered by a metric', async () => (await head('Impressions').click(), await atRest()))
    await shows(rows, ['Impressions'], (at) => [digits.format(sorted[at]!)])
    const texts = Array.from(report.codes[5]!, (code) => wideText(5, code))
    const collator = new Intl.Collator('en', { numeric: true })
    const ordered = [...new Set(texts)].sort(collator.compare)
    const place = new Map(ordered.map((text, at) => [text, at]))
    const codes = Uint32Array.from(texts, (text) => place.get(text)!).sort()
    await noted('ordered by a text', async () => (await head('Dimension 5').click(), await atRest()))
    await shows(rows, ['Dimension 5'], (at) => [ordered[codes[at]!]])
  })

  it('scroll by wheel and scroll bar', async () => {
    await grid().hover()
    await noted('wheel', async () => {
      for (let turn = 0; turn < 40; turn++) await page.mouse.wheel(0, 400)
    })
    await noted('scroll bar', async () => {
      for (let part = 0; part <= 20; part++)
        await grid().evaluate(async (one, part) => {
          one.scrollTop = (part / 20) * (one.scrollHeight - one.clientHeight)
          await new Promise((done) => requestAnimationFrame(done))
        }, part)
    })
    await expect.poll(async () => (await shown('Dimension 0')).at(-1)?.at).toBe(rows - 1)
  })

  it('group by three dimensions with the right sums', async () => {
    const sums = new Map<number, number>()
    for (let row = 0; row < rows; row++) {
      const [a, b, c] = report.codes.map((codes) => codes[row]!)
      const key = (a! * 28 + b!) * 30 + c!
      sums.set(key, (sums.get(key) ?? 0) + report.impressions[row]!)
    }
    const bar = page.getByRole('group', { name: 'Grouped by' })
    for (const dimension of [0, 1, 2]) {
      await noted(`grouped by ${dimension + 1}`, async () => {
        await bar.getByRole('button', { name: /^Group by/ }).click()
        await page.getByRole('menuitem', { name: wideHead(dimension), exact: true }).click()
        await atRest()
      })
    }
    await counted(sums.size)
    const heads = [0, 1, 2].map(wideHead)
    const sumOf = (cells: readonly string[]): string => {
      const [a, b, c] = cells.map((text) => Number(/^Placement (\d+) /.exec(text)?.[1]))
      return digits.format(sums.get((a! * 28 + b!) * 30 + c!) ?? NaN)
    }
    const wrong = async (): Promise<unknown> => {
      const lines = await shown(...heads, 'Impressions')
      if (lines.length < 10) return 'few rows'
      return lines.filter(({ cells }) => sumOf(cells.slice(0, 3)) !== cells[3])
    }
    for (const part of [0, 0.5, 1]) {
      await grid().evaluate((one, part) => (one.scrollTop = part * (one.scrollHeight - one.clientHeight)), part)
      await expect.poll(wrong, { timeout: patience }).toEqual([])
    }
  })

  it('show as a chart next to the grid', async () => {
    await noted('drawn', async () => {
      await page.getByRole('button', { name: 'Show chart' }).click()
      await page
        .getByRole('region', { name: /^Chart of/ })
        .getByRole('application')
        .waitFor({ timeout: patience })
    })
  })

  it('filter by a text', async () => {
    const group = page.getByRole('group', { name: 'Grouped by' })
    for (const dimension of [0, 1, 2])
      await group.getByRole('button', { name: `Remove grouping by ${wideHead(dimension)}`, exact: true }).click()
    await counted(rows)
    await grid().focus()
    await page.keyboard.press('/')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await choose(dialog.getByRole('combobox', { name: 'Column' }), wideHead(5))
    await choose(dialog.getByRole('combobox', { name: 'Condition' }), 'contains')
    await dialog.getByLabel('Text').fill('11 of')
    const kept = report.codes[5]!.filter((code) => wideText(5, code).includes('11 of')).length
    await noted('filtered', async () => {
      await dialog.getByRole('button', { name: 'Filter', exact: true }).click()
      await counted(kept)
    })
    expect((await shown(wideHead(5))).every(({ cells }) => cells[0]!.includes('11 of'))).toBe(true)
  })
})

it("the window's busy time is reported", async () => {
  const processes = await app.electron.evaluate(({ app }) =>
    app
      .getAppMetrics()
      .map(({ type, name, memory }) => [name ?? type, Math.round(memory.workingSetSize / 1024)] as const),
  )
  console.info(
    [
      `${rows.toLocaleString('en')} rows of 20 columns.`,
      ...Object.entries(busy).map(
        ([name, { ms, longest, long, pause }]) =>
          `${name}: ${ms} ms; longest work in the window ${longest || '< 50'} ms, ${long} of 50 ms and more, longest pause between frames ${pause} ms`,
      ),
      `memory in MB: ${processes.map(([name, mb]) => `${name} ${mb}`).join(', ')}`,
    ].join('\n'),
  )
})
