import { mkdtemp, readFile, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright-core'
import readWorkbook from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { searchTypes } from '#shared/facts/report-search-columns'
import { reportTypes } from '#shared/facts/report-types'
import type { ColumnAbout, CellKind } from '#shared/results/result-columns'
import { isNumeric } from '#shared/results/result-columns'
import type { JsonObject } from '#shared/json'
import { exportFormats, type ExportFormat } from '#shared/reports/export-formats'
import type { Run } from '#shared/reports/runs'
import { tableOf } from '#shared/wire/services'
import type { Report } from '#shared/wire/trafficking/types'
import { launchApp, type RunningApp } from '../helpers/app'
import { tableRowsOf } from '../helpers/document-rows'
import { clockFromMoment } from '../helpers/moment'
import { runCommand } from '../helpers/page'
import { drawn } from '../helpers/ring'
import { ReportBuilding } from '../helpers/report-building'
import { createClient } from '../../src-main/services/client'
import { startService, type TestService } from '../helpers/service'
import { asking } from '../helpers/sign-in'

const clock = clockFromMoment()
const versions = ['v3.4', 'v3.3'] as const
const [newest] = versions
const typesOf = (version: string): string[] =>
  (tableOf('trafficking', version).schemas['Report']!.fields!['type']!.enum ?? []).map(String)

let service: TestService
let app: RunningApp
let page: Page
let building: ReportBuilding
let accountId: string
let saveTo: string

/** Report types that were tested, for the log. */
const walked: { type: string; version: string; rows: number; forms: number; cells: number }[] = []
const sixForms = exportFormats.length

async function start(version: string): Promise<void> {
  service = await startService({ seed: 'demo', now: clock.now })
  await service.order('POST', '/reports', { milliseconds: 0, fail: 0, cancel: 0, rowsPerFile: 0 })
  // Created by a user of the newest version.
  for (const type of typesOf(newest)) if (!typesOf(version).includes(type)) await makeElsewhere(type)
  saveTo = await mkdtemp(join(tmpdir(), 'flightplan-every-report-'))
  app = await launchApp({
    clock,
    service: service.sandbox,
    args: ['--save-to', saveTo],
    size: { width: 1440, height: 900 },
  })
  page = app.page
  building = new ReportBuilding(page)
  const status = page.getByRole('contentinfo').getByText(/No pending changes/)
  await status.waitFor()
  accountId = (await asking(page, 'account/list', {}))[0]!.id
  await asking(page, 'account/change', { accountId, versions: { trafficking: version } })
  await page.reload()
  await status.waitFor()
  await runCommand(page, 'Go to Reports')
}
async function makeElsewhere(type: string, client = service.client): Promise<void> {
  const { profileId = '' } = service.sandbox.ids
  const { body: found } = await service.client.call('trafficking.trackingConfigurations.list', { profileId })
  const block = {
    dateRange: { relativeDateRange: 'LAST_30_DAYS' },
    dimensions: [{ name: 'trafficking:campaign' }],
    metricNames: ['trafficking:totalConversions'],
    trackingConfigId: { dimensionName: 'trafficking:trackingConfigId', id: found.trackingConfigurations![0]!.id! },
  }
  const body = { name: `Elsewhere ${type}`, type, [reportTypes[type]!.block]: block }
  await client.call('trafficking.reports.insert', { profileId }, { body: body as Report })
}
async function end(): Promise<void> {
  await app.close()
  await service.stop()
}

/** The file's rows as the service wrote them, parsed independently of the app. */
async function keptRows(run: Run): Promise<{ head: string[]; rows: string[][] }> {
  const text = await readFile(join(app.userData, 'reports', accountId, run.id, `report.${run.format}`), 'utf8')
  const records: string[][] = parse(text, { bom: true, relax_column_count: true })
  const mark = records.findIndex((cells) => cells.length === 1 && cells[0] === 'Report Fields')
  const [head, ...rest] = records.slice(mark + 1)
  const last = rest.findIndex(([first]) => first === 'Grand Total:')
  return { head: head!, rows: last < 0 ? rest : rest.slice(0, last) }
}

const gaps = ['', '(not set)', '---']
/** A cell as a typed value: numbers as numbers, empty ones as null. */
function valueOf(cell: string, kind: CellKind): string | number | null {
  if (!isNumeric(kind)) return cell === '' || (kind !== 'text' && kind !== 'id' && gaps.includes(cell)) ? null : cell
  if (gaps.includes(cell)) return null
  return cell.endsWith('%') ? Number(cell.slice(0, -1)) / 100 : Number(cell)
}
/** The same for exported files: decimals as numbers, dates as text. */
function readAgain(cell: unknown, kind: CellKind): string | number | null {
  if (cell === null || cell === undefined || cell === '') return null
  if (cell instanceof Date) return cell.toISOString().slice(0, 10)
  return isNumeric(kind) ? Number(cell) : String(cell as string)
}
const near = (value: string | number | null): string | number | null =>
  typeof value === 'number' ? Number(value.toPrecision(12)) : value
/** Removes the formula guard, an apostrophe. */
const unguarded = (cell: string): string => cell.replace(/^'(?=['"\s]*[=+\-@])/, '')

/** Reads an export with an independent library. @returns the number of compared cells */
async function compare(path: string, format: ExportFormat, kept: string[][], columns: ColumnAbout[]): Promise<number> {
  const kinds = columns.map(({ kind }) => kind)
  const heads = columns.map(({ head }) => head)
  const wanted = kept.map((row) => row.map((cell, at) => near(valueOf(cell, kinds[at]!))))
  const again = (rows: readonly (readonly unknown[])[]): unknown =>
    rows.map((row) => kinds.map((kind, at) => near(readAgain(row[at], kind))))
  const cells = kept.length * heads.length
  switch (format) {
    case 'csv':
    case 'tsv': {
      const delimiter = format === 'csv' ? ',' : '\t'
      const [first, ...rows]: string[][] = parse(await readFile(path), { bom: true, delimiter })
      expect([first, rows.map((row) => row.map(unguarded))]).toEqual([heads, kept])
      return cells
    }
    case 'json': {
      const read = JSON.parse(await readFile(path, 'utf8')) as { columns: { name: string }[]; rows: unknown[][] }
      expect([read.columns.map(({ name }) => name), again(read.rows)]).toEqual([heads, wanted])
      return cells
    }
    case 'ndjson': {
      const lines = (await readFile(path, 'utf8')).split('\n').filter(Boolean)
      expect(again(lines.map((line) => Object.values(JSON.parse(line) as JsonObject)))).toEqual(wanted)
      return cells
    }
    case 'xlsx': {
      const book = await readWorkbook(await readFile(path))
      const [first, ...rows] = book.find(({ sheet }) => sheet === 'Data')!.data
      expect([first, again(rows)]).toEqual([heads, wanted])
      return cells
    }
    case 'pdf': {
      const rows = await tableRowsOf(path)
      expect(rows.length - kept.length).toBe(2)
      expect(rows[0]!.map((cell) => cell.replaceAll(/\s/g, ''))).toEqual(
        heads.map((head) => head.replaceAll(/\s/g, '')),
      )
      return 0
    }
  }
}

/** Opens a run's results in the grid, reads some rows, and writes them in all formats, one through the menu. */
async function walk(run: Run, version: string): Promise<void> {
  expect([run.state, run.words]).toEqual(['kept', expect.any(String)])
  const kept = await keptRows(run)
  expect(kept.rows).toHaveLength(run.rows!)
  await page.getByRole('radiogroup', { name: 'Report view' }).getByRole('radio', { name: 'Results' }).check()
  const grid = page.getByRole('grid')
  await grid.waitFor()
  const opened = await asking(page, 'results/open', { accountId, runId: run.id })
  expect(opened.rows).toBe(kept.rows.length)
  // A header line, a totals line, and the rows.
  await expect.poll(async () => Number(await grid.getAttribute('aria-rowcount'))).toBe(kept.rows.length + 2)
  for (const [at, row] of kept.rows.slice(0, 3).entries()) {
    const shown = await grid.locator(`[data-row="${at}"]`).innerText()
    const [text] = row.filter((cell, column) => opened.columns[column]!.kind === 'text' && !gaps.includes(cell))
    if (text !== undefined) expect(shown).toContain(text)
  }
  const byMenu = walked.length % sixForms
  const { view } = await asking(page, 'results/shape', {
    table: opened.table,
    shape: { filters: [], group: [], sort: [] },
  })
  let cells = 0
  for (const [at, format] of exportFormats.entries()) {
    const before = new Set(await readdir(saveTo))
    if (at === byMenu) {
      const words: Record<ExportFormat, string> = {
        csv: 'CSV (plain)…',
        tsv: 'Tab-separated…',
        xlsx: 'Workbook (.xlsx)…',
        json: 'JSON…',
        ndjson: 'JSON Lines…',
        pdf: 'PDF, A4…',
      }
      await page.getByRole('main').getByRole('button', { name: 'Export' }).click()
      await page.getByRole('menuitem', { name: words[format], exact: true }).click()
    } else await asking(page, 'results/export', { view, suggestedName: `${run.name} by asking`, format })
    const made = await vi.waitFor(
      async () => {
        const [name] = (await readdir(saveTo)).filter((one) => !before.has(one) && one.endsWith(`.${format}`))
        expect(name).toBeDefined()
        return name!
      },
      { timeout: 60_000, interval: 50 },
    )
    cells += await compare(join(saveTo, made), format, kept.rows, opened.columns)
  }
  await asking(page, 'results/close', { table: opened.table })
  walked.push({ type: run.type, version, rows: kept.rows.length, forms: sixForms, cells })
}

describe.each(drawn(versions, 1))('with API version %s', (version) => {
  beforeAll(() => start(version))
  afterAll(end)

  it.each(drawn(typesOf(version), 1))(
    'a report of type %s is built, run, read, and written in every format',
    async (type) => {
      const name = `Every ${type} ${version}`
      await building.begin(/^Blank report/)
      await building.name.fill(name)
      await building.build(type)
      await page.getByText('Ready to run').waitFor()
      await walk(await building.ranWithRows(name, type), version)
    },
  )

  const unknown = typesOf(newest).filter((type) => !typesOf(version).includes(type))
  it.skipIf(unknown.length === 0).each(drawn(unknown, 1))(
    "a report of type %s is rejected before it's sent",
    async (type) => {
      const { name: words } = reportTypes[type]!.words
      const { baseUrl, token } = service.sandbox
      const versions = { trafficking: version }
      const older = createClient({ baseUrl: () => baseUrl, token: () => token, fetch, now: clock.now, versions })
      await expect(makeElsewhere(type, older)).rejects.toMatchObject({ fault: { status: 400 } })
      const name = `Elsewhere ${type}`
      const listed = page
        .getByRole('list', { name: 'Reports' })
        .getByRole('button', { name: new RegExp(`^${name}\\b`) })
      await listed.click()
      await page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
      await page.getByRole('radiogroup', { name: 'Report view' }).getByRole('radio', { name: 'Definition' }).check()
      await page.getByText(`This account’s API version doesn’t support the type ${words}`).waitFor()
      await page.getByRole('combobox', { name: 'Report type' }).click()
      const offered = page.getByRole('combobox', { name: 'Report type' }).locator('xpath=..').getByRole('option')
      await expect.poll(() => offered.count()).toBe(typesOf(version).length)
      await page.keyboard.press('Escape')
    },
  )
})

describe('search', () => {
  beforeAll(() => start(newest))
  afterAll(end)

  it.each(drawn(Object.entries(searchTypes), 1))(
    'a report of type %s is built, run, read, and written',
    async (type, { name: words }) => {
      const name = `Every ${type}`
      await building.beginSearch(name, service.sandbox.ids['agencyId']!)
      await building.choose(page.getByRole('combobox', { name: 'Report type' }), new RegExp(`^${words}`))
      const free = page.locator('[aria-selected=false]:not([aria-disabled])')
      for (let more = 0; more < 4; more++) {
        await building
          .offered('Columns')
          .and(free)
          .nth(more * 2)
          .click()
        await building.chosen('Columns').nth(more).waitFor()
      }
      await page.getByText('Ready to run').waitFor()
      await walk(await building.ran(name), 'search')
    },
  )
})

afterAll(() => {
  console.table(walked)
})
