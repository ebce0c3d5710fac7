import type { CDPSession, Locator } from 'playwright-core'
import { launchApp } from '../helpers/app'
import { openSync, startDownload, untilDownloaded } from '../helpers/download-everything'
import { startOutsideService } from '../helpers/outside-service'
import { runCommand } from '../helpers/page'
import { comparison, median, type Comparison } from './measure'

/** 100,000 placements, and 1,000. */
const scales = { many: 250, few: 2.5 }
const warmUp = 20
const frames = 30

/** Script, style and layout of frames, in milliseconds. */
interface Cost {
  usual: number
  longest: number
}
interface Costs {
  three: { ours: Cost; floor: Cost }
  page: { ours: Cost; floor: Cost }
}

/**
 * The grid of placements in the app, scrolled by three rows and by whole pages. The floor lies in the same window in its
 * place: a copy of the grid's own elements, with their styles, of which those that leave are moved and given other texts of
 * real rows, and nothing else. What a frame costs is what Chromium itself counts of script, style and layout.
 */
export async function scroll(): Promise<Comparison[]> {
  const many = await costs(scales.many)
  const few = await costs(scales.few)
  const floorIs = 'the same elements, moved and given other texts'
  const row = (what: 'three' | 'page', name: string): Comparison[] => [
    comparison(`a frame that scrolls ${name} of 100,000 rows`, floorIs, many[what].ours.usual, many[what].floor.usual, {
      longest: Math.round(many[what].ours.longest),
      longestFloor: Math.round(many[what].floor.longest),
    }),
    comparison(
      `a frame that scrolls ${name} of 100,000 rows, against 1,000`,
      'the same grid with 1,000 rows',
      many[what].ours.usual,
      few[what].ours.usual,
      { longest: Math.round(few[what].ours.longest) },
    ),
  ]
  return [...row('three', 'three'), ...row('page', 'a page')]
}

async function costs(campaignScale: number): Promise<Costs> {
  const service = await startOutsideService({ campaignScale })
  try {
    const app = await launchApp({ service, size: { width: 1440, height: 900 } })
    const { page } = app
    await openSync(page)
    await startDownload(page)
    await untilDownloaded(page, 3_600_000)
    await runCommand(page, 'Campaigns: placements')
    const grid = page.getByRole('grid', { name: 'Placements', exact: true })
    await grid.locator('.body [role=row]').first().waitFor()
    await page
      .getByText(/Nothing waits to be sent/)
      .first()
      .waitFor()
    // What the download left behind is put away first.
    await page.waitForTimeout(10_000)
    const cdp = await app.electron.context().newCDPSession(page)
    await cdp.send('Performance.enable')
    const both = async (rows: number): Promise<Costs['three']> => {
      const ours = await scrolled(cdp, grid, rows)
      const floor = page.locator('#floor')
      await grid.evaluate(layFloor)
      const least = await scrolled(cdp, floor, rows)
      await floor.evaluate((one) => one.remove())
      return { ours, floor: least }
    }
    const found = { three: await both(3), page: await both(20) }
    await app.close()
    return found
  } finally {
    await service.stop()
  }
}

async function scrolled(cdp: CDPSession, scroller: Locator, rows: number): Promise<Cost> {
  const counted = async (): Promise<number> => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    const seconds = metrics
      .filter(({ name }) => ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'].includes(name))
      .reduce((sum, { value }) => sum + value, 0)
    return seconds * 1_000
  }
  const step = (pixels: number): Promise<void> =>
    scroller.evaluate(async (element, pixels) => {
      element.scrollTop = pixels === 0 ? 0 : element.scrollTop + pixels
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))
    }, pixels)
  const all: number[] = []
  for (const [count, keep] of [
    [warmUp, false],
    [frames, true],
  ] as const) {
    await step(0)
    for (let frame = 0; frame < count; frame++) {
      const before = await counted()
      await step(rows * 28)
      if (keep) all.push((await counted()) - before)
    }
  }
  return { usual: median(all), longest: Math.max(...all) }
}

/** Runs in the page. */
function layFloor(grid: Element): void {
  const rowHeight = 28
  const floor = grid.cloneNode(true) as HTMLElement
  floor.id = 'floor'
  floor.style.cssText = 'position: absolute; inset: 0; z-index: 9; background: var(--surface)'
  const pool = [...floor.querySelectorAll<HTMLElement>('.body [role=row]')].map((row) => ({
    row,
    cells: [...row.querySelectorAll<HTMLElement>('[role=gridcell]')].slice(1),
    at: Number(row.getAttribute('aria-rowindex')) - 2,
  }))
  const texts = pool.map(({ cells }) => cells.map((cell) => cell.textContent))
  floor.addEventListener('scroll', () => {
    const first = Math.max(0, Math.floor(floor.scrollTop / rowHeight) - 8)
    for (const one of pool) {
      const at = first + ((((one.at - first) % pool.length) + pool.length) % pool.length)
      if (at === one.at) continue
      one.at = at
      one.row.style.top = `${at * rowHeight}px`
      const words = texts[(at * 7) % texts.length]!
      for (let index = 0; index < one.cells.length; index++) one.cells[index]!.textContent = words[index]!
    }
  })
  grid.parentElement!.append(floor)
}
