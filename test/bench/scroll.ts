import type { CDPSession, ElementHandle } from 'playwright-core'
import { launchApp } from '../helpers/app'
import { openSync, startDownload, untilDownloaded } from '../helpers/campaign-download'
import { startOutsideService, type OutsideService } from '../helpers/outside-service'
import { runCommand } from '../helpers/page'
import { comparison, digits, goals, median, type Bench, type Comparison } from './measure'

/** Multiplied by 400 placements. */
interface Scales {
  many: number
  few: number
}
type Scale = keyof Scales
const fewScale = 2.5
const rowHeight = 28
const warmUp = 20
/**
 * Both scales are open at once and alternate, ours and the baseline within each, so that all four see the same machine and
 * compiled code.
 */
const turns = 3
const frames = 45
const steps = { three: 3, page: 20 }
type Step = keyof typeof steps
/** Rows with text for the baseline, more than are scrolled. */
const wordedRows = 960

/** Milliseconds of script, style, and layout per frame. */
interface Frames {
  ours: number[]
  floor: number[]
}

/**
 * The app's placements grid, scrolled by three rows and by full pages. The baseline takes its place in the same window: a
 * styled copy of the grid's elements, which only moves rows that leave and sets their texts, number, and position. Both get
 * frames the same way, and the cost is Chromium's own count of script, style, and layout.
 */
export async function* scroll({ long, step }: Bench): AsyncGenerator<Comparison, void, void> {
  // A process keeps its memory layout for life, so each scale is measured in several.
  const [many, launches] = long ? [250, 3] : [25, 1]
  const scales: Scales = { many, few: fewScale }
  const none = (): Record<Scale, Frames> => ({ many: { ours: [], floor: [] }, few: { ours: [], floor: [] } })
  const costs: Record<Step, Record<Scale, Frames>> = { three: none(), page: none() }
  step(`downloading ${digits(scales.many * 400)} placements`)
  const downloads = { many: await downloaded(scales.many), few: await downloaded(scales.few) }
  try {
    for (let launch = 0; launch < launches; launch++) {
      step(`scrolling, launch ${launch + 1} of ${launches}`)
      const windows = { many: await open(downloads.many), few: await open(downloads.few) }
      for (const by of ['three', 'page'] as const)
        for (let turn = 0; turn < turns; turn++)
          for (const scale of turn % 2 === launch % 2 ? (['many', 'few'] as const) : (['few', 'many'] as const)) {
            const { ours, floor } = await windows[scale].scrolled(steps[by])
            costs[by][scale].ours.push(...ours)
            costs[by][scale].floor.push(...floor)
          }
      await windows.many.close()
      await windows.few.close()
    }
  } finally {
    await downloads.many.service.stop()
    await downloads.few.service.stop()
  }
  const rows = digits(scales.many * 400)
  yield* figuresOf(costs.three, `a frame that scrolls three of ${rows} rows`)
  yield* figuresOf(costs.page, `a frame that scrolls a page of ${rows} rows`)
}

function* figuresOf({ many, few }: Record<Scale, Frames>, name: string): Generator<Comparison, void, void> {
  const usual = ({ ours, floor }: Frames): { ours: number; floor: number } => ({
    ours: median(ours),
    floor: median(floor),
  })
  const [ours, floor] = [usual(many).ours, usual(many).floor]
  yield comparison(name, 'the same elements, moved and given the same words', ours, floor, {
    goal: goals.overFloor,
    detail: { longest: Math.round(Math.max(...many.ours)), longestFloor: Math.round(Math.max(...many.floor)) },
  })
  // They were open at once and alternated. Dividing by the separate baselines would add noise.
  yield comparison(`${name}, against 1,000`, 'the same of 1,000 rows', ours, usual(few).ours, {
    goal: goals.linear,
    detail: { floor, floorOfFew: usual(few).floor },
  })
}

interface Kept {
  service: OutsideService
  userData: string
}

/** An app with all placements downloaded, closed again. */
async function downloaded(campaignScale: number): Promise<Kept> {
  const service = await startOutsideService({ campaignScale })
  const app = await launchApp({ service })
  await openSync(app.page)
  await startDownload(app.page)
  await untilDownloaded(app.page, 3_600_000)
  await app.page
    .getByText(/No pending changes/)
    .first()
    .waitFor()
  await app.close()
  return { service, userData: app.userData }
}

interface ScrollWindow {
  scrolled(rows: number): Promise<Frames>
  close(): Promise<void>
}

async function open({ service, userData }: Kept): Promise<ScrollWindow> {
  const { electron, page, close } = await launchApp({ service, userData, size: { width: 1440, height: 900 } })
  await page.getByRole('main').waitFor()
  await runCommand(page, 'Campaigns: placements')
  const grid = page.getByRole('grid', { name: 'Placements', exact: true })
  await grid.locator('.body [role=row]').first().waitFor()
  // Waits for the start's cleanup first.
  await page.waitForTimeout(10_000)
  const cdp = await electron.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  const element = (await grid.elementHandle())!
  const words = await element.evaluate(wordsOfRows, { rowHeight, wordedRows })
  return {
    async scrolled(rows) {
      await page.bringToFront()
      const ours = await scrolled(cdp, element, rows)
      const floor = await element.evaluateHandle(layFloor, { rowHeight, words })
      const least = await scrolled(cdp, floor, rows)
      await floor.evaluate((one) => one.remove())
      return { ours, floor: least }
    },
    close,
  }
}

/** The cost of each frame in milliseconds. */
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

/** Runs in the page: the cell texts of the first rows, as the grid renders them. */
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
