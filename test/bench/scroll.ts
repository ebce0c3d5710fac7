import type { CDPSession, ElementHandle } from 'playwright-core'
import { launchApp, type RunningApp } from '../helpers/app'
import { openSync, startDownload, untilDownloaded } from '../helpers/download-everything'
import { startOutsideService } from '../helpers/outside-service'
import { runCommand } from '../helpers/page'
import { againstFew, comparison, median, type Comparison } from './measure'

/** 100,000 placements, and 1,000. */
const scales = { many: 250, few: 2.5 }
const rowHeight = 28
const warmUp = 20
/** Ours and the floor take turns, so that the machine's minutes and what Chromium has compiled by then are the same for both. */
const turns = 5
const frames = 45
/** Rows whose words the floor is given: more than are gone through. */
const wordedRows = 960

/** Script, style and layout of frames, in milliseconds. */
interface Cost {
  usual: number
  longest: number
}
export interface Costs {
  three: { ours: Cost; floor: Cost }
  page: { ours: Cost; floor: Cost }
}

/**
 * The grid of placements in the app, scrolled by three rows and by whole pages. The floor lies in the same window in its
 * place: a copy of the grid's own elements, with their styles, of which those that leave are moved and given the words of the
 * rows that they show now, as they stand in the grid, their number and their place, and nothing else. Both are asked for a
 * frame in the same way; what it costs is what Chromium itself counts of script, style and layout.
 */
export async function scroll(): Promise<Comparison[]> {
  const many = await costs(scales.many)
  const few = await costs(scales.few)
  const floorIs = 'the same elements, moved and given the same words'
  const row = (what: 'three' | 'page', name: string): Comparison[] => [
    comparison(`a frame that scrolls ${name} of 100,000 rows`, floorIs, many[what].ours.usual, many[what].floor.usual, {
      longest: Math.round(many[what].ours.longest),
      longestFloor: Math.round(many[what].floor.longest),
    }),
    againstFew(`a frame that scrolls ${name} of 100,000 rows`, '1,000', usual(many[what]), usual(few[what])),
  ]
  return [...row('three', 'three'), ...row('page', 'a page')]
}

const usual = ({ ours, floor }: Costs['three']): { ours: number; floor: number } => ({
  ours: ours.usual,
  floor: floor.usual,
})

async function costs(campaignScale: number): Promise<Costs> {
  const service = await startOutsideService({ campaignScale })
  try {
    const app = await launchApp({ service, size: { width: 1440, height: 900 } })
    await openSync(app.page)
    await startDownload(app.page)
    await untilDownloaded(app.page, 3_600_000)
    const found = await scrollIn(app)
    await app.close()
    return found
  } finally {
    await service.stop()
  }
}

/** What frames cost in an app that has all placements. */
export async function scrollIn({ electron, page }: RunningApp): Promise<Costs> {
  await runCommand(page, 'Campaigns: placements')
  const grid = page.getByRole('grid', { name: 'Placements', exact: true })
  await grid.locator('.body [role=row]').first().waitFor()
  await page
    .getByText(/Nothing waits to be sent/)
    .first()
    .waitFor()
  // What the download left behind is put away first.
  await page.waitForTimeout(10_000)
  const cdp = await electron.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  const element = (await grid.elementHandle())!
  const words = await element.evaluate(wordsOfRows, { rowHeight, wordedRows })
  const both = async (rows: number): Promise<Costs['three']> => {
    const ours: number[] = []
    const least: number[] = []
    for (let turn = 0; turn < turns; turn++) {
      ours.push(...(await scrolled(cdp, element, rows)))
      const floor = await element.evaluateHandle(layFloor, { rowHeight, words })
      least.push(...(await scrolled(cdp, floor, rows)))
      await floor.evaluate((one) => one.remove())
    }
    return { ours: costOf(ours), floor: costOf(least) }
  }
  return { three: await both(3), page: await both(20) }
}

const costOf = (frames: readonly number[]): Cost => ({ usual: median(frames), longest: Math.max(...frames) })

/** What each frame cost, in milliseconds. */
async function scrolled(cdp: CDPSession, scroller: ElementHandle<Element>, rows: number): Promise<number[]> {
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
      await step(rows * rowHeight)
      if (keep) all.push((await counted()) - before)
    }
  }
  return all
}

/** Runs in the page: what stands in the cells of the first rows, as the grid draws them. */
async function wordsOfRows(
  grid: Element,
  { rowHeight, wordedRows }: { rowHeight: number; wordedRows: number },
): Promise<string[][]> {
  const words: string[][] = []
  for (let row = 0; row < wordedRows; row += 20) {
    grid.scrollTop = row * rowHeight
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    for (const line of grid.querySelectorAll('.body [role=row]'))
      words[Number(line.getAttribute('aria-rowindex')) - 2] = [...line.querySelectorAll('[role=gridcell]')]
        .slice(1)
        .map((cell) => cell.textContent)
  }
  grid.scrollTop = 0
  return words
}

/** Runs in the page. */
function layFloor(
  grid: Element,
  { rowHeight, words }: { rowHeight: number; words: readonly (readonly string[])[] },
): HTMLElement {
  const floor = grid.cloneNode(true) as HTMLElement
  floor.id = 'floor'
  floor.style.cssText = 'position: absolute; inset: 0; z-index: 9; background: var(--surface)'
  const pool = [...floor.querySelectorAll<HTMLElement>('.body [role=row]')].map((row) => {
    const cells = [...row.querySelectorAll<HTMLElement>('[role=gridcell]')].slice(1)
    const texts = cells.map((cell) => cell.firstChild ?? cell.appendChild(document.createTextNode('')))
    return { row, texts, at: Number(row.getAttribute('aria-rowindex')) - 2 }
  })
  floor.addEventListener('scroll', () => {
    const first = Math.max(0, Math.floor(floor.scrollTop / rowHeight) - 8)
    for (const one of pool) {
      const at = first + ((((one.at - first) % pool.length) + pool.length) % pool.length)
      if (at === one.at) continue
      const [before, now] = [words[one.at]!, words[at]!]
      one.at = at
      one.row.style.transform = `translateY(${at * rowHeight}px)`
      one.row.setAttribute('aria-rowindex', String(at + 2))
      for (const [index, text] of now.entries()) if (text !== before[index]) one.texts[index]!.nodeValue = text
    }
  })
  grid.parentElement!.append(floor)
  return floor
}
