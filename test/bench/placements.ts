import { launchEmpty } from './empty-window'
import { comparison, digits, memoryGoal, type Bench, type Comparison } from './measure'
import { memoryOf } from './memory-use'
import { inPage, pageScript } from './page-bundle'

type PlacementsPage = typeof import('./placements-page')

/** Storage of many 2.5 KB placements in Chromium: writing, reopening, and memory. */
export async function* placements({ long, step }: Bench): AsyncGenerator<Comparison, void, void> {
  const [count, indexed] = long ? [100_000, 10_000] : [20_000, 4_000]
  const many = `${digits(count)} placements`
  step('building the page')
  const script = await pageScript('placements-page')
  const { electron, page } = await launchEmpty()
  const pid = electron.process().pid!
  try {
    const empty = await memoryOf(pid)
    await page.evaluate(script)
    step(`writing ${digits(indexed)} placements under four indexes`)
    const floor = await inPage<PlacementsPage, 'writeIndexedPlacements'>(page, 'writeIndexedPlacements', indexed)
    step(`writing ${many} as blocks`)
    const ours = await inPage<PlacementsPage, 'writePlacements'>(page, 'writePlacements', count)
    const floorIs = `bulkPut of as many rows under four indexes, from ${digits(indexed)}`
    yield comparison(`writing ${many}`, floorIs, ours, (floor * count) / indexed)
    // A page without leftovers of the writing.
    await page.reload()
    await page.evaluate(script)
    step(`opening ${many}`)
    const { ms, opened } = await inPage<PlacementsPage, 'openPlacements'>(page, 'openPlacements', count)
    yield comparison(`columns of ${many} in memory`, 'one second', ms, 1_000, {
      goal: 1,
      detail: { openOne: Math.round(opened * 10) / 10 },
    })
    const memory = await memoryOf(pid)
    yield comparison(`memory with the columns of ${many}`, 'an empty Electron window', memory, empty, {
      goal: memoryGoal(empty),
      unit: 'MB',
    })
  } finally {
    await electron.close()
  }
}
