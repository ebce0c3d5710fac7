import type { Page } from 'playwright-core'
import { services } from '#shared/wire/services'
import { launchApp, type RunningApp } from '../helpers/app'
import { openSync, startDownload, untilDownloaded } from '../helpers/campaign-download'
import { startOutsideService, type OutsideService } from '../helpers/outside-service'
import { launchEmpty } from './empty-window'
import { comparison, digits, goals, median, memoryGoal, time, type Bench, type Comparison } from './measure'
import { memoryOf } from './memory-use'
import { inPage, pageScript } from './page-bundle'
import type { PageText } from './storage-page'

type StoragePage = typeof import('./storage-page')

interface Size {
  /** Thousands of events. */
  scale: number
  /** Multiplied by 400 placements. */
  campaignScale: number
  /** Rows written with indexes. */
  indexed: number
  /** Starts of each type. */
  rounds: number
}

const sizes = {
  long: { scale: 100, campaignScale: 250, indexed: 20_000, rounds: 3 },
  usual: { scale: 20, campaignScale: 12.5, indexed: 10_000, rounds: 3 },
} satisfies Record<string, Size>
const allSynced = /No pending changes/

/** First sync of many events, then start and memory with as many placements and their parents, in Electron. */
export async function* storage({ long, step }: Bench): AsyncGenerator<Comparison, void, void> {
  const size = long ? sizes.long : sizes.usual
  const { scale, campaignScale, indexed, rounds } = size
  const events = `${digits(scale * 1_000)} events`
  const placements = `${digits(campaignScale * 400)} placements`
  step(`starting a service of about ${events} and ${placements}`)
  const service = await startOutsideService({ scale, campaignScale })
  try {
    step('first sync')
    const app = await launchApp({ service, size: { width: 1280, height: 800 } })
    const sync = await time(() => app.page.getByText(allSynced).first().waitFor({ timeout: 600_000 }))
    const pages: PageText[] = []
    const read = await time(async () => pages.push(...(await fetchPages(service))))
    const script = await pageScript('storage-page')
    step('comparing every event with the service')
    const same = await compared(app.page, script, pages, scale)
    step('writing the same pages')
    const written = await writing(script, pages, indexed)
    yield comparison(
      `first sync of about ${events}, with writing`,
      'reading and parsing the same pages one after the other, and writing them as plain blocks',
      sync,
      read + written.plain,
      {
        goal: 1.5,
        detail: { events: same, pages: pages.length, read: Math.round(read), write: Math.round(written.plain) },
      },
    )
    yield comparison(
      'writing events as blocks with columns',
      'bulkPut of the same rows under four indexes',
      written.ours,
      written.indexed,
      { goal: 0.1, detail: { rows: written.rows } },
    )
    step(`downloading ${placements}`)
    await openSync(app.page)
    const download = await time(async () => {
      await startDownload(app.page)
      await untilDownloaded(app.page, 3_600_000)
    })
    await leaveOnCalendar(app)
    step(`starting ${rounds} times with all of it`)
    const many = await starts(app.userData, service, rounds)
    const both = `${events} and ${placements}`
    yield comparison(
      `first usable month of ${events} beside ${placements}, from the beginning of the page`,
      'one second',
      many.month,
      1_000,
      { goal: 1, detail: { downloadSeconds: Math.round(download / 1_000) } },
    )
    step(`starting ${rounds} times with few`)
    const few = await startsWithFew(rounds)
    yield comparison(
      `start with ${both}, against few`,
      'the same app with 1,000 events and 400 placements',
      many.whole,
      few.whole,
      { goal: goals.startOverFew, detail: { monthOfFew: Math.round(few.month) } },
    )
    step(`opening ${rounds} empty windows`)
    const empty = await emptyStarts(rounds)
    yield comparison(`start with ${both}`, 'an empty Electron window', many.whole, empty.whole, {
      goal: goals.startOverEmpty,
    })
    yield comparison(`memory with ${both}`, 'an empty Electron window', many.memory, empty.memory, {
      goal: memoryGoal(empty.memory),
      unit: 'MB',
      detail: { few: Math.round(few.memory) },
    })
  } finally {
    await service.stop()
  }
}

async function fetchPages(service: OutsideService): Promise<PageText[]> {
  const headers = { authorization: `Bearer ${service.token}` }
  const read = async (path: string): Promise<string> =>
    (await fetch(`${service.baseUrl}${services.calendar.basePath}${path}`, { headers })).text()
  const pages: PageText[] = []
  const { items } = JSON.parse(await read('/users/me/calendarList?maxResults=250')) as { items: { id: string }[] }
  for (const { id } of items) {
    for (let token: string | undefined = ''; token !== undefined;) {
      const text = await read(
        `/calendars/${encodeURIComponent(id)}/events?maxResults=2500&showDeleted=true${token ? `&pageToken=${token}` : ''}`,
      )
      pages.push({ calendar: id, text })
      token = (JSON.parse(text) as { nextPageToken?: string }).nextPageToken
    }
  }
  return pages
}

/** Verifies that the app has every record of the service. @returns their number */
async function compared(page: Page, script: string, pages: readonly PageText[], scale: number): Promise<number> {
  await page.evaluate(script)
  for (const one of pages) await inPage<StoragePage, 'take'>(page, 'take', one)
  const databases = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name ?? ''))
  const account = databases.find((name) => name.startsWith('flightplan-'))!.slice('flightplan-'.length)
  const same = await inPage<StoragePage, 'sameAsPages'>(page, 'sameAsPages', account)
  const living = await inPage<StoragePage, 'living'>(page, 'living')
  if (same !== living || same < 1_000 * scale * 0.9) throw new Error(`${living} events at the service, ${same} here`)
  return same
}

async function writing(
  script: string,
  pages: readonly PageText[],
  indexed: number,
): Promise<{ plain: number; ours: number; indexed: number; rows: number }> {
  const { electron, page } = await launchEmpty()
  await page.evaluate(script)
  for (const one of pages) await inPage<StoragePage, 'take'>(page, 'take', one)
  const plain = await inPage<StoragePage, 'plainBlocks'>(page, 'plainBlocks')
  const ours = await inPage<StoragePage, 'storedRows'>(page, 'storedRows', indexed)
  const rows = await inPage<StoragePage, 'indexedRows'>(page, 'indexedRows', indexed)
  await electron.close()
  return { plain, ours: ours.ms, indexed: rows.ms, rows: rows.rows }
}

/** The next start opens the last view. */
async function leaveOnCalendar({ page, close }: RunningApp): Promise<void> {
  await page.keyboard.press('Control+1')
  await page.locator('main [role="grid"] [data-key]').first().waitFor()
  await close()
}

interface Start {
  /** Milliseconds from the command to visible events. */
  whole: number
  /** Milliseconds from the page's start to visible events. */
  month: number
  /** MB of all processes once everything is read. Measured only at the last start, since it takes seconds. */
  memory: number
}

/** From the command to the first visible events, with all data on this computer. */
async function starts(userData: string, service: OutsideService, rounds: number): Promise<Start> {
  const all: Start[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const app = await launchApp({ userData, service, size: { width: 1280, height: 800 } })
    const drawn = await app.page.waitForFunction(
      () => document.querySelector('main [role="grid"] [data-key]') !== null && performance.now(),
    )
    const whole = performance.now() - started
    const month = (await drawn.jsonValue()) as number
    await app.page.getByText(allSynced).first().waitFor()
    const memory = round === rounds - 1 ? await memoryOf(app.electron.process().pid!) : 0
    all.push({ whole, month, memory })
    await app.close()
  }
  return middle(all)
}

async function startsWithFew(rounds: number): Promise<Start> {
  const service = await startOutsideService()
  try {
    const app = await launchApp({ service })
    await app.page.getByText(allSynced).first().waitFor({ timeout: 120_000 })
    await openSync(app.page)
    await startDownload(app.page)
    await untilDownloaded(app.page, 120_000)
    await leaveOnCalendar(app)
    return await starts(app.userData, service, rounds)
  } finally {
    await service.stop()
  }
}

async function emptyStarts(rounds: number): Promise<Start> {
  const all: Start[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const { electron } = await launchEmpty()
    const whole = performance.now() - started
    const memory = round === rounds - 1 ? await memoryOf(electron.process().pid!) : 0
    all.push({ whole, month: 0, memory })
    await electron.close()
  }
  return middle(all)
}

const middle = (all: readonly Start[]): Start => ({
  whole: median(all.map(({ whole }) => whole)),
  month: median(all.map(({ month }) => month)),
  memory: all.at(-1)!.memory,
})
