// Only in test:all: changes, checks, and posts 500 placements, which takes more than a minute.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#shared/json'
import { launchApp, type RunningApp } from '../helpers/app'
import { openSync, startDownload, untilDownloaded } from '../helpers/campaign-download'
import { clockFromMoment } from '../helpers/moment'
import { nothingPending, pasteText, runCommand, workOffline } from '../helpers/page'
import { startService, type TestService } from '../helpers/service'
import { busySince, watchThread, type Busy } from '../helpers/thread-watch'
import { minasProfile } from '../helpers/whole-account'

interface Placement {
  id: string
  name: string
  campaignId: string
  archived: boolean
  externalId: string
  pricingSchedule: { startDate: string; endDate: string; pricingPeriods: JsonObject[] }
}
interface Campaign {
  id: string
  endDate: string
}

const count = 500
const clock = clockFromMoment()
const today = new Date(clock.now()).toISOString().slice(0, 10)
const later = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

let app: RunningApp
let page: Page
let service: TestService
let profileId: string
let minas: string
/** Placements to shift, before the change, and what each becomes. */
let placements: Placement[]
const wanted = new Map<string, { startDate: string; endDate: string }>()
let campaigns: Campaign[]
/** What each step kept the window busy with. */
const figures: Record<string, Busy> = {}

beforeAll(async () => {
  service = await startService({ seed: 'demo', campaignScale: 4, now: clock.now })
  profileId = (await service.client.call('trafficking.userProfiles.list', {})).body.items![0]!.profileId!
  minas = await minasProfile(service)
  // Those that haven't started can be moved without changing what was delivered.
  placements = (await all<Placement>('placements'))
    .filter(({ archived, pricingSchedule }) => !archived && pricingSchedule.startDate > today)
    .slice(0, count)
  const own = new Set(placements.map(({ campaignId }) => campaignId))
  campaigns = (await all<Campaign>('campaigns')).filter(({ id }) => own.has(id))
  for (const { id, pricingSchedule } of placements)
    wanted.set(id, { startDate: later(pricingSchedule.startDate, 7), endDate: later(pricingSchedule.endDate, 7) })
  app = await launchApp({ clock, service: service.sandbox, size: { width: 1440, height: 900 } })
  page = app.page
  await openSync(page)
  await startDownload(page)
  await untilDownloaded(page, 120_000)
  await watchThread(page)
})
afterAll(async () => {
  await app?.close()
  await service?.stop()
})

async function all<T>(kind: 'placements' | 'campaigns'): Promise<T[]> {
  const found: T[] = []
  for (let pageToken: string | undefined; ;) {
    const params = { profileId, ...(pageToken !== undefined && { pageToken }) }
    const { body } = await service.client.call(`trafficking.${kind}.list`, params as never)
    const answer = body as unknown as Record<typeof kind, T[]> & { nextPageToken?: string }
    found.push(...answer[kind])
    pageToken = answer.nextPageToken === '' ? undefined : answer.nextPageToken
    if (pageToken === undefined) return found
  }
}

const grid = (): Locator => page.getByRole('grid')
const dialog = (): Locator => page.getByRole('dialog')
async function show(kind: string): Promise<void> {
  await runCommand(page, `Campaigns: ${kind}`)
  await grid().and(page.getByLabel(kind)).locator('.body [role=row]').first().waitFor()
}
/** Records how busy the window was during a step. */
async function noted(name: string, work: () => Promise<void>): Promise<void> {
  await busySince(page)
  await work()
  figures[name] = await busySince(page)
}
/** Pastes a sheet whose rows name their record, and imports it. */
async function pasteSheet(kind: string, rows: readonly (readonly string[])[]): Promise<void> {
  await show(kind)
  await grid().focus()
  await pasteText(page, rows.map((cells) => cells.join('\t')).join('\n'))
  await dialog()
    .getByRole('status')
    .getByText(`${(rows.length - 1).toLocaleString('en')} rows changed`, { exact: false })
    .waitFor()
  await dialog()
    .getByRole('button', { name: `Import ${rows.length - 1} rows` })
    .click()
  await dialog().waitFor({ state: 'detached' })
}
const findings = (): Locator => page.getByRole('region', { name: 'Findings' })
const postButton = (): Locator => dialog().getByRole('button', { name: `Post ${campaigns.length + count} drafts` })
const drafts = (): Locator => page.getByRole('region', { name: 'Drafts' })
const asMina = (id: string, patch: JsonObject): Promise<JsonObject> =>
  service.asMina('trafficking.placements.patch', { profileId: minas, id }, patch)
const logged = async (): Promise<number> => (await service.requests()).length

describe('a week later for 500 placements, offline', () => {
  /** Ten end three weeks after their campaign, and in ten more, start and end are swapped. */
  const faulty = 20

  it('is pasted as sheets with headers, in one step each', async () => {
    await workOffline(page)
    await noted('campaigns pasted', () =>
      pasteSheet('campaigns', [['End date', 'ID'], ...campaigns.map(({ id, endDate }) => [later(endDate, 7), id])]),
    )
    const rows = placements.map(({ id }, at) => {
      const { startDate, endDate } = wanted.get(id)!
      if (at < faulty / 2) return [id, later(endDate, 21), startDate]
      return at < faulty ? [id, startDate, endDate] : [id, endDate, startDate]
    })
    await noted('placements pasted', () => pasteSheet('placements', [['ID', 'End date', 'Start date'], ...rows]))
    await drafts()
      .getByText(`${campaigns.length + count} drafts`, { exact: true })
      .waitFor()
  })

  it('has every planted fault found by the check, and fixed through its offers', async () => {
    await noted('checked', async () => {
      await page.keyboard.press('F7')
      await findings().getByRole('button', { name: 'Check everything' }).waitFor()
      await findings().getByRole('status').getByText(`${faulty} errors`, { exact: false }).waitFor()
    })
    const half = faulty / 2
    await noted('fixed', async () => {
      await findings()
        .getByRole('button', { name: `Swap start and end: ${faulty} cells` })
        .click()
      await findings().getByRole('status').getByText(`${half} errors`, { exact: false }).waitFor()
      await findings()
        .getByRole('button', { name: `Shorten the flight: ${half} cells` })
        .click()
      // It names only what is left, such as warnings.
      await expect.poll(() => findings().getByRole('status').textContent()).not.toContain('error')
    })
  })

  it('is posted in the right order, with what someone else did merged or asked about', async () => {
    // Ten of them get another plan line, which merges, or another end, which doesn’t.
    const changed = placements.slice(100, 110)
    const [merging, asking] = [changed.slice(0, 5), changed.slice(5)]
    for (const { id } of merging) await asMina(id, { externalId: 'By Mina' })
    for (const [at, { id, pricingSchedule }] of asking.entries()) {
      // Two of them start later, too, which is another group of conflicts.
      const startDate = later(pricingSchedule.startDate, at < 2 ? 1 : 0)
      const endDate = later(pricingSchedule.endDate, -1)
      const pricingPeriods = pricingSchedule.pricingPeriods.map((period) => ({ ...period, startDate, endDate }))
      const schedule = { ...pricingSchedule, startDate, endDate, pricingPeriods }
      await asMina(id, { pricingSchedule: schedule as unknown as JsonObject })
    }
    const since = await logged()
    await workOffline(page)
    await noted('listed', async () => {
      await drafts().getByRole('button', { name: 'Post…' }).click()
      await postButton().waitFor()
    })
    await noted('confirmed', async () => {
      await postButton().click()
      await dialog().getByRole('progressbar', { name: 'Posting' }).waitFor()
    })
    await noted('posted', () => dialog().getByRole('button', { name: 'Done' }).waitFor({ timeout: 240_000 }))
    await dialog()
      .getByRole('region', { name: `${asking.length} changes failed` })
      .getByText('Someone else changed this, too')
      .waitFor()
    await dialog().getByRole('button', { name: 'Resolve in Sync' }).click()
    const card = page.getByRole('listitem', { name: 'All conflicts' })
    await noted('resolved', async () => {
      await card.getByText(`${asking.length} conflicts in 2 groups, ${asking.length} selected`).waitFor()
      await card.getByRole('button', { name: 'Keep mine for selected' }).click()
      await card.waitFor({ state: 'detached' })
      await nothingPending(page)
    })

    const calls = (await service.requests()).slice(since)
    const rejected = calls.filter(({ status }) => status >= 400)
    expect(rejected).toEqual([])
    const of = (operation: string): number => calls.filter((one) => one.operation === operation).length
    // Each record is written once, and campaigns before the flights that outgrew them.
    expect([of('trafficking.campaigns.patch'), of('trafficking.placements.patch')]).toEqual([campaigns.length, count])
    const order = calls.map(({ operation }) => operation)
    expect(order.lastIndexOf('trafficking.campaigns.patch')).toBeLessThan(order.indexOf('trafficking.placements.patch'))
    // The service has no etags, so records are read before they're written, 40 in a call, and its change log afterwards.
    const minimum = campaigns.length + count + Math.ceil(campaigns.length / 40) + Math.ceil(count / 40) + 1
    // Other lists catch up after the time offline, whatever is posted.
    const job = calls.filter(({ operation }) =>
      /^trafficking\.(campaigns|placements|placementGroups|changeLogs)\./.test(operation),
    )
    expect(job.length / minimum).toBeLessThan(1.05)
    const now = new Map((await all<Placement>('placements')).map((one) => [one.id, one]))
    const wrong = placements.filter(({ id }) => {
      const { startDate, endDate } = now.get(id)!.pricingSchedule
      return startDate !== wanted.get(id)!.startDate || endDate !== wanted.get(id)!.endDate
    })
    expect(wrong.map(({ id }) => [wanted.get(id), now.get(id)!.pricingSchedule])).toEqual([])
    expect(merging.map(({ id }) => now.get(id)!.externalId)).toEqual(merging.map(() => 'By Mina'))
  }, 400_000)

  afterAll(() =>
    console.log(
      Object.entries(figures)
        .map(([name, { longest, long, pause }]) => `${name}: longest ${longest} ms, ${long} long, pause ${pause} ms`)
        .join('\n'),
    ),
  )
})
