import { launchEmpty } from './empty-window'
import { againstFew, comparison, digits, goals, type Bench, type Comparison } from './measure'
import { inPage, pageScript } from './page-bundle'
import type { Times } from './grid-page'

type GridPage = typeof import('./grid-page')
type Asked = 'sort' | 'filterText' | 'filterChoices' | 'filterWords' | 'find'
type Run = <N extends Asked>(name: N, ...args: Parameters<GridPage[N]>) => Promise<Times>

/** Placements, ads, creatives. */
const sizes = { long: [100_000, 130_000, 50_000], usual: [20_000, 26_000, 10_000] } as const
const fewRows = 1_000

/** Many rows sorted, filtered, and found by name through the app's own tables in Chromium, and 1,000 as often. */
export async function* grid({ long, step }: Bench): AsyncGenerator<Comparison, void, void> {
  const counts = long ? sizes.long : sizes.usual
  const [rows, ads, creatives] = counts
  const records = digits(counts.reduce((sum, count) => sum + count, 0))
  step('building the page')
  const script = await pageScript('grid-page')
  const { electron, page } = await launchEmpty()
  try {
    await page.evaluate(script)
    const run: Run = (name, ...args) => inPage<GridPage, Asked>(page, name, ...(args as never)) as Promise<Times>
    step(`filling a table of ${digits(rows)} rows`)
    await inPage<GridPage, 'take'>(page, 'take', rows, ads, creatives)
    const many: Measured[] = []
    for await (const one of inOneTable(run)) {
      many.push(one)
      yield row(one.does(`${digits(rows)} rows`), one.floorIs, one.times, goals.overFloor)
    }
    const all = `\`includes\` over an array of ${records} names in small letters`
    step(`finding among ${records} records`)
    yield row(`finding a name among ${records} records`, all, await run('find', `_${numberOf(rows)}`))
    yield row(`finding words that all ${records} names hold`, all, await run('find', '300x250'))
    step(`the same with ${digits(fewRows)} rows`)
    await inPage<GridPage, 'take'>(page, 'take', fewRows, 0, 0, rows)
    let at = 0
    for await (const few of inOneTable(run)) {
      const { does, times } = many[at++]!
      const fewIs = `${digits(fewRows)} rows, ${digits(rows / fewRows)} times`
      yield againstFew(does(`${digits(rows)} rows`), fewIs, times, few.times)
    }
  } finally {
    await electron.close()
  }
}

/** The number in a record's name. */
const numberOf = (rows: number): string => String(Math.floor(rows * 0.77_777))

interface Measured {
  does: (rows: string) => string
  floorIs: string
  times: Times
}

async function* inOneTable(run: Run): AsyncGenerator<Measured, void, void> {
  const typed = 'a typed array of as many numbers that is sorted'
  const names = '`includes` over an array of as many names in small letters'
  const set = 'a filter with a set'
  const filter = (by: string) => (rows: string) => `filtering ${rows} by ${by}`
  const sort = (by: string) => (rows: string) => `sorting ${rows} by ${by}`
  yield { does: sort('name'), floorIs: typed, times: await run('sort', 'name', false) }
  yield { does: sort('date, down'), floorIs: typed, times: await run('sort', 'startDate', true) }
  yield { does: filter('a text in the name'), floorIs: names, times: await run('filterText', '_77') }
  yield {
    does: filter('one choice'),
    floorIs: 'a filter over as many rows',
    times: await run('filterChoices', '77'),
  }
  yield { does: filter('five choices'), floorIs: set, times: await run('filterChoices', ...some(5)) }
  yield { does: filter('forty choices'), floorIs: set, times: await run('filterChoices', ...some(40)) }
  yield {
    does: filter('words in any column'),
    floorIs: 'the same over rows of texts',
    times: await run('filterWords', '_77'),
  }
}

const some = (count: number): string[] => Array.from({ length: count }, (_unused, n) => String(n * 17))

const row = (name: string, floorIs: string, { ours, floor, first, longest }: Times, goal?: number): Comparison =>
  comparison(name, floorIs, ours, floor, {
    ...(goal !== undefined && { goal }),
    detail: { firstTime: Math.round(first), longestTask: Math.round(longest) },
  })
