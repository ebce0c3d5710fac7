import type { Locator } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { appForFile, serviceForFile } from '../helpers/for-file'
import { violationsByTheme } from '../helpers/axe'
import { openSync, startDownload, untilDownloaded } from '../helpers/campaign-download'
import { clockFromMoment } from '../helpers/moment'
import { atRest, dismissMessages, messages, nothingPending, pasteText, runCommand, workOffline } from '../helpers/page'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
const { page } = appForFile(() => ({ clock, service: service.sandbox, size: { width: 1440, height: 900 } }))
let placement: { id: string; name: string }

beforeAll(async () => {
  await openSync(page)
  await startDownload(page)
  await untilDownloaded(page, 120_000)
  await runCommand(page, 'Campaigns: placements')
  await rows().first().waitFor()
})

const grid = (): Locator => page.getByRole('grid')
const rows = (): Locator => grid().locator('.body').getByRole('row')
const record = (): Locator => page.getByRole('complementary', { name: 'Record' })
const fresh = (): Locator => page.getByRole('button', { name: /^Placements updated/ })
const lines = (): Locator => record().getByRole('list', { name: 'History' }).getByRole('listitem')

const passesAxe = async (within?: Locator): Promise<void> =>
  expect(await violationsByTheme(page, { within })).toEqual([])

/** Changes a placement, by default the first one of the list, as another user. */
async function asMina(patch: Record<string, string>, id = placement.id): Promise<void> {
  const answer = await service.asMina('trafficking.userProfiles.list', {})
  const { items } = (answer['body'] ?? answer) as { items: { profileId: string }[] }
  await service.asMina('trafficking.placements.patch', { profileId: items[0]!.profileId, id }, patch)
}

it('shows the age of each record type, by mouse and keyboard', async () => {
  await fresh().click()
  const panel = page.getByRole('dialog', { name: 'Last updated' })
  await panel
    .getByRole('listitem')
    .filter({ hasText: /^Placements\s+[\d,]+\s+updated/ })
    .waitFor()
  await passesAxe(panel)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await runCommand(page, 'Last updated')
  await panel.waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

it('loads changes by others and shows who changed how much', async () => {
  await grid().focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Space')
  const name = (await record().getByRole('heading', { level: 3 }).textContent())!.trim()
  const { body } = await service.client.call('trafficking.userProfiles.list', {})
  const { profileId } = body.items![0]!
  const found = await service.client.call('trafficking.placements.list', {
    profileId: profileId!,
    searchString: name,
  } as never)
  const { placements } = found.body as unknown as { placements: { id: string; name: string }[] }
  placement = placements.find((one) => one.name === name)!
  await asMina({ comment: 'Mina looked at it' })
  await fresh().click()
  await page.getByRole('button', { name: 'Get recent changes' }).click()
  const toast = page.getByText(/1 new change to 1 record by /)
  await toast.first().waitFor()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByRole('grid', { name: 'Recent changes' }).waitFor()
  await rows().filter({ hasText: 'Mina looked at it' }).first().waitFor()
  await page.keyboard.press('Alt+ArrowLeft')
  await page.getByRole('grid', { name: 'Placements' }).waitFor()
})

it("shows in a record who changed what, and what's pending", async () => {
  await record().getByText('History', { exact: true }).click()
  await lines().filter({ hasText: 'Mina looked at it' }).waitFor()
  await passesAxe(record())
  await record().getByLabel('Comment', { exact: true }).fill('What I think')
  await page.keyboard.press('Tab')
  await lines().filter({ hasText: 'draft' }).waitFor()
  await asMina({ comment: 'Mina was faster' })
  await page.getByRole('region', { name: 'Drafts' }).getByRole('button', { name: 'Post…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('button', { name: /^Post \d/ })
    .first()
    .click()
  await dialog
    .getByText(/needs? attention/)
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  await record().locator('.actions').getByRole('button', { name: 'Resolve in Sync' }).waitFor()
  await lines().getByRole('button', { name: 'Resolve in Sync' }).click()
  await page.locator('[data-entry]').filter({ hasText: 'faster' }).waitFor()
})

/** Imports a pasted sheet whose rows name their record. */
async function importRows(rows: readonly (readonly string[])[]): Promise<void> {
  await runCommand(page, 'Campaigns: placements')
  const sheet = page.getByRole('grid', { name: 'Placements' })
  await sheet.locator('.body').getByRole('row').first().waitFor()
  await sheet.focus()
  await pasteText(page, rows.map((cells) => cells.join('\t')).join('\n'))
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Import \d/ })
    .click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}
const drafts = (): Locator => page.getByRole('region', { name: 'Drafts' })
async function post(): Promise<void> {
  await drafts().getByRole('button', { name: 'Post…' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Post \d/ })
    .click()
}
async function ownProfile(): Promise<string> {
  const { body } = await service.client.call('trafficking.userProfiles.list', {})
  return body.items![0]!.profileId!
}
/** Other placements that a campaign still has. */
async function others(): Promise<{ id: string; name: string }[]> {
  const found = await service.client.call('trafficking.placements.list', { profileId: await ownProfile() } as never)
  const { placements } = found.body as unknown as { placements: { id: string; name: string; archived: boolean }[] }
  return placements.filter(({ id, archived }) => id !== placement.id && !archived)
}

it('a conflict that arrives while people look at others like it is new, and isn’t resolved with them', async () => {
  const [second, third] = await others()
  await asMina({ comment: 'Mina, second' }, second!.id)
  await importRows([
    ['ID', 'Comment'],
    [second!.id, 'Mine, second'],
  ])
  await asMina({ comment: 'Mina, once more' }, second!.id)
  await post()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Resolve in Sync' }).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await workOffline(page)
  await importRows([
    ['ID', 'Comment'],
    [third!.id, 'Mine, third'],
  ])
  await asMina({ comment: 'Mina, third' }, third!.id)
  await post()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await openSync(page)
  const group = page.getByRole('listitem', { name: '2 placements in conflict: comment' })
  const grown = page.getByRole('listitem', { name: '3 placements in conflict: comment' })
  const tick = (name: string): Locator => group.or(grown).getByRole('checkbox', { name: `Select ${name}` })
  await group.waitFor()
  await expect.poll(() => tick(second!.name).isChecked()).toBe(true)
  await workOffline(page)
  await grown.waitFor()
  await grown.getByRole('row').filter({ hasText: third!.name }).getByText('New', { exact: true }).waitFor()
  await expect.poll(() => tick(second!.name).isChecked()).toBe(true)
  await expect.poll(() => tick(third!.name).isChecked()).toBe(false)
  await grown.getByRole('status').getByText('1 new conflict isn’t selected').waitFor()
  await passesAxe(grown)
  await grown.getByRole('button', { name: third!.name }).focus()
  await page.keyboard.press('Shift+F10')
  const ofThird = page.getByRole('menu', { name: third!.name })
  await ofThird.getByRole('menuitem', { name: 'Open record' }).waitFor()
  await ofThird.getByRole('menuitem', { name: 'Keep theirs' }).click()
  await messages(page).getByText('1 conflict resolved: kept theirs').waitFor()
  await group.waitFor()
  await messages(page).getByRole('button', { name: 'Undo' }).click()
  await grown.waitFor()
  await grown.locator('.label').click({ button: 'right' })
  await page.getByRole('menu', { name: '3 placements' }).getByRole('menuitem', { name: 'Keep mine (2)' }).click()
  await messages(page).getByText('2 conflicts resolved: kept yours').waitFor()
  await grown.waitFor({ state: 'detached' })
  // The new one is the only one left, and both sides are still there.
  const left = page.locator('[data-entry]').filter({ hasText: third!.name })
  await left.filter({ hasText: 'Mine, third' }).filter({ hasText: 'Mina, third' }).waitFor()
  await page.getByRole('heading', { name: /^Needs attention\s+1$/ }).waitFor()
})

it('a rule resolves conflicts about a field now and later, each once, until it’s removed', async () => {
  const [, third, fourth, fifth, sixth] = await others()
  const quarrel = async (...placements: { id: string; name: string }[]): Promise<void> => {
    await importRows([['ID', 'Comment'], ...placements.map(({ id, name }) => [id, `Mine, ${name}`])])
    for (const { id, name } of placements) await asMina({ comment: `Mina, ${name}` }, id)
    await post()
  }
  const dialog = page.getByRole('dialog')
  // The only conflict so far has no others to be listed with.
  const single = page.locator('[data-entry]').filter({ hasText: third!.name })
  await single.getByRole('button', { name: 'Always…' }).click()
  await dialog.getByRole('button', { name: 'Save rule and resolve 1 conflict' }).waitFor()
  await dialog.locator('input[type=radio]:checked:focus').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await quarrel(fourth!, fifth!)
  await dialog.getByRole('button', { name: 'Resolve in Sync' }).click()
  const group = page.getByRole('listitem', { name: '3 placements in conflict: comment' })
  await group.waitFor()
  await dismissMessages(page)
  await group.getByRole('button', { name: 'Always…' }).click()
  await dialog.getByRole('radio', { name: 'Newer', checked: true }).press('ArrowLeft')
  const row = dialog.getByRole('row').filter({ hasText: `Mina, ${fourth!.name}` })
  // Names repeat from campaign to campaign.
  await row.locator('td:first-child .text-faint').filter({ hasText: /\S/ }).waitFor()
  await row.getByRole('cell').nth(2).getByText(`Mina, ${fourth!.name}`).waitFor()
  await row.getByRole('cell').nth(3).getByText(`Mine, ${fourth!.name}`).waitFor()
  await passesAxe(dialog)
  await dialog.getByRole('button', { name: 'Save rule and resolve 3 conflicts' }).click()
  await group.waitFor({ state: 'detached' })
  await messages(page).getByText('3 conflicts resolved by your rules').waitFor()
  await messages(page).getByRole('button', { name: 'Undo' }).click()
  await group.waitFor()
  // A rule made again decides what was undone, too.
  await group.getByRole('button', { name: 'Always…' }).click()
  await dialog.getByRole('button', { name: 'Save rule and resolve 3 conflicts' }).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await quarrel(sixth!)
  await messages(page).getByText(`1 conflict resolved by your rules: “${sixth!.name}”`).waitFor()
  await dialog.getByText('0 of 1 sent, 1 discarded.').waitFor()
  await page.keyboard.press('Escape')
  await openSync(page)
  const done = page.getByRole('list', { name: 'Recent activity' }).getByRole('listitem')
  await done.filter({ hasText: sixth!.name }).getByText('Resolved by your rules: kept theirs for comment').waitFor()
  await group.getByRole('button', { name: 'Keep theirs' }).click()
  await group.waitFor({ state: 'detached' })
  for (const { id, name } of (await others()).slice(2, 5)) {
    const { body } = await service.client.call('trafficking.placements.get', { profileId: await ownProfile(), id })
    expect((body as { comment?: string }).comment).toBe(`Mina, ${name}`)
  }

  await page.keyboard.press('Control+,')
  await page.getByRole('list', { name: 'Sections' }).getByRole('button', { name: 'Campaigns' }).click()
  const rules = page.getByRole('group', { name: 'Conflict rules' })
  await rules.getByText('Comment of placements').waitFor()
  await rules.getByText('Keep theirs').waitFor()
  await rules.getByRole('button', { name: 'Remove rule: Comment of placements' }).press('Enter')
  await rules.waitFor({ state: 'detached' })
})

it('drafts can be posted while those before wait for a connection', async () => {
  const [first, second] = (await others()).slice(6)
  await workOffline(page)
  const dialog = page.getByRole('dialog')
  for (const { id } of [first!, second!]) {
    await importRows([
      ['ID', 'Comment'],
      [id, `Offline ${id}`],
    ])
    await drafts().getByRole('button', { name: 'Post…' }).click()
    await dialog.getByRole('button', { name: 'Post 1 draft', exact: true }).click()
    await dialog.getByText('0 of 1 sent.').waitFor()
    const pressed = (): Promise<string | null | undefined> =>
      page.evaluate(() => document.activeElement?.textContent?.trim())
    await dialog.getByRole('button', { name: 'Pause' }).press('Enter')
    await dialog.getByText('Sending is paused. The rest will be sent when you resume.').waitFor()
    await expect.poll(pressed).toBe('Resume')
    await page.keyboard.press('Enter')
    await dialog.getByText('The rest will be sent when you go online.').waitFor()
    await expect.poll(pressed).toBe('Pause')
    await dialog.getByRole('button', { name: 'Done' }).click()
  }
  await drafts().getByText('No drafts').waitFor()
  await workOffline(page)
  await nothingPending(page)
})

it('draws drafts to post as they come into sight, and counts all of them', async () => {
  await workOffline(page)
  const all = (await others()).slice(2)
  expect(all.length).toBeGreaterThan(200)
  await importRows([['ID', 'Plan line'], ...all.map(({ id }, at) => [id, `X-${at}`])])
  await drafts().getByRole('button', { name: 'Post…' }).click()
  const dialog = page.getByRole('dialog')
  const posting = (count: number): Locator => dialog.getByRole('button', { name: `Post ${count} drafts` })
  await posting(all.length).waitFor()
  const drawn = dialog.locator('ul > li[aria-setsize]')
  const groups = dialog.getByRole('checkbox', { name: /^Post all / })
  await atRest(page)
  expect((await drawn.count()) / all.length).toBeLessThan(0.3)
  // A group whose rows aren’t drawn yet can be left out. Scrolling to it draws rows above, which would move it from the pointer.
  const last = dialog.getByRole('region').last()
  const size = Number(await last.locator('header .numbers').textContent())
  await expect.poll(() => last.locator('li[aria-setsize]').count()).toBe(0)
  await groups.last().press('Space')
  await posting(all.length - size).waitFor()
  await last.locator('header').scrollIntoViewIfNeeded()
  await expect.poll(() => last.locator('li[aria-setsize]').count()).toBe(Math.min(size, 25))
  await expect.poll(() => last.getByRole('checkbox', { checked: false }).count()).toBe(1 + Math.min(size, 25))
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})
