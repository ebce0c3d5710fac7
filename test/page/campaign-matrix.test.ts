import type { Locator } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { appForFile, serviceForFile } from '../helpers/for-file'
import { violationsByTheme } from '../helpers/axe'
import { downloadAdvertiser, firstAdvertiser } from '../helpers/campaign-download'
import { clockFromMoment } from '../helpers/moment'
import { atRest, dismissMessages, messages, nothingPending, pressing, runCommand } from '../helpers/page'

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
const { app, page } = appForFile(() => ({ clock, service: service.sandbox, size: { width: 1440, height: 900 } }))
/** Beginning of the names of two placements, and the name of an ad that shows two creatives on each of them. */
const shared = 'Two by two'
const bare = 'Without creatives'

/** Records that the sample data lacks: an ad with several placements, and an advertiser that has no creatives. */
async function addRecords(): Promise<void> {
  const { call } = service.client
  const { profileId = '' } = (await call('trafficking.userProfiles.list', {})).body.items![0]!
  const name = await firstAdvertiser(service)
  const { advertisers = [] } = (await call('trafficking.advertisers.list', { profileId })).body
  const { id: advertiserId = '' } = advertisers.find((one) => one.name === name)!
  const { ads = [] } = (await call('trafficking.ads.list', { profileId, advertiserId, archived: false })).body
  const entriesOf = (ad: (typeof ads)[number]): NonNullable<typeof ad.placementAssignments> =>
    ad.placementAssignments ?? []
  const creativesOf = ({ creativeRotation }: (typeof ads)[number]): string[] =>
    (creativeRotation?.creativeAssignments ?? []).map(({ creativeId = '' }) => creativeId)
  const own = ads.filter(
    (ad) => ad.type === 'AD_SERVING_STANDARD_AD' && entriesOf(ad).length === 1 && creativesOf(ad).length === 2,
  )
  const pairs = own.flatMap((ad) =>
    own
      .filter((two) => two !== ad && creativesOf(two).join() === creativesOf(ad).join())
      .map((two) => [ad, two] as const),
  )
  const [ad, other] = pairs[0]!
  await call('trafficking.ads.patch', { profileId, id: other.id! }, { body: { archived: true } })
  const placementAssignments = [...entriesOf(ad), ...entriesOf(other)]
  await call('trafficking.ads.patch', { profileId, id: ad.id! }, { body: { name: shared, placementAssignments } })
  const placements = placementAssignments.map(({ placementId = '' }) => placementId)
  for (const [at, id] of placements.entries())
    await call('trafficking.placements.patch', { profileId, id }, { body: { name: `${shared} ${at + 1}` } })

  const made = (
    await call('trafficking.advertisers.insert', { profileId }, { body: { name: bare, status: 'APPROVED' } })
  ).body
  const url = 'https://bare.example/'
  const page = (
    await call(
      'trafficking.advertiserLandingPages.insert',
      { profileId },
      { body: { name: 'Home', url, advertiserId: made.id! } },
    )
  ).body
  const { campaigns = [] } = (await call('trafficking.campaigns.list', { profileId })).body
  const { startDate, endDate } = campaigns.find(({ id }) => id === ad.campaignId)!
  const campaign = (
    await call(
      'trafficking.campaigns.insert',
      { profileId },
      {
        body: { name: bare, advertiserId: made.id!, startDate, endDate, defaultLandingPageId: page.id! },
      },
    )
  ).body
  const like = (await call('trafficking.placements.get', { profileId, id: placements[0]! })).body
  const { siteId, compatibility, size, tagFormats, paymentSource } = like
  await call('trafficking.placements.insert', { profileId }, {
    body: {
      ...{ name: bare, campaignId: campaign.id!, siteId, compatibility, size, tagFormats, paymentSource },
      pricingSchedule: { startDate, endDate, pricingType: 'PRICING_TYPE_CPM' },
    },
  } as never)
}

beforeAll(async () => {
  await addRecords()
  await downloadAdvertiser(page, await firstAdvertiser(service))
  await downloadAdvertiser(page, bare)
}, 180_000)

const press = pressing(() => page)
const matrix = (): Locator => page.getByRole('grid', { name: 'Placements, matrix' })
type Place = readonly [row: number, column: number]
const cell = ([row, column]: Place): Locator =>
  matrix().locator(`[aria-rowindex="${row}"] > [aria-colindex="${column}"]`)
const stateOf = (place: Place): Promise<string> =>
  cell(place).evaluate(
    (one) => ['assigned', 'possible', 'impossible'].find((name) => one.classList.contains(name)) ?? '',
  )
/** Cells in sight that have a state. */
const placesOf = (state: string): Promise<Place[]> =>
  matrix().evaluate((one, name) => {
    const room = one.getBoundingClientRect()
    return [...one.querySelectorAll(`.${name}[role=gridcell]`)].flatMap((found): [number, number][] => {
      const { right, bottom } = found.getBoundingClientRect()
      const row = Number(found.parentElement!.getAttribute('aria-rowindex'))
      return right < room.right - 20 && bottom < room.bottom - 20
        ? [[row, Number(found.getAttribute('aria-colindex'))]]
        : []
    })
  }, state)
/** Row and column of the current cell. */
const current = (): Promise<string> =>
  matrix().evaluate((one) => {
    const active = document.getElementById(one.getAttribute('aria-activedescendant') ?? '')
    return [active?.parentElement?.getAttribute('aria-rowindex'), active?.getAttribute('aria-colindex')].join()
  })
/** Goes to a cell by keyboard. */
async function go([row, column]: Place): Promise<void> {
  await matrix().focus()
  await press('Control+Home')
  for (let at = 2; at < row; at++) await press('ArrowDown')
  for (let at = 1; at < column; at++) await press('ArrowRight')
  await expect.poll(current).toBe(`${row},${column}`)
}

beforeEach(async () => {
  await press('Escape', 'Escape')
  await runCommand(page, 'Campaigns: placements')
  await page.getByRole('grid').first().waitFor()
  await press('Alt+3')
  await page.getByRole('searchbox', { name: 'Search' }).fill('')
  await expect.poll(async () => (await placesOf('possible')).length).toBeGreaterThan(1)
  await dismissMessages(page)
})

describe('the matrix', () => {
  it('is chosen by key, command, and switch, for placements only', async () => {
    await press('Alt+1')
    await page.getByRole('grid', { name: 'Placements', exact: true }).waitFor()
    await runCommand(page, 'Show as matrix')
    await matrix().waitFor()
    await runCommand(page, 'Campaigns: ads')
    await page.getByRole('grid', { name: 'Ads', exact: true }).waitFor()
    await expect.poll(() => page.getByRole('radiogroup', { name: 'Layout' }).getByText('Matrix').count()).toBe(0)
    await runCommand(page, 'Campaigns: placements')
    await matrix().waitFor()
    await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Grid').click()
    await matrix().waitFor({ state: 'detached' })
    await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Matrix').click()
    await matrix().waitFor()
  })

  it('keeps the rows selected that are selected in the grid', async () => {
    await press('Alt+1')
    const grid = page.getByRole('grid', { name: 'Placements', exact: true })
    await grid.focus()
    await press('Control+Home', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Alt+3')
    const rows = (): Promise<(string | null)[]> =>
      matrix()
        .locator('[aria-selected=true]')
        .evaluateAll((cells) => cells.map((one) => one.parentElement!.getAttribute('aria-rowindex')))
    await expect.poll(rows).toEqual(['3', '4', '5'])
    await press('Shift+ArrowDown')
    await expect.poll(rows).toEqual(['3', '4', '5', '6'])
    await page.getByRole('region', { name: 'Drafts' }).getByText('4 rows').waitFor()
    await press('ArrowUp')
    await expect.poll(rows).toEqual(['5'])
  })

  it('says why a cell can’t be assigned', async () => {
    const [place] = await placesOf('impossible')
    await expect.poll(() => cell(place!).getAttribute('aria-label')).toMatch(/^Can’t be assigned\. .+/)
    await expect.poll(() => cell(place!).getAttribute('title')).toMatch(/^Can’t be assigned\. .+/)
    await go(place!)
    await press('Space')
    await messages(page)
      .getByText(/^Can’t be assigned\. .+/)
      .waitFor()
    expect(await stateOf(place!)).toBe('impossible')
    await dismissMessages(page)
  })

  it('opens the record of a row', async () => {
    await go([3, 1])
    await press('Enter')
    const name = (await cell([3, 1]).locator('.title').textContent())!
    await page.getByRole('heading', { name }).first().waitFor()
    await press('Escape')
  })

  it('goes to the next cell that isn’t hatched', async () => {
    const [hatched, open] = [
      await placesOf('impossible'),
      [...(await placesOf('assigned')), ...(await placesOf('possible'))],
    ]
    const last = Math.max(...hatched.map(([, column]) => column))
    const goals = hatched.flatMap(([row, column]): (readonly [Place, Place])[] => {
      const columns = open.filter((one) => one[0] === row && one[1] > column && one[1] < last).map((one) => one[1])
      return columns.length > 0
        ? [
            [
              [row, column],
              [row, Math.min(...columns)],
            ],
          ]
        : []
    })
    const [from, to] = goals[0]!
    await go(from)
    await press('Control+ArrowRight')
    await expect.poll(current).toBe(to.join())
    await press('ArrowLeft', 'Control+ArrowRight')
    await expect.poll(current).toBe(to.join())
  })

  it('keeps the current row above the scrollbar', async () => {
    await matrix().focus()
    await press('Control+Home', ...Array.from({ length: 40 }, () => 'ArrowDown'))
    await expect.poll(current).toBe('42,1')
    const hidden = (): Promise<number> =>
      matrix().evaluate((one) => {
        const active = document.getElementById(one.getAttribute('aria-activedescendant') ?? '')!
        return active.getBoundingClientRect().bottom - one.getBoundingClientRect().top - one.clientHeight
      })
    await expect.poll(hidden).toBeLessThanOrEqual(0)
  })

  it('has no accessibility violations', async () => {
    await go((await placesOf('possible'))[0]!)
    await atRest(page)
    expect(await violationsByTheme(page)).toEqual([])
  })
})

describe('assigning', () => {
  it('by keyboard, and undoing', async () => {
    const [place] = await placesOf('possible')
    await go(place!)
    await press('Space')
    await expect.poll(() => stateOf(place!)).toBe('assigned')
    await messages(page)
      .getByText(/^Assigned “.+” to “.+”/)
      .first()
      .waitFor()
    await press('Control+z')
    await expect.poll(() => stateOf(place!)).toBe('possible')
    await press('Control+y')
    await expect.poll(() => stateOf(place!)).toBe('assigned')
    await matrix().focus()
    await press('Space')
    // Until it's saved, Ctrl+Z only stops it.
    await messages(page)
      .getByText(/^Removed “.+” from “.+”/)
      .waitFor()
    await press('Control+z', 'Control+z')
    await expect.poll(() => stateOf(place!)).toBe('possible')
  })

  it('by pointer, and by the menu', async () => {
    const [place] = await placesOf('possible')
    await cell(place!).locator('.mark').click()
    await expect.poll(() => stateOf(place!)).toBe('assigned')
    await cell(place!).click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Open ad “/ }).waitFor()
    await page.getByRole('menuitem', { name: /^Remove/ }).click()
    await expect.poll(() => stateOf(place!)).toBe('possible')
    await matrix().focus()
    await dismissMessages(page)
    await press('Shift+F10')
    await page.getByRole('menuitem', { name: /^Assign/ }).click()
    // Until it's saved, Ctrl+Z only stops it.
    await messages(page)
      .getByText(/^Assigned “/)
      .waitFor()
    await press('Control+z', 'Control+z', 'Control+z')
    await expect.poll(() => stateOf(place!)).toBe('possible')
  })

  it('fills all that match, and posts it', async () => {
    const [place] = await placesOf('possible')
    await go([place![0], 2])
    await press('Shift+End', 'Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Fill matching cells' })
    await dialog.getByText(/^Fills \d+ cells?(,| and) /).waitFor()
    await dialog.getByText('Creative', { exact: true }).click()
    await expect.poll(() => dialog.getByRole('list', { name: 'Ads' }).getByRole('listitem').count()).toBeGreaterThan(0)
    // What has the focus by the time it's saved keeps it.
    const { answering } = app.backend
    let save = (): void => undefined
    const saving = new Promise<void>((done) => (save = done))
    app.backend.answering = async (name, args) => {
      if (name.startsWith('journal/')) await saving
      return answering(name, args)
    }
    try {
      await dialog.getByRole('button', { name: /^Fill \d+ cells?$/ }).click()
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => matrix().evaluate((one) => one === document.activeElement)).toBe(true)
      await dismissMessages(page)
      const elsewhere = page.getByRole('button', { name: /, accounts/ })
      await elsewhere.focus()
      save()
      await messages(page)
        .getByText(/^Assigned .*(creatives?|placements?)/)
        .waitFor()
      await atRest(page)
      expect(await elsewhere.evaluate((one) => one === document.activeElement)).toBe(true)
    } finally {
      save()
      app.backend.answering = answering
    }
    await matrix().focus()
    await go(place!)
    await expect.poll(() => stateOf(place!)).toBe('assigned')
    await expect.poll(async () => (await placesOf('possible')).filter(([row]) => row === place![0]).length).toBe(0)
    await press('Control+Shift+Enter')
    const post = page.getByRole('dialog', { name: /^Post/ })
    await post.getByRole('button', { name: /^Post \d+/ }).click()
    await nothingPending(page)
    expect(await stateOf(place!)).toBe('assigned')
  })

  it('selected by dragging, in one step', async () => {
    const places = await placesOf('possible')
    const [from, to] = ((): [Place, Place] => {
      for (const place of places) {
        const next = places.find(([row, column]) => row === place[0] && column === place[1] + 1)
        if (next) return [place, next]
      }
      throw new Error('No two possible cells next to each other')
    })()
    const middleOf = async (place: Place): Promise<[number, number]> => {
      const { x, y, width, height } = (await cell(place).boundingBox())!
      return [x + width / 2, y + height / 2]
    }
    await page.mouse.move(...(await middleOf(from)))
    await page.mouse.down()
    await page.mouse.move(...(await middleOf(to)))
    await page.mouse.up()
    await expect.poll(() => matrix().locator('[role=gridcell][aria-selected=true]').count()).toBe(2)
    expect([await stateOf(from), await stateOf(to)]).toEqual(['possible', 'possible'])
    await press('Space')
    await expect.poll(async () => [await stateOf(from), await stateOf(to)]).toEqual(['assigned', 'assigned'])
    await messages(page)
      .getByText(/^Assigned 2 creatives to “.+”/)
      .waitFor()
    await press('Control+z', 'Control+z')
    await expect.poll(async () => [await stateOf(from), await stateOf(to)]).toEqual(['possible', 'possible'])
  })
})

/** Limits the list to placements by name. */
async function find(name: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search' }).fill(name)
}

describe('removing an assignment of an ad that shows two creatives on two placements', () => {
  const dialog = (): Locator => page.getByRole('dialog', { name: 'Remove the creative or the placement?' })
  const assigned = (): Locator => matrix().getByRole('gridcell', { name: `Assigned: ${shared}` })
  const count = (): Promise<number> => assigned().count()
  beforeEach(async () => {
    await find(shared)
    await expect.poll(count).toBe(4)
    await assigned()
      .first()
      .click({ position: { x: 2, y: 2 } })
    await press('Space')
    await dialog().waitFor()
  })

  it('names what else would end, and changes nothing if canceled', async () => {
    await dialog()
      .getByRole('heading', { name: /^Also removed with the creative “.+”$/ })
      .waitFor()
    await dialog()
      .getByRole('heading', { name: /^Also removed with the placement “.+”$/ })
      .waitFor()
    await dialog()
      .getByText(new RegExp(`^.+ on ${shared} 2$`))
      .waitFor()
    await dialog()
      .getByText(new RegExp(`^.+ on ${shared} 1$`))
      .waitFor()
    expect(await violationsByTheme(page)).toEqual([])
    await press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await expect.poll(() => matrix().evaluate((one) => one === document.activeElement)).toBe(true)
    expect(await count()).toBe(4)
  })

  it('removes the side that is chosen, as one step', async () => {
    const label = (): Promise<(string | null)[]> =>
      matrix()
        .locator('[aria-rowindex="2"], [aria-rowindex="3"]')
        .locator('.assigned')
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-colindex')))
    const before = await label()
    await dialog().getByRole('button', { name: 'Remove creative', exact: true }).click()
    await expect.poll(count).toBe(2)
    // One column is gone in both rows.
    expect(new Set(await label()).size).toBe(new Set(before).size - 1)
    await messages(page)
      .getByText(/^Removed “/)
      .waitFor()
    await matrix().focus()
    await press('Control+z')
    await expect.poll(count).toBe(4)
    await matrix().focus()
    await press('Space')
    await dialog().getByRole('button', { name: 'Remove placement', exact: true }).click()
    await expect.poll(count).toBe(2)
    expect(new Set(await label()).size).toBe(new Set(before).size)
    await messages(page)
      .getByText(/^Removed “/)
      .last()
      .waitFor()
    await matrix().focus()
    await press('Control+z')
    await expect.poll(count).toBe(4)
  })
})

it('leads from placements without any creatives to creatives and downloads', async () => {
  await find(bare)
  await page.getByRole('status').getByText('No creatives on this computer').waitFor()
  await matrix().waitFor({ state: 'detached' })
  expect(await violationsByTheme(page)).toEqual([])
  await page.getByRole('button', { name: 'Download…', exact: true }).click()
  await page.getByRole('dialog', { name: 'Choose what to download' }).waitFor()
  await press('Escape')
  await page.getByRole('button', { name: 'Go to creatives', exact: true }).click()
  await page.getByRole('grid', { name: 'Creatives', exact: true }).waitFor()
})
