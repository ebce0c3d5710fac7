import { launchEmpty } from './empty-window'
import { comparison, againstFew, type Comparison } from './measure'
import { inPage, pageScript } from './page-bundle'
import type { Times } from './grid-page'

type GridPage = typeof import('./grid-page')
type Asked = 'sort' | 'filterText' | 'filterChoices' | 'filterWords' | 'find'
type Run = <N extends Asked>(name: N, ...args: Parameters<GridPage[N]>) => Promise<Times>

/** Placements, ads, creatives. */
const counts = [100_000, 130_000, 50_000] as const

/** 100,000 rows sorted, filtered and found by name through the app's own tables, in real Chromium; and 1,000, a hundred times. */
export async function grid(): Promise<Comparison[]> {
  const script = await pageScript('grid-page')
  const { electron, page } = await launchEmpty()
  try {
    await page.evaluate(script)
    const run: Run = (name, ...args) => inPage<GridPage, Asked>(page, name, ...(args as never)) as Promise<Times>
    await inPage<GridPage, 'take'>(page, 'take', ...counts)
    const many = await inOneTable(run)
    const all = '`includes` over an array of 280,000 names in small letters'
    const found = [
      row('finding a name among 280,000 records', all, await run('find', '_77777')),
      row('finding words that all names hold', all, await run('find', '300x250')),
    ]
    await inPage<GridPage, 'take'>(page, 'take', 1_000, 0, 0, counts[0])
    const few = await inOneTable(run)
    return [
      ...many.map(({ does, floorIs, times }) => row(does('100,000 rows'), floorIs, times)),
      ...found,
      ...many.map(({ does, times }, at) =>
        againstFew(does('100,000 rows'), '1,000 rows, a hundred times', times, few[at]!.times),
      ),
    ]
  } finally {
    await electron.close()
  }
}

interface Measured {
  does: (rows: string) => string
  floorIs: string
  times: Times
}

async function inOneTable(run: Run): Promise<Measured[]> {
  const typed = 'a typed array of as many numbers that is sorted'
  const names = '`includes` over an array of as many names in small letters'
  const set = 'a filter with a set'
  const filter = (by: string) => (rows: string) => `filtering ${rows} by ${by}`
  const sort = (by: string) => (rows: string) => `sorting ${rows} by ${by}`
  return [
    { does: sort('name'), floorIs: typed, times: await run('sort', 'name', false) },
    { does: sort('date, down'), floorIs: typed, times: await run('sort', 'startDate', true) },
    { does: filter('a text in the name'), floorIs: names, times: await run('filterText', '_77') },
    { does: filter('one choice'), floorIs: 'a filter over as many rows', times: await run('filterChoices', '77') },
    { does: filter('five choices'), floorIs: set, times: await run('filterChoices', ...some(5)) },
    { does: filter('forty choices'), floorIs: set, times: await run('filterChoices', ...some(40)) },
    {
      does: filter('words in any column'),
      floorIs: 'the same over rows of texts',
      times: await run('filterWords', '_77'),
    },
  ]
}

const some = (count: number): string[] => Array.from({ length: count }, (_unused, n) => String(n * 17))

const row = (name: string, floorIs: string, { ours, floor, first, longest }: Times): Comparison =>
  comparison(name, floorIs, ours, floor, { firstTime: Math.round(first), longestTask: Math.round(longest) })
