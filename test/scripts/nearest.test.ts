import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { graphOf, pageTests, reachedBy, within } from '../../scripts/nearest.mjs'

const root = resolve(import.meta.dirname, '../..')
const graph = graphOf(root)
/** Paths in pieces, since a whole one would count as a reference to the file. */
const merge = join('src-shared', 'merge', 'merge.ts')
const tables = join('src-main', 'tables', 'process.ts')

describe('the tests a change reaches', () => {
  it('load it, nearest first', () => {
    const reached = reachedBy(graph, [merge])
    const files = reached.map(({ file }) => file)
    expect(files.slice(0, 5)).toContain('test/shared/merge/merge.test.ts')
    expect(files).toContain('test/flows/two-devices.test.ts')
    expect(files.indexOf('test/shared/merge/merge.test.ts')).toBeLessThan(
      files.indexOf('test/flows/two-devices.test.ts'),
    )
    expect(reached.map(({ steps }) => steps)).toEqual(reached.map(({ steps }) => steps).sort((a, b) => a - b))
  })

  it('include those that start it as a program', () => {
    const files = reachedBy(graph, [tables]).map(({ file }) => file)
    expect(files).toContain('test/main/reports/auto-exports.test.ts')
  })

  it('include changed tests', () => {
    const [first] = reachedBy(graph, ['test/scripts/counts.test.ts'])
    expect(first).toEqual({ file: 'test/scripts/counts.test.ts', steps: 0 })
  })

  it('fit the time, short ones first at the same distance', () => {
    const files = ['a', 'long', 'b', 'c'].map((file) => ({ file }))
    const chosen = within(files, (file) => (file === 'long' ? 600 : 300), 1_000, 1)
    expect(chosen.map(({ file }) => file)).toEqual(['a', 'b', 'c'])
    expect(within([{ file: 'long' }], () => 9_000, 1_000, 1)).toHaveLength(1)
  })
})

it.each(pageTests)('the pages of %s have existing test files', (folder, names) => {
  expect(existsSync(join(root, folder as string))).toBe(true)
  for (const name of names) expect([name, existsSync(join(root, `test/page/${name}.test.ts`))]).toEqual([name, true])
})
