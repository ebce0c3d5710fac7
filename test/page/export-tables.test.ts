import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import readWorkbook from 'read-excel-file/node'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { folderForFile, serviceForFile } from '../helpers/for-file'
import { openApp, type AppPage } from '../helpers/app-page'
import { downloadAdvertiser, openSync } from '../helpers/campaign-download'
import { clockFromMoment } from '../helpers/moment'
import { runCommand } from '../helpers/page'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
const saveTo = folderForFile('flightplan-tables-')
let app: AppPage

beforeAll(async () => {
  const { baseUrl, token } = service.sandbox
  app = await openApp({ clock, service: { baseUrl, token }, args: ['--save-to', saveTo] })
  await app.page.getByRole('main').waitFor()
})
afterAll(() => app.close())
const written = (name: string): Promise<string> =>
  vi.waitFor(
    async () => {
      expect(await readdir(saveTo)).toContain(name)
      return join(saveTo, name)
    },
    { timeout: 60_000, interval: 50 },
  )

it('the campaigns grid exports as shown, with its filters', async () => {
  const { page } = app
  await openSync(page)
  await downloadAdvertiser(page)
  await page.keyboard.press('Control+3')
  await page.getByRole('main', { name: 'Campaigns' }).waitFor()
  const main = page.getByRole('main', { name: 'Campaigns' })
  const grid = main.getByRole('grid')
  await grid.getByRole('row').nth(3).waitFor()
  await vi.waitFor(
    async () => expect(Number((await grid.getAttribute('aria-rowcount')) ?? 0)).toBeGreaterThan(3),
    60_000,
  )
  const heads = (await grid.getByRole('columnheader').allInnerTexts()).map((text) => text.trim()).filter(Boolean)
  const rows = Number(await grid.getAttribute('aria-rowcount')) - 1
  const first = (await grid.locator('[aria-rowindex="2"]').innerText()).split('\n').map((text) => text.trim())
  await main.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'JSON…' }).click()
  const path = await written('Campaigns.json')
  const {
    columns,
    rows: cells,
    meta,
  } = JSON.parse(await readFile(path, 'utf8')) as {
    columns: { name: string }[]
    rows: (string | number | null)[][]
    meta: { about: { name: string; value: string }[] }
  }
  expect(columns.map(({ name }) => name).filter((name) => heads.includes(name)).length).toBeGreaterThan(2)
  expect(cells).toHaveLength(rows)
  expect(cells[0]!.some((cell) => first.includes(String(cell)))).toBe(true)
  expect(meta.about).toContainEqual({ name: 'Shown', value: 'not archived' })

  const search = main.getByRole('searchbox')
  await search.fill(String(cells[0]!.find((cell) => typeof cell === 'string' && /^[A-Z].{5,}/.test(cell))))
  await vi.waitFor(async () => expect(Number(await grid.getAttribute('aria-rowcount')) - 1).toBeLessThan(rows), 60_000)
  await main.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Workbook (.xlsx)…' }).click()
  await page
    .getByText(/\d+ of \d+ rows \(filtered\)/)
    .first()
    .waitFor()
  const book = await readWorkbook(await readFile(await written('Campaigns.xlsx')))
  const about = book.find(({ sheet }) => sheet === 'About')!.data.map(([name, value]) => [name, value])
  expect(about[1]).toEqual(['Rows', expect.stringMatching(/^\d+ of \d+ rows \(filtered\)$/)])
})

it('tasks and an agenda export in the chosen format', async () => {
  const { page } = app
  await page.keyboard.press('Control+2')
  await page.getByRole('main', { name: 'Tasks' }).waitFor()
  for (const [command, title, file] of [
    ['Export tasks…', 'Export tasks', /^tasks.*\.pdf$/],
    ['Export agenda…', 'Export agenda', /^.*\.csv$/],
  ] as const) {
    await runCommand(page, command)
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByRole('combobox', { name: 'Format' }).click()
    await page.getByRole('option', { name: file.source.includes('pdf') ? 'PDF, A4' : 'CSV (plain)' }).click()
    await dialog.getByRole('button', { name: 'Save…' }).click()
    await dialog.waitFor({ state: 'detached' })
    const name = (await readdir(saveTo)).find((one) => file.test(one))!
    const bytes = await readFile(join(saveTo, name))
    if (name.endsWith('.pdf')) expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    else expect((parse(bytes) as string[][])[0]!.slice(0, 2)).toEqual(['Date', 'Start'])
  }
})

/** Returns the words of each page of a document, as a reader finds them. */
async function wordsOf(path: string): Promise<string> {
  const read = await getDocument({ data: new Uint8Array(await readFile(path)), verbosity: 0 }).promise
  const pages: string[] = []
  for (let at = 1; at <= read.numPages; at++) {
    const { items } = await (await read.getPage(at)).getTextContent()
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' '))
  }
  return pages.join(' ').replace(/\s+/g, ' ')
}

it('each view prints its content without controls', async () => {
  const { page } = app
  const views: [key: string, main: string, holds: () => Promise<string>][] = [
    [
      'Control+1',
      'Calendar',
      async () => (await page.getByRole('main').getByRole('heading', { level: 1 }).innerText()).slice(0, 6),
    ],
    ['Control+2', 'Tasks', () => page.getByRole('main').getByRole('heading', { level: 1 }).innerText()],
    ['Control+6', 'Sync', () => page.getByRole('heading', { name: 'Campaign data' }).innerText()],
  ]
  for (const [keys, name, holds] of views) {
    await page.keyboard.press(keys)
    await page.getByRole('main', { name }).waitFor()
    const held = (await holds()).trim()
    const before = new Set(await readdir(saveTo))
    await page.keyboard.press('Control+p')
    const file = await vi.waitFor(
      async () => {
        const made = (await readdir(saveTo)).find((one) => !before.has(one) && one.endsWith('.pdf'))
        expect(made).toBeDefined()
        return made!
      },
      { timeout: 60_000, interval: 50 },
    )
    const words = await wordsOf(join(saveTo, file))
    expect(words).toContain(held.replace(/\s+/g, ' '))
    // View names appear only in the navigation rail, which isn't printed.
    expect(words).not.toContain('Campaigns Reports')
    expect(words).not.toMatch(/New event|Show sidebar/)
    // Sync shows each service's status. The status line, with the overall one, isn't printed.
    if (name !== 'Sync') expect(words).not.toContain('No pending changes')
    expect(await page.evaluate(() => matchMedia('print').matches)).toBe(false)
  }
})

it('a campaign list prints in full, including rows out of view', async () => {
  const { page } = app
  await page.keyboard.press('Control+3')
  const main = page.getByRole('main', { name: 'Campaigns' })
  await main.getByRole('searchbox').fill('')
  await main.getByRole('grid').getByRole('row').nth(3).waitFor()
  await main.getByRole('grid').focus()
  await page.keyboard.press('Control+p')
  const words = await wordsOf(await written('Campaigns.pdf'))
  const { rows } = JSON.parse(await readFile(join(saveTo, 'Campaigns.json'), 'utf8')) as { rows: (string | null)[][] }
  const ids = rows.map((row) => row.find((cell) => /^\d{6,}$/.test(String(cell)))).filter(Boolean)
  expect(ids.length).toBeGreaterThan(3)
  for (const id of ids) expect(words).toContain(id)
})

it('a calendar file is compared before its import says what it imports', async () => {
  const { page } = app
  await page.evaluate(() => {
    const said = ((globalThis as { said?: string[] }).said = [] as string[])
    const look = (): void => {
      const label = document.querySelector('.dialog button[type="submit"]')?.textContent.trim()
      if (label && said.at(-1) !== label) said.push(label)
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
    const event = ['BEGIN:VEVENT', 'UID:a', 'SUMMARY:Dropped', 'DTSTART;VALUE=DATE:20260611', 'END:VEVENT']
    const dataTransfer = new DataTransfer()
    const lines = ['BEGIN:VCALENDAR', ...event, 'END:VCALENDAR']
    dataTransfer.items.add(new File([lines.join('\r\n')], 'plans.ics'))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })
  const dialog = page.getByRole('dialog', { name: 'Import plans.ics' })
  const submit = dialog.getByRole('button', { name: 'Import 1 event' })
  await submit.waitFor()
  const said = await page.evaluate(() => (globalThis as { said?: string[] }).said)
  expect(said).toEqual(['Comparing…', 'Import 1 event'])
  await dialog.getByRole('checkbox', { name: 'Dropped' }).uncheck()
  await dialog.getByRole('button', { name: 'No events selected' }).waitFor()
  await dialog.getByRole('checkbox', { name: 'Dropped' }).check()
  await submit.waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})
