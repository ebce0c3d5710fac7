import type { Page } from 'playwright-core'
import { services } from '#shared/wire/services'
import { launchApp, type RunningApp } from '../helpers/app'
import { openSync, startDownload, untilDownloaded } from '../helpers/download-everything'
import { startOutsideService, type OutsideService } from '../helpers/outside-service'
import { launchEmpty } from './empty-window'
import { comparison, median, time, type Comparison } from './measure'
import { memoryOf } from './memory-use'
import { inPage, pageScript } from './page-bundle'
import type { PageText } from './storage-page'

type StoragePage = typeof import('./storage-page')

const scale = 100
/** 100,000 placements. */
const campaignScale = 250
const indexed = 20_000
const rounds = 3
const allSynced = /Nothing waits to be sent/

/**
 * First sync of about 100,000 events, then start and memory with 100,000 placements and all around them in the same account,
 * in real Electron. `dataDir`: a service that was seeded before.
 */
export async function storage(dataDir?: string): Promise<Comparison[]> {
  const service = await startOutsideService({ scale, campaignScale, ...(dataDir !== undefined && { dataDir }) })
  try {
    const app = await launchApp({ service, size: { width: 1280, height: 800 } })
    const sync = await time(() => app.page.getByText(allSynced).first().waitFor({ timeout: 600_000 }))
    const pages: PageText[] = []
    const read = await time(async () => pages.push(...(await fetchPages(service))))
    const script = await pageScript('storage-page')
    const same = await compared(app.page, script, pages)
    await openSync(app.page)
    const download = await time(async () => {
      await startDownload(app.page)
      await untilDownloaded(app.page, 3_600_000)
    })
    await leaveOnCalendar(app)
    const written = await writing(script, pages)
    const many = await starts(app.userData, service)
    const few = await startsWithFew()
    const empty = await emptyStarts()
    return [
      comparison(
        'first sync of about 100,000 events',
        'reading and parsing the same pages one after the other, and writing them as plain blocks',
        sync,
        read + written.plain,
        { events: same, pages: pages.length, read: Math.round(read), write: Math.round(written.plain) },
      ),
      comparison(
        'writing events as blocks with columns',
        'bulkPut of the same rows under four indexes',
        written.ours,
        written.indexed,
        { rows: written.rows },
      ),
      comparison(
        'first usable month of 100,000 events beside 100,000 placements, from the beginning of the page',
        'one second',
        many.month,
        1_000,
        { few: Math.round(few.month), downloadSeconds: Math.round(download / 1_000) },
      ),
      comparison(
        'start with 100,000 events and 100,000 placements',
        'an empty Electron window',
        many.whole,
        empty.whole,
      ),
      comparison(
        'start with 100,000 events and 100,000 placements, against few',
        'the same app with 1,000 events and 400 placements',
        many.whole,
        few.whole,
      ),
      comparison(
        'memory with 100,000 events and 100,000 placements, MB',
        'an empty Electron window',
        many.memory,
        empty.memory,
        { few: Math.round(few.memory) },
      ),
    ]
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

/** Whether the app has every record as the service has it. @returns how many there are. */
async function compared(page: Page, script: string, pages: readonly PageText[]): Promise<number> {
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

/** The next start shows what the last one showed. */
async function leaveOnCalendar({ page, close }: RunningApp): Promise<void> {
  await page.keyboard.press('Control+1')
  await page.locator('main [role="grid"] [data-key]').first().waitFor()
  await close()
}

interface Start {
  /** From the command to events on the screen, in milliseconds. */
  whole: number
  /** From the page's own beginning to events on the screen. */
  month: number
  /** Of all processes, once everything is read, in MB. */
  memory: number
}

/** From the command to the first events on the screen, with everything already on this computer. */
async function starts(userData: string, service: OutsideService): Promise<Start> {
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
    all.push({ whole, month, memory: await memoryOf(app.electron.process().pid!) })
    await app.close()
  }
  return middle(all)
}

async function startsWithFew(): Promise<Start> {
  const service = await startOutsideService()
  try {
    const app = await launchApp({ service })
    await app.page.getByText(allSynced).first().waitFor({ timeout: 120_000 })
    await openSync(app.page)
    await startDownload(app.page)
    await untilDownloaded(app.page, 120_000)
    await leaveOnCalendar(app)
    return await starts(app.userData, service)
  } finally {
    await service.stop()
  }
}

async function emptyStarts(): Promise<Start> {
  const all: Start[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const { electron } = await launchEmpty()
    const whole = performance.now() - started
    all.push({ whole, month: 0, memory: await memoryOf(electron.process().pid!) })
    await electron.close()
  }
  return middle(all)
}

const middle = (all: readonly Start[]): Start => ({
  whole: median(all.map(({ whole }) => whole)),
  month: median(all.map(({ month }) => month)),
  memory: median(all.map(({ memory }) => memory)),
})
