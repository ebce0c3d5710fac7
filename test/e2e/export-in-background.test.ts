import { readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { allColumns } from '../../src-renderer/views/campaigns/grid-columns'
import type { RunningApp } from '../helpers/app'
import { openManyPlacements, patienceFor, showPlacements, type ManyPlacements } from '../helpers/many-placements'
import { dismissMessages, messages, runCommand } from '../helpers/page'
import { answerQuestions, questions, type Asked } from '../helpers/questions'
import { cases } from '../helpers/ring'
import { asking } from '../helpers/sign-in'

/** Enough placements for other actions during the export. */
const scale = Number(process.env['FLIGHTPLAN_SCALE'] ?? cases(5, 10))
const patience = patienceFor(scale)
const shown = allColumns(factsOf().of('placements')).map(({ path }) => path)
let open: ManyPlacements
let app: RunningApp
let page: Page
let saveTo: string
/** The export without any other action. */
let undisturbed: Buffer

beforeAll(async () => {
  open = await openManyPlacements(scale, shown, { attended: true })
  ;({ app, page, saveTo } = open)
  await placements()
}, patience * 2)
afterAll(async () => {
  await app?.close()
  await open?.service.stop()
})

const press = (keys: string): Promise<void> => page.keyboard.press(keys)
const placements = (): Promise<void> => showPlacements(page)
const writers = (): Promise<number[]> =>
  app.electron.evaluate(({ app }) =>
    app.getAppMetrics().flatMap(({ name, pid }) => (name?.includes('Flightplan export') === true ? [pid] : [])),
  )
/** Starts an export to the emptied folder. */
async function ask(label: string): Promise<void> {
  // The last export's process ends on its own.
  await expect.poll(writers, { timeout: 30_000 }).toEqual([])
  for (const name of await readdir(saveTo)) await rm(join(saveTo, name))
  // Its message mustn't be taken for that of this one.
  await dismissMessages(page)
  await page.getByRole('main').getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: label }).click()
}
function goOn(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT')
  } catch {
    // The app has ended it.
  }
}
/** Starts an export whose writer waits during an action, however fast the machine is. */
async function during(label: string, work: () => Promise<unknown>): Promise<void> {
  await app.electron.evaluate(({ utilityProcess }) => {
    const { fork } = utilityProcess
    utilityProcess.fork = (file, args, options) => {
      const child = fork(file, args, options)
      if (options?.serviceName?.includes('Flightplan export') !== true) return child
      utilityProcess.fork = fork
      child.once('spawn', () => process.kill(child.pid!, 'SIGSTOP'))
      return child
    }
  })
  await ask(label)
  await expect.poll(writers, { timeout: 30_000 }).toHaveLength(1)
  const pids = await writers()
  try {
    await work()
  } finally {
    for (const pid of pids) goOn(pid)
  }
}
const saved = (name: string): Promise<void> =>
  messages(page)
    .getByText(new RegExp(`(^|: )Saved ${name.replace('.', '\\.')}, `))
    .waitFor({ timeout: patience })
const written = (name: string): Promise<Buffer> => readFile(join(saveTo, name))

it('all columns of a long list are exported', { timeout: patience }, async () => {
  await ask('CSV (plain)…')
  await saved('Placements.csv')
  undisturbed = await written('Placements.csv')
  const [heads, ...rows] = parse(undisturbed) as string[][]
  expect(heads).toHaveLength(shown.length)
  expect(rows.length).toBeGreaterThan(scale * 200)
})

it("navigating, sorting, and filtering during an export don't affect it", { timeout: patience }, async () => {
  await during('CSV (plain)…', async () => {
    await messages(page)
      .getByText(/^(Preparing|Saving) [\d,]+ of [\d,]+ rows/)
      .waitFor()
    await page.getByRole('searchbox', { name: 'Search in placements' }).fill('pre-roll')
    await runCommand(page, 'Campaigns: campaigns')
    await press('Control+1')
    await page.getByRole('main', { name: 'Calendar' }).waitFor()
  })
  await saved('Placements.csv')
  expect((await written('Placements.csv')).equals(undisturbed)).toBe(true)
  await placements()
})

it('an export includes a requested change before the window shows it', { timeout: patience }, async () => {
  const search = page.getByRole('searchbox', { name: 'Search in placements' })
  const menu = page.getByRole('main').getByRole('button', { name: 'Export' })
  await search.fill('pre-roll')
  // Before the rows are looked up.
  await menu.evaluate((button: HTMLElement) => button.click())
  await page.getByRole('menuitem', { name: 'JSON…' }).click()
  await saved('Placements.json')
  const { meta, rows } = JSON.parse((await written('Placements.json')).toString()) as {
    meta: { about: { name: string; value: string }[] }
    rows: string[][]
  }
  expect(meta.about).toContainEqual({ name: 'Search', value: 'pre-roll' })
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter((row) => !row.join(' ').toLowerCase().includes('pre-roll'))).toEqual([])
  await search.fill('')
})

it(
  'an export continues in another account, can be stopped there, and reports its result',
  { timeout: patience },
  async () => {
    await asking(page, 'account/add', { label: 'Agency', vocabulary: 'neutral', address: open.service.baseUrl })
    await placements()
    await during('CSV (plain)…', async () => {
      await press('Control+Alt+2')
      await page.getByRole('button', { name: /Agency.*accounts/s }).waitFor()
    })
    await saved('Placements.csv')
    expect((await written('Placements.csv')).equals(undisturbed)).toBe(true)
    await press('Control+Alt+1')
    await page.getByRole('button', { name: /Sample data.*accounts/s }).waitFor()
    await placements()
    await during('CSV for spreadsheets…', async () => {
      await press('Control+Alt+2')
      await page.getByRole('button', { name: /Agency.*accounts/s }).waitFor()
      await messages(page).getByRole('button', { name: 'Stop' }).click()
    })
    await messages(page).getByText('Stopped. Nothing was saved.').waitFor()
    await press('Control+Alt+1')
    await page.getByRole('button', { name: /Sample data.*accounts/s }).waitFor()
    await placements()
  },
)

it('reloading the window leaves no process and no partial file', { timeout: patience }, async () => {
  await during('Workbook (.xlsx)…', () => page.reload())
  await expect.poll(writers, { timeout: 30_000 }).toEqual([])
  await expect.poll(() => readdir(saveTo)).toEqual([])
})

it(
  'quitting during an export asks: staying continues it, and quitting leaves nothing',
  { timeout: patience },
  async () => {
    await page.getByRole('main').waitFor()
    await placements()
    await answerQuestions(app, 1)
    await during('CSV for spreadsheets…', async () => {
      await app.electron.evaluate(({ app }) => app.quit())
      await expect.poll(() => questions(app)).toHaveLength(1)
    })
    const [{ message, detail }] = (await questions(app)) as [Asked]
    expect([message, detail]).toEqual([
      'Exporting Placements.csv.',
      expect.stringMatching(/^Placements\.csv: (starting|[\d,]+ of [\d,]+ rows)\n\nIf you quit now/),
    ])
    await saved('Placements.csv')
    await answerQuestions(app, 0)
    const exited = new Promise((done) => app.electron.process().once('exit', done))
    await during('Workbook (.xlsx)…', async () => {
      const closed = page.waitForEvent('close')
      await app.electron.evaluate(({ app }) => app.quit()).catch(() => undefined)
      await closed
    })
    await exited
    expect(await readdir(saveTo)).toEqual([])
  },
)
