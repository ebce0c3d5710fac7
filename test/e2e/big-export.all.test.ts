// Only in test:all: exports a list for a minute to watch memory and frames.
import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import readWorkbook from 'read-excel-file/node'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { systemClock } from '#shared/time/clock'
import type { RunningApp } from '../helpers/app'
import { openManyPlacements, patienceFor, showPlacements } from '../helpers/many-placements'
import type { OutsideService } from '../helpers/outside-service'
import { busySince, watchThread } from '../helpers/thread-watch'

/** 250 equals 100,000 placements. */
const scale = Number(process.env['FLIGHTPLAN_SCALE'] ?? 25)
const patience = patienceFor(scale)
/** The sheet's columns, and some that aren't in memory. */
const shown = [
  ...['id', 'name', 'compatibility', 'size', 'externalId', 'pricingSchedule.startDate', 'pricingSchedule.endDate'],
  ...['comment', 'keyName', 'placementStrategyId', 'accountId', 'sslRequired', 'fx.units', 'fx.cost', 'fx.pace'],
]
let service: OutsideService
let app: RunningApp
let page: Page
let saveTo: string
let placements: Map<string, { start: string; key: string }>

beforeAll(async () => {
  ;({ service, app, page, saveTo } = await openManyPlacements(scale, shown))
  placements = await onService()
  await watchThread(page)
  await showPlacements(page)
  await page.getByRole('button', { name: /^Filter by status/ }).click()
  await page.getByRole('menuitemcheckbox', { name: 'All', exact: true }).click()
  const grid = page.getByRole('grid', { name: 'Placements', exact: true })
  await vi.waitFor(async () => expect(Number(await grid.getAttribute('aria-rowcount')) - 1).toBe(placements.size), {
    timeout: patience,
    interval: 100,
  })
}, patience * 2)
afterAll(async () => {
  await app?.close()
  await service?.stop()
})

async function ask(path: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${service.baseUrl}/trafficking/v3.4${path}`, {
    headers: { Authorization: `Bearer ${service.token}` },
  })
  expect(answer.status, path).toBe(200)
  return (await answer.json()) as Record<string, unknown>
}
async function onService(): Promise<typeof placements> {
  const { items } = (await ask('/userprofiles')) as { items: { profileId: string }[] }
  const found: typeof placements = new Map()
  for (let token = ''; ;) {
    const next = token && `&pageToken=${encodeURIComponent(token)}`
    const answer = await ask(
      `/userprofiles/${items[0]!.profileId}/placements?fields=nextPageToken,placements(id,keyName,pricingSchedule(startDate))${next}`,
    )
    for (const { id, keyName, pricingSchedule } of answer['placements'] as {
      id: string
      keyName?: string
      pricingSchedule: { startDate: string }
    }[])
      found.set(id, { start: pricingSchedule.startDate, key: keyName ?? '' })
    token = String(answer['nextPageToken'] ?? '')
    if (token === '') return found
  }
}

async function exported(label: string, end: string): Promise<Buffer> {
  await busySince(page)
  const began = systemClock.elapsed()
  await page.getByRole('main').getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: label }).click()
  const most = { window: 0, writer: 0 }
  const name = `Placements${end}`
  for (;;) {
    const memory = await app.electron.evaluate(({ app }) =>
      app.getAppMetrics().map(({ type, memory }) => [type, memory.workingSetSize / 1024] as const),
    )
    for (const [type, mb] of memory) {
      if (type === 'Tab') most.window = Math.max(most.window, Math.round(mb))
      if (type === 'Utility') most.writer = Math.max(most.writer, Math.round(mb))
    }
    if ((await readdir(saveTo)).includes(name)) break
    await new Promise((next) => setTimeout(next, 50))
  }
  const seconds = (systemClock.elapsed() - began) / 1000
  const { longest, pause } = await busySince(page)
  const { size } = await stat(join(saveTo, name))
  console.info(
    `${placements.size} placements as ${end}: ${seconds.toFixed(1)} s, ${Math.round(size / 1024)} KB, longest work of the window ${longest} ms, longest pause between frames ${pause} ms, memory at most: window ${most.window} MB, largest helper ${most.writer} MB`,
  )
  return readFile(join(saveTo, name))
}

const dayOf = (cell: unknown): string => (cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell))

/** Every cell of two columns, one of them read from disk, matches the service. */
function expectServiceValues(heads: readonly string[], rows: readonly (readonly unknown[])[]): void {
  const [id, start, key] = ['ID', 'Start date', 'Key name'].map((head) => heads.indexOf(head))
  expect(heads).toHaveLength(shown.length)
  expect(rows).toHaveLength(placements.size)
  const wrong = rows.filter((row) => {
    const one = placements.get(String(row[id!]))
    return one?.start !== dayOf(row[start!]) || one.key !== String(row[key!] ?? '')
  })
  expect(wrong.slice(0, 3)).toEqual([])
  expect(new Set(rows.map((row) => String(row[id!]))).size).toBe(placements.size)
  expect(rows.filter((row) => row[key!]).length).toBeGreaterThan(rows.length / 2)
}

it('a list larger than memory exports completely as CSV', { timeout: patience }, async () => {
  const bytes = await exported('CSV (plain)…', '.csv')
  const [heads, ...rows] = parse(bytes) as string[][]
  expectServiceValues(heads!, rows)
})

it('it exports completely as a workbook, too', { timeout: patience }, async () => {
  const bytes = await exported('Workbook (.xlsx)…', '.xlsx')
  const [{ data }] = (await readWorkbook(bytes)) as unknown as [{ data: unknown[][] }]
  expectServiceValues(data[0] as string[], data.slice(1))
})

it('stopping it while it reads leaves no file', { timeout: patience }, async () => {
  const before = await readdir(saveTo)
  await page.getByRole('main').getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'JSON…' }).click()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByText('Stopped. Nothing was saved.').first().waitFor()
  expect(await readdir(saveTo)).toEqual(before)
})
