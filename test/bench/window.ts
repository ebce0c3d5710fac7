import type { Page } from 'playwright-core'
import { services } from '#shared/wire/services'
import { launchApp } from '../helpers/app'
import { atRest } from '../helpers/page'
import { startOutsideService, type OutsideService } from '../helpers/outside-service'
import { launchEmpty } from './empty-window'
import { comparison, goals, median, time, type Bench, type Comparison } from './measure'

const scale = 20
const allSynced = /No pending changes/

/** First sync and view switch with about 20,000 events in Electron, and starts in the long run. */
export async function* window({ long, step }: Bench): AsyncGenerator<Comparison, void, void> {
  step('starting a service of about 20,000 events')
  const service = await startOutsideService({ scale })
  try {
    step('first sync')
    const app = await launchApp({ service, size: { width: 1280, height: 800 } })
    const sync = await time(() => app.page.getByText(allSynced).first().waitFor({ timeout: 300_000 }))
    const pages = await fetchPages(service)
    const floor = await time(async () => {
      await fetchPages(service)
    })
    const floorIs = 'reading and parsing the same pages one after the other'
    yield comparison('first sync of about 20,000 events', floorIs, sync, floor, { detail: pages })
    step('switching months')
    const switching = await viewSwitch(app.page)
    yield comparison(
      'month view switch',
      'a slice of an array and the same number of DOM nodes',
      switching.ours,
      switching.floor,
      switching,
    )
    await app.close()
    // `storage` measures starts with as much data.
    if (!long) return
    step('starting with many events, with few, and an empty window')
    const many = await startTimes(app.userData, service)
    const few = await startWithFew()
    const empty = await emptyWindow()
    yield comparison('start with about 20,000 events', 'an empty Electron window', many, empty, {
      goal: goals.startOverEmpty,
    })
    yield comparison('start with about 20,000 events, against few', 'the same app with about 1,000 events', many, few, {
      goal: goals.startOverFew,
    })
  } finally {
    await service.stop()
  }
}

async function fetchPages(service: OutsideService): Promise<{ records: number; pages: number }> {
  const headers = { authorization: `Bearer ${service.token}` }
  const { basePath } = services.calendar
  let records = 0
  let pages = 0
  const read = async (path: string): Promise<{ items?: Array<{ id: string }>; nextPageToken?: string }> => {
    const body = (await (await fetch(`${service.baseUrl}${basePath}${path}`, { headers })).json()) as {
      items?: Array<{ id: string }>
      nextPageToken?: string
    }
    records += body.items?.length ?? 0
    pages += 1
    return body
  }
  const { items } = await read('/users/me/calendarList?maxResults=250')
  for (const { id } of items ?? []) {
    for (let token: string | undefined = ''; token !== undefined;) {
      const page: { nextPageToken?: string } = await read(
        `/calendars/${encodeURIComponent(id)}/events?maxResults=2500&showDeleted=true${token ? `&pageToken=${token}` : ''}`,
      )
      token = page.nextPageToken
    }
  }
  return { records, pages }
}

/** Script, style, and layout of switching to the next month, compared with building as many nodes. */
async function viewSwitch(page: Page): Promise<{ ours: number; floor: number; detail: Record<string, number> }> {
  await page
    .getByRole('radio', { name: 'Month' })
    .or(page.getByRole('tab', { name: 'Month' }))
    .or(page.getByRole('button', { name: 'Month', exact: true }))
    .first()
    .click()
  await atRest(page)
  return page.evaluate(async () => {
    const grid = document.querySelector<HTMLElement>('main [role="grid"]')
    const next = document.querySelector<HTMLElement>('main button[aria-label^="Next"]')
    if (!grid || !next) throw new Error('No month grid to measure')
    const frame = (): Promise<void> => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    const middle = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
    const ours: number[] = []
    for (let round = 0; round < 9; round++) {
      await frame()
      const started = performance.now()
      next.click()
      await Promise.resolve()
      document.body.getBoundingClientRect()
      await frame()
      ours.push(performance.now() - started)
    }
    const shown = document.querySelector<HTMLElement>('main [role="grid"]')!
    const nodes = shown.querySelectorAll('*').length
    const all = Array.from({ length: 20_000 }, (_unused, n) => ({ n }))
    const floor: number[] = []
    for (let round = 0; round < 9; round++) {
      await frame()
      const started = performance.now()
      const part = all.slice(4_000, 4_000 + nodes)
      const holder = document.createElement('div')
      holder.style.cssText = 'position:absolute;inset:0;overflow:hidden'
      for (const { n } of part)
        holder.append(Object.assign(document.createElement('div'), { textContent: `Item ${n}` }))
      document.body.append(holder)
      document.body.getBoundingClientRect()
      await frame()
      floor.push(performance.now() - started)
      holder.remove()
    }
    return { ours: middle(ours), floor: middle(floor), detail: { nodes } }
  })
}

/** From the command to the first visible events, with all data on this computer. */
async function startTimes(userData: string, service: { baseUrl: string; token: string }): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const started = performance.now()
    const app = await launchApp({ userData, service })
    await app.page.locator('main [role="grid"]').first().waitFor()
    times.push(performance.now() - started)
    await app.close()
  }
  return median(times)
}

async function startWithFew(): Promise<number> {
  const service = await startOutsideService()
  try {
    const app = await launchApp({ service })
    await app.page.getByText(allSynced).first().waitFor({ timeout: 120_000 })
    await app.close()
    return await startTimes(app.userData, service)
  } finally {
    await service.stop()
  }
}

async function emptyWindow(): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const started = performance.now()
    const { electron } = await launchEmpty()
    times.push(performance.now() - started)
    await electron.close()
  }
  return median(times)
}
