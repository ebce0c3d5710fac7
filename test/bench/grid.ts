import { launchEmpty } from './empty-window'
import { comparison, type Comparison } from './measure'
import { inPage, pageScript } from './page-bundle'
import type { Times } from './grid-page'

type GridPage = typeof import('./grid-page')

/** Placements, ads, creatives. */
const counts = [100_000, 130_000, 50_000] as const

/** 100,000 rows sorted, filtered and found by name through the app's own tables, in real Chromium. */
export async function grid(): Promise<Comparison[]> {
  const script = await pageScript('grid-page')
  const { electron, page } = await launchEmpty()
  try {
    await page.evaluate(script)
    await inPage<GridPage, 'take'>(page, 'take', ...counts)
    const typed = 'a typed array of 100,000 numbers that is sorted'
    const all = '`includes` over an array of 280,000 names in small letters'
    const names = '`includes` over an array of 100,000 names in small letters'
    const run = <N extends 'sort' | 'filterText' | 'filterChoices' | 'filterWords' | 'find'>(
      name: N,
      ...args: Parameters<GridPage[N]>
    ): Promise<Times> => inPage<GridPage, N>(page, name, ...(args as never)) as Promise<Times>
    return [
      row('sorting 100,000 rows by name', typed, await run('sort', 'name', false)),
      row('sorting 100,000 rows by date, down', typed, await run('sort', 'startDate', true)),
      row('filtering 100,000 rows by a text in the name', names, await run('filterText', '_777')),
      row('filtering 100,000 rows by one choice', 'a filter over 100,000 rows', await run('filterChoices', '77')),
      row('filtering 100,000 rows by five choices', 'a filter with a set', await run('filterChoices', ...some(5))),
      row('filtering 100,000 rows by forty choices', 'a filter with a set', await run('filterChoices', ...some(40))),
      row(
        'filtering 100,000 rows by words in any column',
        'the same over rows of texts',
        await run('filterWords', '_777'),
      ),
      row('finding a name among 280,000 records', all, await run('find', '_77777')),
      row('finding words that all names hold', all, await run('find', '300x250')),
    ]
  } finally {
    await electron.close()
  }
}

const some = (count: number): string[] => Array.from({ length: count }, (_unused, n) => String(n * 17))

const row = (name: string, floorIs: string, { ours, floor, first, longest }: Times): Comparison =>
  comparison(name, floorIs, ours, floor, { firstTime: Math.round(first), longestTask: Math.round(longest) })
