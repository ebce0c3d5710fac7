import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { appForFile, folderForFile, serviceForFile } from '../helpers/for-file'
import { violationsByTheme } from '../helpers/axe'
import { clockFromMoment } from '../helpers/moment'
import { holdAsks } from '../helpers/held-asks'
import { choose, messages, workOffline } from '../helpers/page'
import { asking } from '../helpers/sign-in'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
const { page } = appForFile(() => ({
  clock,
  service: service.sandbox,
  args: ['--save-to', saveTo],
  size: { width: 1440, height: 900 },
}))
const saveTo = folderForFile('flightplan-search-out-')

const part = async (name: string): Promise<void> => {
  await page.getByRole('radiogroup', { name: 'Search ads view' }).getByRole('radio', { name }).check()
}
const account = (name: string | RegExp): Locator =>
  page.getByRole('list', { name: 'Accounts' }).getByRole('button', { name })
const rows = (): Promise<string> => page.getByRole('grid').getAttribute('aria-rowcount') as Promise<string>
const day = (ago: number): number =>
  Number(new Date(clock.now() - ago * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''))

/** An activity of the advertiser that isn't downloaded. */
async function activityId(): Promise<string> {
  const { profileId, advertiserId } = service.sandbox.ids
  const answer = await service.client.call(
    'trafficking.trackingActivities.list' as never,
    { profileId, advertiserId } as never,
  )
  return (answer.body as { trackingActivities: { id: string }[] }).trackingActivities[0]!.id
}
async function nameActivity(field: Locator): Promise<void> {
  await field.click()
  await field.fill(await activityId())
  await field.press('Enter')
}

const isFocused = (one: Locator): Promise<boolean> => one.evaluate((element) => element === document.activeElement)
const description = (one: Locator): Promise<string | undefined> =>
  one.evaluate((element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent)

const isClean = async (within: Locator = page.getByRole('main')): Promise<void> =>
  expect(await violationsByTheme(page, { within })).toEqual([])

it('finds the accounts of an agency and keeps them', async () => {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Search ads' }).click()
  await page.getByRole('main', { name: 'Search ads' }).waitFor()
  await page.getByText(/^No accounts yet/).waitFor()
  await isClean()
  // Sample data has an agency whose ID no other place shows.
  const sample = page.getByRole('button', { name: 'Use the sample agency' })
  await sample.focus()
  await page.keyboard.press('Control+a')
  expect(await page.evaluate(() => String(getSelection()))).toBe('')
  await page.getByRole('textbox', { name: 'Agency ID' }).fill(service.sandbox.ids['agencyId']!)
  await page.getByRole('button', { name: 'Find accounts' }).click()
  const table = page.getByRole('region', { name: 'Engine accounts' })
  await table.getByText(service.sandbox.ids['engineAccountId']!, { exact: true }).waitFor()
  expect(await service.calls('search.reports.generate')).toBe(1)
  await sample.waitFor({ state: 'detached' })
  await isClean()
  const row = table.getByRole('row').filter({ hasText: service.sandbox.ids['engineAccountId']! })
  await row.getByRole('button').first().click()
  await page.getByRole('heading', { level: 1, name: /engine account$/ }).waitFor()
})

it('downloads the saved columns of an advertiser', async () => {
  await part('Saved columns')
  await page.getByRole('list', { name: 'Saved columns' }).getByText('Conversion rate', { exact: true }).waitFor()
  expect(await service.calls('search.savedColumns.list')).toBe(1)
  await isClean()
})

it('names the days of conversions, and reads a date without a year as past', async () => {
  await part('Conversions')
  const range = page.getByRole('combobox', { name: 'Date range' })
  await expect.poll(() => range.inputValue()).toBe('Last 30 days')
  const [, date, month, year] = new Date(clock.now() - 40 * 86_400_000).toUTCString().split(' ')
  const first = page.getByRole('textbox', { name: 'First day' })
  await first.fill(`${Number(date)} ${month}`)
  await first.press('Enter')
  await expect.poll(() => range.inputValue()).toBe('Custom dates')
  await expect.poll(() => first.inputValue()).toMatch(new RegExp(`^\\w{3} ${Number(date)} ${month}( ${year})?$`))
  await choose(range, /^Last 30 days/)
})

it('loads conversions by account and customer, exports them, and shows them offline', async () => {
  await part('Conversions')
  await page.getByText('No conversions downloaded').waitFor()
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await page.getByRole('grid', { name: /^Conversions of/ }).waitFor()
  const { engineAccountId = '', advertiserId = '', agencyId = '', customerId = '' } = service.sandbox.ids
  const said = await service.client.call('search.conversion.get', {
    ...{ agencyId, advertiserId, engineAccountId },
    startDate: day(30),
    endDate: day(1),
    rowCount: 1_000,
    startRow: 0,
  })
  const count = said.body.conversion!.length
  expect(count).toBeGreaterThan(10)
  await page.getByText(`${count} conversions, downloaded`).waitFor()
  await page.locator('[aria-sort=descending]').getByText('Time (UTC)').waitFor()
  await page
    .getByRole('gridcell', { name: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/ })
    .first()
    .waitFor()
  await isClean()

  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'CSV (plain)…' }).click()
  // A file has another name while it's being written.
  const files = async (): Promise<string[]> => (await readdir(saveTo)).filter((name) => !name.endsWith('.part'))
  await expect.poll(files).toHaveLength(1)
  const text = await readFile(join(saveTo, (await files())[0]!), 'utf8')
  for (const { conversionId } of said.body.conversion!.slice(0, 5)) expect(text).toContain(conversionId)

  await page.getByRole('radiogroup', { name: 'Scope' }).getByRole('radio', { name: 'Customer ID' }).check()
  await page.getByRole('textbox', { name: 'Customer ID' }).fill(customerId)
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await page.getByRole('grid', { name: `Conversions of ${customerId}` }).waitFor()
  await page.getByText(`${count} conversions, downloaded`).waitFor()
  expect(await service.calls('search.conversion.getByCustomerId')).toBe(1)

  // What was asked for is there again after another part was shown.
  await part('Accounts')
  await part('Conversions')
  await page.getByRole('grid', { name: `Conversions of ${customerId}` }).waitFor()

  await workOffline(page)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('alert').getByText('You’re offline').waitFor()
  await page.getByRole('grid', { name: `Conversions of ${customerId}` }).waitFor()
  await isClean()
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
})

it('sends a conversion created offline exactly once and lets you edit it', async () => {
  // However narrow the window is, the button is in line with those beside it.
  const middle = async (name: string): Promise<number> => {
    const { y, height } = (await page.getByRole('button', { name }).boundingBox())!
    return y + height / 2
  }
  for (const width of [1440, 1380, 1280, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await middle('New conversion…'), `at ${width}`).toBeCloseTo(await middle('Recent activity'), 0)
  }
  await page.getByRole('button', { name: 'New conversion…' }).click()
  const form = page.getByRole('dialog', { name: 'New offline conversion' })
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await form.getByText('Choose an activity').waitFor()
  await expect.poll(() => isFocused(form.getByRole('combobox', { name: 'Activity' }))).toBe(true)
  await isClean(form)
  await nameActivity(form.getByRole('combobox', { name: 'Activity' }))
  await choose(form.getByRole('combobox', { name: 'Type' }), 'Transaction, with revenue')
  await form.getByRole('textbox', { name: 'Revenue' }).fill('12.50')
  await form.getByRole('textbox', { name: 'Currency' }).fill('eur')
  const id = await form.getByRole('textbox', { name: 'Conversion ID' }).inputValue()
  await form.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('1 pending conversion').waitFor()
  expect(await service.calls('search.conversion.insert')).toBe(0)
  await service.fail('search.conversion.insert', { drop: 'after' })
  await workOffline(page)
  const accountId = (await asking(page, 'account/list', {}))[0]!.id
  await expect.poll(() => service.calls('search.conversion.insert')).toBeGreaterThan(0)
  await asking(page, 'search/send-waiting', { accountId })
  await page.getByRole('button', { name: 'Recent activity' }).click()
  const receipts = page.getByRole('dialog', { name: 'Recent activity' })
  await receipts.getByText(`New conversion ${id}`).waitFor()
  await receipts.getByText('Accepted in an earlier attempt').waitFor()
  await isClean(receipts)
  await receipts.getByRole('button', { name: 'Close' }).last().click()

  const { customerId = '' } = service.sandbox.ids
  const found = async (): Promise<{ conversionId?: string; revenueMicros?: string }[]> =>
    (
      await service.client.call('search.conversion.getByCustomerId', {
        customerId,
        startDate: day(1),
        endDate: day(-1),
        rowCount: 1_000,
        startRow: 0,
      })
    ).body.conversion!.filter(({ conversionId }) => conversionId === id)
  expect(await found()).toMatchObject([{ revenueMicros: '12500000' }])

  const days = page.getByRole('combobox', { name: 'Date range' })
  await days.click()
  await days
    .locator('xpath=..')
    .getByRole('option', { name: /^Today/ })
    .click()
  await page
    .getByRole('button', { name: /^(Download|Refresh)$/ })
    .first()
    .click()
  const grid = page.getByRole('grid', { name: /^Conversions of/ })
  await grid.getByText(id).first().click()
  await page.keyboard.press('Enter')
  const change = page.getByRole('dialog', { name: 'Edit conversion' })
  await change.getByRole('textbox', { name: 'Revenue' }).fill('20')
  await change.getByRole('button', { name: 'Send change' }).click()
  await expect.poll(async () => (await found())[0]?.revenueMicros).toBe('20000000')
  // The service has it shortly before the app has read the response.
  const sent = async (): Promise<string[]> =>
    (await asking(page, 'search/sendings', { accountId })).sendings.map(({ kind, state }) => `${kind} ${state}`)
  await expect.poll(sent).toEqual(['update sent', 'insert sent'])

  // Someone else changes it while this user still sees the old value.
  const { body } = (await asking(page, 'search/sendings', { accountId })).sendings.find(
    ({ kind }) => kind === 'update',
  )!
  const conversion = [{ ...body, revenueMicros: '30000000' }]
  await service.client.call('search.conversion.update', {}, { body: { conversion } as never })
  await grid.getByText(id).first().click()
  await page.keyboard.press('Enter')
  await change.getByRole('textbox', { name: 'Revenue' }).fill('25')
  await change.getByRole('button', { name: 'Send change' }).click()
  await expect.poll(sent).toEqual(['update refused', 'update sent', 'insert sent'])
  expect((await found())[0]?.revenueMicros).toBe('30000000')
  await page.getByRole('button', { name: 'Recent activity' }).click()
  const asked = receipts.getByRole('listitem').filter({ hasText: 'Someone else changed this conversion' })
  await asked.getByText(/Revenue was .* and is now 30 \(your change: 25\)/).waitFor()
  await isClean(receipts)
  await asked.getByRole('button', { name: 'Send my change anyway' }).press('Enter')
  await expect.poll(async () => (await found())[0]?.revenueMicros).toBe('25000000')
  await expect.poll(sent).toEqual(['update sent', 'update sent', 'insert sent'])
  await receipts.getByRole('button', { name: 'Close' }).last().click()
})

it('shows until when conversions are final, once checked', async () => {
  await part('Availability')
  const activity = page.getByRole('combobox', { name: 'Activity' })
  await page.getByRole('button', { name: 'Set…' }).press('Enter')
  await expect.poll(() => isFocused(activity)).toBe(true)
  expect(await description(activity)).toBe('Choose an activity')
  await choose(page.getByRole('combobox', { name: 'Activity' }), await activityId())
  await page.getByRole('button', { name: 'Set…' }).click()
  const sure = page.getByRole('dialog', { name: 'Set availability?' })
  expect(await service.calls('search.conversion.updateAvailability')).toBe(0)
  await sure.getByRole('button', { name: 'Set availability' }).click()
  await page.getByRole('list', { name: 'Availability updates sent' }).getByText('Sent', { exact: true }).waitFor()
  expect(await service.calls('search.conversion.updateAvailability')).toBe(1)
  await isClean()
})

it("marks a campaign in the ID mapping that isn't downloaded", async () => {
  await part('ID mapping')
  await page.getByRole('button', { name: 'Download ID mapping' }).press('Enter')
  const grid = page.getByRole('grid', { name: /^ID mapping of/ })
  await grid.waitFor()
  const refresh = page.getByRole('button', { name: 'Refresh' })
  await expect.poll(() => isFocused(refresh)).toBe(true)
  const release = await holdAsks(page, 'search/fetch-mapping')
  await refresh.press('Enter')
  const stop = page.getByRole('button', { name: 'Stop' })
  await stop.waitFor()
  expect(await isFocused(refresh)).toBe(true)
  await release()
  await stop.waitFor({ state: 'detached' })
  expect(await isFocused(refresh)).toBe(true)
  await grid.waitFor()
  expect(Number(await rows())).toBeGreaterThan(10)
  await isClean()
  await grid.getByText('Campaign', { exact: true }).first().click()
  await page.keyboard.press('Enter')
  await messages(page)
    .getByText(/ isn’t downloaded$/)
    .waitFor()
})

it('works entirely by keyboard', async () => {
  await page.keyboard.press('Control+5')
  await page.getByRole('main', { name: 'Search ads' }).waitFor()
  for (const [key, name] of [
    ['1', 'Accounts'],
    ['2', 'Saved columns'],
    ['4', 'Availability'],
    ['5', 'ID mapping'],
    ['3', 'Conversions'],
  ] as const) {
    await page.keyboard.press(key)
    await page.getByRole('radio', { name, checked: true }).waitFor()
  }
  await page.keyboard.press('f')
  await page.getByRole('searchbox', { name: 'Find an account' }).fill('engine')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: /engine account$/ }).waitFor()
  await account(/engine account/)
    .and(page.locator('[aria-current=true]'))
    .waitFor()
})

it('explains a rejection and how to fix it', async () => {
  const tries = [
    [{ status: 403, reason: 'forbidden' }, 'No access'],
    [{ status: 404, reason: 'notFound' }, 'Not found'],
    [{ status: 429, reason: 'rateLimitExceeded' }, 'Too many requests'],
  ] as const
  for (const [trouble, words] of tries) {
    await service.order('POST', '/trouble', { operation: 'search.', count: 9, ...trouble })
    await page
      .getByRole('button', { name: /^(Download|Refresh)$/ })
      .first()
      .click()
    await page.getByRole('alert').getByText(words).waitFor()
    await service.order('DELETE', '/trouble')
    await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
  }
})

it('keeps the focus in the list when an account is removed', async () => {
  await page.keyboard.press('1')
  const form = page.getByRole('region', { name: 'Find accounts' })
  const remove = page.getByRole('button', { name: /^Remove .+ from the list$/ })
  const focused = (): Promise<string | null> =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement!.id)
  await page.getByRole('searchbox', { name: 'Find an account' }).fill('')
  await account(/, Agency$/).click()
  await remove.first().waitFor()
  for (let left = await remove.count(); left > 0; left--) {
    const next = left > 1 ? await remove.nth(1).getAttribute('aria-label') : null
    await remove.first().press('Enter')
    await expect.poll(() => remove.count()).toBe(left - 1)
    if (next !== null) await expect.poll(focused).toBe(next)
  }
  const field = form.getByRole('textbox', { name: 'Agency ID' })
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
})
