import { launchEmpty } from './empty-window'
import { comparison, type Comparison } from './measure'
import { memoryOf } from './memory-use'
import { inPage, pageScript } from './page-bundle'

type PlacementsPage = typeof import('./placements-page')

const count = 100_000
const indexed = 10_000

/** The layout of 100,000 placements of 2.5 KB in real Chromium: written, opened again, held in memory. */
export async function placements(): Promise<Comparison[]> {
  const script = await pageScript('placements-page')
  const { electron, page } = await launchEmpty()
  const pid = electron.process().pid!
  try {
    const empty = await memoryOf(pid)
    await page.evaluate(script)
    const floor = await inPage<PlacementsPage, 'writeIndexedPlacements'>(page, 'writeIndexedPlacements', indexed)
    const ours = await inPage<PlacementsPage, 'writePlacements'>(page, 'writePlacements', count)
    // A page that remembers nothing of the writing.
    await page.reload()
    await page.evaluate(script)
    const { ms, opened } = await inPage<PlacementsPage, 'openPlacements'>(page, 'openPlacements', count)
    const memory = await memoryOf(pid)
    return [
      comparison(
        'writing 100,000 placements',
        'bulkPut of as many rows under four indexes, from 10,000',
        ours,
        (floor * count) / indexed,
      ),
      comparison('columns of 100,000 placements in memory', 'one second', ms, 1_000, {
        openOne: Math.round(opened * 10) / 10,
      }),
      comparison('memory with the columns of 100,000 placements, MB', 'an empty Electron window', memory, empty),
    ]
  } finally {
    await electron.close()
  }
}
