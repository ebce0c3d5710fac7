// Only in test:all: fills a grid at 25 times the demo, which takes more than a minute.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchApp, type RunningApp } from '../helpers/app'
import { openSync, startDownload, untilDownloaded } from '../helpers/campaign-download'
import { drawn } from '../helpers/grid-rows'
import { choose, messages, pasteText, pressing, runCommand } from '../helpers/page'
import { startOutsideService, type OutsideService } from '../helpers/outside-service'
import { busySince, watchThread, type Busy } from '../helpers/thread-watch'

/** 250 equals 100,000 placements. 10,000 find the same problems. */
const scale = Number(process.env['FLIGHTPLAN_SCALE'] ?? 25)
const patience = 60_000 + scale * 4_000
const unique = 'Lighthouse at the far end'

interface Placement {
  id: string
  name: string
  archived?: boolean
  compatibility: string
  externalId: string
  pricingSchedule: { startDate: string; pricingType: string; pricingPeriods?: { units?: string }[] }
}

let service: OutsideService
let app: RunningApp
let page: Page
let placements: Placement[]
const figures: Record<string, Busy> = {}

beforeAll(async () => {
  service = await startOutsideService({ campaignScale: scale })
  const profile = await profileId()
  const before = await onService(profile)
  const { id } = before[before.length >> 1]!
  await ask(`/userprofiles/${profile}/placements?id=${id}`, { method: 'PATCH', body: { name: unique } })
  placements = await onService(profile)
  app = await launchApp({ service, size: { width: 1440, height: 900 } })
  page = app.page
  await openSync(page)
  await startDownload(page)
  await untilDownloaded(page, patience)
  await watchThread(page)
}, patience * 2)
afterAll(async () => {
  await app?.close()
  await service?.stop()
})

async function ask(
  path: string,
  { method = 'GET', body }: { method?: string; body?: object } = {},
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${service.baseUrl}/trafficking/v3.4${path}`, {
    method,
    headers: { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(answer.status, `${method} ${path}`).toBe(200)
  return (await answer.json()) as Record<string, unknown>
}
async function profileId(): Promise<string> {
  const { items } = (await ask('/userprofiles')) as { items: { profileId: string }[] }
  return items[0]!.profileId
}
async function onService(profile: string): Promise<Placement[]> {
  const fields =
    'nextPageToken,placements(id,name,archived,compatibility,externalId,pricingSchedule(startDate,pricingType,pricingPeriods(units)))'
  const found: Placement[] = []
  for (let token = ''; ;) {
    const next = token && `&pageToken=${encodeURIComponent(token)}`
    const answer = await ask(`/userprofiles/${profile}/placements?fields=${fields}${next}`)
    found.push(...((answer['placements'] ?? []) as Placement[]))
    token = String(answer['nextPageToken'] ?? '')
    if (token === '') return found
  }
}

const grid = (): Locator => page.getByRole('grid', { name: 'Placements', exact: true })
const head = (name: string): Locator => grid().getByRole('columnheader', { name, exact: true })
const press = pressing(() => page)
const frame = (): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
const counted = (count: number): Promise<void> =>
  expect.poll(async () => Number(await grid().getAttribute('aria-rowcount')) - 1, { timeout: patience }).toBe(count)

/** Records how busy the window was during an action. */
async function noted(name: string, work: () => Promise<void>): Promise<void> {
  await busySince(page)
  await work()
  figures[name] = await busySince(page)
}

const living = (): Placement[] => placements.filter(({ archived }) => !archived)
const unitsOf = ({ pricingSchedule }: Placement): number | undefined => {
  const units = pricingSchedule.pricingPeriods?.[0]?.units
  return units === undefined ? undefined : Number(units)
}
/** Sorts by a value, then by ID. Missing values come last in both directions. */
function inOrder<T>(
  all: readonly Placement[],
  valueOf: (one: Placement) => T | undefined,
  compare: (a: T, b: T) => number,
  down = false,
): string[] {
  const byValue = (a: T | undefined, b: T | undefined): number => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    return down ? compare(b, a) : compare(a, b)
  }
  const valued = all.map((one) => ({ id: one.id, value: valueOf(one) }))
  return valued.sort((a, b) => byValue(a.value, b.value) || (a.id < b.id ? -1 : 1)).map(({ id }) => id)
}
const collator = new Intl.Collator('en')
const byName = (all: readonly Placement[], down = false): string[] =>
  inOrder(all, ({ name }) => name, collator.compare, down)

/** Checks that the grid renders all visible rows of this list at their positions, and few more. */
async function shows(ids: readonly string[]): Promise<{ first: number; last: number }> {
  await counted(ids.length)
  const column = Number(await head('ID').getAttribute('aria-colindex')) - 2
  const wrong = async (): Promise<string[]> => {
    await frame()
    const { rows } = await drawn(grid())
    return rows.flatMap(({ at, texts }, index) => {
      const id = texts[column]!.replaceAll(',', '')
      if (id !== ids[at]) return [`${at}: ${id}, not ${ids[at]}`]
      // Rows load in order as soon as scrolling stops.
      return at === rows[0]!.at + index ? [] : [`${at} is read as ${index} from the first`]
    })
  }
  await expect.poll(wrong, { timeout: patience }).toEqual([])
  const { rows, first, last, elements } = await drawn(grid())
  expect(last - first).toBeGreaterThanOrEqual(Math.min(ids.length - 1, 15))
  expect(rows[0]!.at).toBeLessThanOrEqual(first)
  expect(rows.at(-1)!.at).toBeGreaterThanOrEqual(last)
  expect(rows.length).toBeLessThan(80)
  expect(elements).toBeLessThan(6_000)
  return { first, last }
}
/** Checks the top, the middle, and the end. */
async function showsAll(ids: readonly string[]): Promise<void> {
  for (const part of [0, 0.5, 1]) {
    await grid().evaluate((one, part) => (one.scrollTop = part * (one.scrollHeight - one.clientHeight)), part)
    const { first, last } = await shows(ids)
    if (part === 0) expect(first).toBe(0)
    if (part === 1) expect(last).toBe(ids.length - 1)
  }
}

async function filter(column: string, how: string, what: (dialog: Locator) => Promise<void>): Promise<void> {
  await grid().focus()
  await press('Control+Shift+F')
  const dialog = page.getByRole('dialog', { name: /^Filter / })
  await choose(dialog.getByRole('combobox', { name: 'Column' }), column)
  await choose(dialog.getByRole('combobox', { name: 'Condition' }), how)
  await what(dialog)
  await dialog.getByRole('button', { name: 'Filter', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

it('loads all rows by name on request', async () => {
  await noted('open', async () => {
    await runCommand(page, 'Campaigns: placements')
    await grid().locator('.body [role=row]').first().waitFor()
    await counted(living().length)
  })
  await showsAll(byName(living()))
})

describe('rows', () => {
  const first = (): Promise<number> => drawn(grid()).then((one) => one.first)

  beforeEach(async () => {
    await grid().focus()
    await press('Control+Home')
    await expect.poll(first, { timeout: patience }).toBe(0)
  })

  it('scroll by wheel', async () => {
    const ids = byName(living())
    await grid().hover()
    await noted('wheel', async () => {
      for (let turn = 0; turn < 40; turn++) {
        await page.mouse.wheel(0, 300)
        await frame()
      }
    })
    await expect.poll(first, { timeout: patience }).toBeGreaterThan(300)
    await shows(ids)
    await page.mouse.wheel(0, -1_000_000)
    await expect.poll(first, { timeout: patience }).toBe(0)
    await shows(ids)
  })

  it('scroll by page and to both ends', async () => {
    const ids = byName(living())
    await noted('pages', () => press(...Array.from({ length: 30 }, () => 'PageDown')))
    await expect.poll(first, { timeout: patience }).toBeGreaterThan(300)
    await shows(ids)
    await noted('to the end', async () => {
      await press('Control+End')
      await expect.poll(() => drawn(grid()).then(({ last }) => last), { timeout: patience }).toBe(ids.length - 1)
    })
    await shows(ids)
    await press('PageUp', 'Control+Home')
    await expect.poll(first, { timeout: patience }).toBe(0)
    await shows(ids)
  })

  it('scroll with the scroll bar', async () => {
    const ids = byName(living())
    const box = (await grid().boundingBox())!
    const x = box.x + box.width - 4
    await page.mouse.move(x, box.y + 8)
    await page.mouse.down()
    await noted('scroll bar', async () => {
      for (let step = 1; step <= 30; step++) {
        await page.mouse.move(x, box.y + 8 + (step * box.height) / 40)
        await frame()
      }
    })
    await page.mouse.up()
    const { first } = await shows(ids)
    expect(first).toBeGreaterThan(ids.length / 3)
    expect(first).toBeLessThan(ids.length)
  })
})

describe('columns', () => {
  it.each([
    ['a text', 'Name', (all: Placement[], down: boolean) => byName(all, down)],
    [
      'a date',
      'Start date',
      (all: Placement[], down: boolean) =>
        inOrder(
          all,
          (one) => one.pricingSchedule.startDate,
          (a, b) => (a < b ? -1 : a > b ? 1 : 0),
          down,
        ),
    ],
    ['a number', 'Units', (all: Placement[], down: boolean) => inOrder(all, unitsOf, (a, b) => a - b, down)],
  ] as const)('sort by %s in both directions', async (_what, column, sorted) => {
    for (const [way, order] of [
      ['ascending', false],
      ['descending', true],
    ] as const) {
      await noted(`sort by ${column}, ${way}`, async () => {
        // Names are sorted initially.
        if ((await head(column).getAttribute('aria-sort')) !== way) await head(column).getByRole('button').click()
        await expect.poll(() => head(column).getAttribute('aria-sort'), { timeout: patience }).toBe(way)
        await expect.poll(() => grid().getAttribute('aria-busy'), { timeout: patience }).toBe('false')
      })
      await showsAll(sorted(living(), order))
    }
  })
})

describe('filters', () => {
  beforeEach(async () => {
    await head('Name').getByRole('button').click()
    if ((await head('Name').getAttribute('aria-sort')) !== 'ascending') await head('Name').getByRole('button').click()
    await shows(byName(living()))
  })

  const clear = async (): Promise<void> => {
    await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'Clear all' }).click()
    await counted(living().length)
  }

  it('match a text', async () => {
    const ids = byName(living().filter(({ name }) => name.includes('pre-roll')))
    await noted('filter by a text', async () => {
      await filter('Name', 'contains', (dialog) => dialog.getByLabel('Value').fill('PRE-roll'))
      await counted(ids.length)
    })
    await showsAll(ids)
    await clear()
  })

  it('match one choice', async () => {
    const ids = byName(living().filter(({ compatibility }) => compatibility === 'IN_STREAM_VIDEO'))
    await noted('filter by a choice', async () => {
      await filter('Runs in', 'is', (dialog) =>
        choose(dialog.getByRole('combobox', { name: 'Value' }), 'In-stream video'),
      )
      await counted(ids.length)
    })
    await showsAll(ids)
    await clear()
  })

  it('match any of several choices', async () => {
    const ids = byName(
      living().filter(({ pricingSchedule }) => /^PRICING_TYPE_(CPC|CPA)$/.test(pricingSchedule.pricingType)),
    )
    await noted('filter by two choices', async () => {
      await filter('Pricing type', 'is', async (dialog) => {
        await choose(dialog.getByRole('combobox', { name: 'Value' }), 'CPC')
        await choose(dialog.getByRole('combobox', { name: 'Or' }), 'CPA')
      })
      await counted(ids.length)
    })
    await showsAll(ids)
    await clear()
  })

  it('show archived records or all of them', async () => {
    const ids = byName(placements.filter(({ archived }) => archived))
    await noted('filter by state', async () => {
      await page.getByRole('button', { name: 'Filter by status' }).click()
      await page.getByRole('menuitemcheckbox', { name: 'Archived', exact: true }).click()
      await counted(ids.length)
    })
    await showsAll(ids)
    for (const [state, all] of [
      ['All', placements],
      ['Not archived', living()],
    ] as const) {
      await page.getByRole('button', { name: 'Filter by status' }).click()
      await page.getByRole('menuitemcheckbox', { name: state, exact: true }).click()
      await showsAll(byName(all))
    }
  })

  it('filter quickly by words in any column', async () => {
    const { externalId } = living().at(-1)!
    const ids = byName(living().filter((one) => one.externalId.includes(externalId)))
    const search = page.getByRole('searchbox', { name: 'Search in placements' })
    await noted('search', async () => {
      await search.fill(externalId)
      await counted(ids.length)
    })
    await showsAll(ids)
    await search.fill('')
    await counted(living().length)
  })
})

describe('pasting into thousands of cells', () => {
  const many = 3_000
  const bar = (): Locator => page.getByRole('progressbar', { name: 'Pasting' })
  const noDrafts = (): Promise<void> => page.getByText('No drafts', { exact: true }).waitFor({ timeout: patience })
  /** Pastes into plan lines from the first row on. @returns the topmost row and its old value */
  async function paste(): Promise<{ top: Locator; before: string }> {
    await counted(living().length)
    const column = Number(await head('Plan line').getAttribute('aria-colindex'))
    await grid().focus()
    await press('Control+Home')
    for (let at = 2; at < column; at++) await press('ArrowRight')
    const top = grid().locator(`[role=row][aria-rowindex="2"] [role=gridcell][aria-colindex="${column}"]`)
    const before = (await top.textContent()) ?? ''
    const text = Array.from({ length: many }, (_unused, row) => `Pasted ${row}`).join('\n')
    await pasteText(page, text)
    return { top, before }
  }
  const inGrid = (): Promise<boolean> => grid().evaluate((one) => one === document.activeElement)

  beforeAll(async () => {
    await runCommand(page, 'Campaigns: placements')
  })

  it.each(['Escape', 'Control+z'])('shows progress, and %s undoes all of it', async (keys) => {
    const { top, before } = await paste()
    await bar().waitFor()
    await page.getByText(/^Pasting [\d,]+ of 3,000$/).waitFor()
    expect(await inGrid()).toBe(true)
    await press(keys)
    await messages(page).getByText('Pasting stopped. Nothing changed.').last().waitFor({ timeout: patience })
    await bar().waitFor({ state: 'detached' })
    await noDrafts()
    await expect.poll(() => top.textContent(), { timeout: patience }).toBe(before)
    expect(await inGrid()).toBe(true)
    await messages(page).getByRole('button', { name: 'Dismiss message' }).first().click()
    await messages(page).getByText('Pasting stopped. Nothing changed.').waitFor({ state: 'detached' })
  })

  it('is one undo step', async () => {
    const { top, before } = await paste()
    await bar().waitFor()
    await messages(page).getByText('3,000 cells changed', { exact: true }).waitFor({ timeout: patience })
    await page.getByText('3,000 drafts', { exact: true }).waitFor()
    await expect.poll(() => top.textContent(), { timeout: patience }).toBe('Pasted 0')
    await press('Control+z')
    await messages(page)
      .getByText(/^Undid: Paste into/)
      .waitFor({ timeout: patience })
    await noDrafts()
    await expect.poll(() => top.textContent(), { timeout: patience }).toBe(before)
  })
})

// Last, because it scrolls to the record.
it('the palette finds a record by name', async () => {
  await press('Control+k')
  const palette = page.getByRole('combobox', { name: 'Search and commands' })
  await palette.waitFor()
  await busySince(page)
  /** Milliseconds from the keypress to the visible name, for each letter that keeps it in the list. */
  const times = await palette.evaluate(async (input: HTMLInputElement, unique) => {
    const list = document.getElementById('palette-list')!
    const isThere = (): boolean =>
      [...list.querySelectorAll('[role=option]')].some((one) => one.textContent.includes(unique))
    const found = async (words: string): Promise<number> => {
      performance.mark('typed')
      input.value = words
      input.dispatchEvent(new InputEvent('input', { bubbles: true }))
      await new Promise<void>((done) => {
        const look = (): void => {
          if (!isThere()) return
          observer.disconnect()
          done()
        }
        const observer = new MutationObserver(look)
        observer.observe(list, { childList: true, subtree: true, characterData: true })
        look()
      })
      return performance.measure('found', 'typed').duration
    }
    const times: number[] = []
    for (let round = 0; round < 5; round++) {
      input.value = ''
      input.dispatchEvent(new InputEvent('input', { bubbles: true }))
      await new Promise((done) => setTimeout(done, 300))
      if (isThere()) throw new Error('It is found without words')
      times.push(Math.round((await found(unique.slice(0, 11 + round * 3))) * 10) / 10)
    }
    return times
  }, unique)
  figures['palette'] = await busySince(page)
  await palette.fill(unique.toLowerCase())
  const option = page.getByRole('listbox', { name: 'Results' }).getByRole('option', { name: new RegExp(unique) })
  await option.click()
  await page
    .getByRole('complementary', { name: 'Record' })
    .getByRole('heading', { name: unique, exact: true })
    .waitFor()
  const memory = await app.electron.evaluate(({ app }) =>
    app.getAppMetrics().map(({ type, memory }) => [type, Math.round(memory.workingSetSize / 1024)] as const),
  )
  const heap = await page.evaluate(
    () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize,
  )
  console.info(
    [
      `${placements.length} placements.`,
      ...Object.entries(figures).map(
        ([name, { longest, long, pause }]) =>
          `${name}: longest work ${longest || '< 50'} ms, ${long} of 50 ms and more, longest pause between frames ${pause} ms`,
      ),
      `found in the palette in ${times.join(', ')} ms`,
      `memory in MB: ${memory.map(([type, mb]) => `${type} ${mb}`).join(', ')}; heap of the window ${Math.round(heap / 1024 / 1024)}`,
    ].join('\n'),
  )
})
