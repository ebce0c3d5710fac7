import { mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { folderForFile, serviceForFile } from '../helpers/for-file'
import { openApp, type AppPage } from '../helpers/app-page'
import { violationsByTheme } from '../helpers/axe'
import { clockFromMoment } from '../helpers/moment'
import { nothingPending, runCommand, workOffline } from '../helpers/page'
import { asking } from '../helpers/sign-in'

// Conversions as spreadsheet rows, by keyboard: pasted, fixed, sent, rejected, and resumed.

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
let app: AppPage
let page: Page
const saveTo = folderForFile('flightplan-rows-')
let file: string
let activityId: string

beforeAll(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'flightplan-rows-in-')), 'orders of May.csv')
  app = await openApp({
    clock,
    service: service.sandbox,
    args: ['--save-to', saveTo, '--open-file', file],
    size: { width: 1280, height: 800 },
  })
  page = app.page
  await nothingPending(page)
  const { profileId, advertiserId } = service.sandbox.ids as Record<string, string>
  const { body } = await service.client.call('trafficking.trackingActivities.list', {
    profileId: profileId!,
    advertiserId: advertiserId!,
  })
  activityId = body.trackingActivities![0]!.id!
})
afterAll(() => app.close())

const press = (...keys: string[]): Promise<void> =>
  keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve())
const inserts = async (): Promise<number> =>
  (await service.requests()).filter((one) => one.operation === 'search.conversion.insert').length
const ago = (minutes: number): string => `${new Date(clock.now() - minutes * 60_000).toISOString().slice(0, 19)}Z`
const isClean = async (within: Locator = page.getByRole('main')): Promise<void> =>
  expect(await violationsByTheme(page, { within })).toEqual([])
/** Conversions on the service whose IDs have this prefix, with their revenue. */
async function there(begins: string): Promise<[string, string | undefined][]> {
  const { agencyId = '', advertiserId = '', engineAccountId = '' } = service.sandbox.ids as Record<string, string>
  const day = (at: number): number => Number(new Date(at).toISOString().slice(0, 10).replaceAll('-', ''))
  const { body } = await service.client.call('search.conversion.get', {
    ...{ agencyId, advertiserId, engineAccountId },
    startDate: day(clock.now() - 2 * 86_400_000),
    endDate: day(clock.now() + 86_400_000),
    rowCount: 1_000,
    startRow: 0,
  })
  return (body.conversion ?? []).flatMap(({ conversionId = '', revenueMicros }) =>
    conversionId.startsWith(begins) ? [[conversionId, revenueMicros] as [string, string | undefined]] : [],
  )
}

/** Opens the engine account's conversions by keyboard. */
async function toConversions(): Promise<void> {
  await press('Control+5')
  await page.getByRole('main', { name: 'Search ads' }).waitFor()
  await press('f')
  await page.getByRole('searchbox', { name: 'Find an account' }).fill(service.sandbox.ids['engineAccountId']!)
  await page
    .getByRole('list', { name: 'Accounts' })
    .getByRole('button', { name: /, Engine account$/ })
    .waitFor()
  await press('ArrowDown', 'Enter')
  await page.getByRole('heading', { level: 1, name: /engine account$/ }).waitFor()
  await press('3')
  await page.getByRole('radio', { name: 'Conversions', checked: true }).waitFor()
}

it('pasted rows are validated, and bad ones can be fixed and sent', async () => {
  const [account] = await asking(page, 'account/list', {})
  await asking(page, 'search/find-accounts', { accountId: account!.id, agencyId: service.sandbox.ids['agencyId']! })
  await toConversions()

  await runCommand(page, 'Paste conversions')
  const dialog = page.getByRole('dialog', { name: 'Paste conversions' })
  await dialog.waitFor()
  await page.keyboard.insertText('2026-01-01,17,EUR\n2026-01-02,18,EUR')
  await press('Tab', 'Tab', 'Tab', 'Enter')
  await dialog.getByText(/first row doesn’t contain column names/).waitFor()
  await isClean(dialog)
  await expect
    .poll(() => dialog.getByRole('textbox', { name: 'Rows' }).evaluate((one) => one === document.activeElement))
    .toBe(true)
  await press('Control+a')
  const lines = [
    ['Time', 'Conversion ID', 'Activity ID', 'Revenue', 'Currency', 'Shoe size'],
    [ago(10), 'row-1', activityId, '12.50', 'EUR', '41'],
    [ago(11), 'row-2', activityId, '7', 'Euro', '42'],
    [ago(12), 'row-3', '1', '', '', '43'],
    ['yesterday', 'row-4', activityId, '', '', '44'],
  ]
  await page.keyboard.insertText(lines.map((cells) => cells.join('\t')).join('\n'))
  await press('Tab', 'Tab', 'Tab', 'Enter')
  const grid = page.getByRole('grid', { name: 'Rows of Pasted rows' })
  await grid.waitFor()
  await expect.poll(() => grid.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.getByText('Skipped 1 column: unknown “Shoe size”').waitFor()
  await grid.getByText('Currency: Enter three letters, such as EUR').waitFor()
  await grid.getByText('Time: Enter a time such as 2026-06-10 12:34').waitFor()
  await isClean()

  await press('Control+Enter')
  await grid.getByText('The advertiser has no such activity.').waitFor()
  await grid.getByText('Accepted').waitFor()
  expect(await there('row-')).toEqual([['row-1', '12500000']])
  expect(await inserts()).toBe(1)
  await isClean()

  // The second row's currency.
  await press('Home', 'ArrowDown', 'Enter')
  const row = page.getByRole('dialog', { name: 'Row 3' })
  await row.getByText('Enter three letters, such as EUR').waitFor()
  await isClean(row)
  await press('Tab', 'Tab', 'Tab', 'Tab', 'Control+a')
  await page.keyboard.type('EUR')
  await press('Enter')
  await row.waitFor({ state: 'detached' })
  // The third row, which the service rejected: its activity.
  await press('ArrowDown', 'Enter')
  await page.getByRole('dialog', { name: 'Row 4' }).getByText('The advertiser has no such activity.').waitFor()
  await press('Tab', 'Tab', 'Control+a')
  await page.keyboard.type(activityId)
  await press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await press('Control+Enter')
  await expect.poll(() => there('row-')).toHaveLength(3)
  await page.getByRole('radio', { name: 'Sent 3' }).waitFor()
  expect(await inserts()).toBe(2)

  await runCommand(page, 'Export unsent rows')
  // A file has another name while it's being written.
  const files = async (): Promise<string[]> => (await readdir(saveTo)).filter((name) => name.endsWith('.csv'))
  await expect.poll(files).toHaveLength(1)
  const left: string[][] = parse(await readFile(join(saveTo, (await files())[0]!)), { bom: true })
  expect(left).toEqual([
    [...lines[0]!, 'Problem'],
    [...lines[4]!, 'Time: Enter a time such as 2026-06-10 12:34'],
  ])
})

it('rows from a file wait offline, survive a restart, and are sent once', async () => {
  await writeFile(
    file,
    `\ufeffTime,Activity ID,Conversion ID\r\n${[1, 2, 3].map((at) => `${ago(20 + at)},${activityId},file-${at}\r\n`).join('')}`,
  )
  await workOffline(page)
  await runCommand(page, 'Back to conversions')
  await runCommand(page, 'Import conversions')
  const grid = page.getByRole('grid', { name: 'Rows of orders of May' })
  await grid.waitFor()
  await press('Control+Enter')
  await page.getByText('3 pending rows').waitFor()
  await isClean()
  await page.reload()
  await page.getByRole('main').waitFor()
  const accountId = (await asking(page, 'account/list', {}))[0]!.id
  expect(
    (await asking(page, 'search/batches', { accountId })).batches.map(({ name, waiting }) => [name, waiting]),
  ).toEqual([
    ['orders of May', 3],
    ['Pasted rows', 0],
  ])
  await service.fail('search.conversion.insert', { drop: 'after' })
  await workOffline(page)
  await expect.poll(() => there('file-')).toHaveLength(3)
  await asking(page, 'search/send-waiting', { accountId })
  await expect
    .poll(async () => (await asking(page, 'search/batches', { accountId })).batches[0])
    .toMatchObject({ sent: 3, waiting: 0, refused: 0 })
  expect((await there('file-')).map(([id]) => id).sort()).toEqual(['file-1', 'file-2', 'file-3'])
})

it('rows pasted twice both appear in the menu, and a failed clipboard copy is reported', async () => {
  await toConversions()
  const grid = page.getByRole('grid', { name: 'Rows of Pasted rows' })
  for (const id of ['twice-a', 'twice-b']) {
    await runCommand(page, 'Paste conversions')
    await page.getByRole('dialog', { name: 'Paste conversions' }).waitFor()
    await page.keyboard.insertText(`Time,Activity ID,Conversion ID\n${ago(50)},${activityId},${id}`)
    await press('Tab', 'Tab', 'Tab', 'Enter')
    await grid.getByText(id).waitFor()
    await runCommand(page, 'Back to conversions')
    await grid.waitFor({ state: 'detached' })
  }
  const open = async (name: RegExp, id: string): Promise<void> => {
    await page.getByRole('button', { name: 'Import conversions' }).click()
    await page.getByRole('menuitem', { name }).click()
    await grid.getByText(id).waitFor()
  }
  await open(/^Pasted rows: 1 row, [^()]+$/, 'twice-b')
  await runCommand(page, 'Back to conversions')
  await open(/^Pasted rows: 1 row, [^()]+ \(2\)$/, 'twice-a')

  await app.refusePermissions()
  await page.getByRole('button', { name: 'More row actions' }).click()
  await page.getByRole('menuitem', { name: 'Copy unsent rows (1)' }).click()
  await page.getByText('Couldn’t copy the rows. Export them to a file instead.').first().waitFor()
})
