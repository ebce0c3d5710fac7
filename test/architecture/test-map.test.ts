import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { promises, type Promised } from '../promises'

const root = resolve(import.meta.dirname, '..')
const [begin, end] = ['<!-- promises: begin -->', '<!-- promises: end -->']
const allIds = [...numbered('R', 47), ...numbered('S', 15)]
const proofs = promises.flatMap(({ id, tests }) => tests.map(({ file, title }) => ({ id, file, title })))

describe('the map of promises', () => {
  it('has each promise once, in order', () => {
    expect(promises.map(({ id }) => id)).toEqual(allIds)
  })

  it('explains each gap without a test', () => {
    const silent = promises.filter(({ tests, gap }) => (tests.length === 0) !== (gap?.startsWith('none: ') ?? false))
    expect(silent.map(({ id }) => id)).toEqual([])
  })

  it.each(proofs)('$id: “$title” is in $file', ({ file, title }) => {
    const source = sourceOf(pathOf(file))
    expect(["'", '"', '`'].some((quote) => source.includes(quote + title + quote))).toBe(true)
  })

  it("matches README.md's table", () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const [from, to] = [readme.indexOf(begin) + begin.length, readme.indexOf(end)]
    expect(from >= begin.length && to > from, `README.md needs ${begin} and ${end}`).toBe(true)
    const wanted = rendered(promises)
    expect(readme.slice(from, to), `README.md needs this between its marks:\n${wanted}`).toBe(wanted)
  })
})

function numbered(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${letter}${index + 1}`)
}

/** The path below `test` that a name refers to, in whichever window folder and ring. */
function pathOf(file: string): string {
  const names = file.startsWith('window/') ? ['page', 'e2e'].map((folder) => file.replace('window', folder)) : [file]
  const paths = names
    .flatMap((name) => [`${name}.test.ts`, `${name}.all.test.ts`])
    .filter((path) => existsSync(join(root, path)))
  if (paths.length !== 1) throw new Error(`${file} should be one test file, but is ${paths.join(', ') || 'none'}`)
  return paths[0]!
}

function sourceOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

const onlyInAll = (path: string): boolean => path.endsWith('.all.test.ts')
/** Files whose samples or counts depend on the ring, as vitest.config.ts finds them. */
const moreInAll = (path: string): boolean => /helpers\/(ring|small-disk)'/.test(sourceOf(path))

function rendered(rows: readonly Promised[]): string {
  const link = (path: string): string => `[${path.replace(/(\.all)?\.test\.ts$/, '')}](${path})`
  const lines = rows.map(({ id, promise, tests, gap = '' }) => {
    const paths = [...new Set(tests.map(({ file }) => pathOf(file)))]
    const usual = paths.filter((path) => !onlyInAll(path)).map(link)
    const outer = paths.filter((path) => onlyInAll(path) || moreInAll(path)).map(link)
    return `| ${[id, promise, usual.join(', '), outer.join(', '), gap].join(' | ')} |`
  })
  const head = ['| | promise | npm test | more in test:all | not proven |', '| --- | --- | --- | --- | --- |']
  return ['', '', '<!-- prettier-ignore -->', ...head, ...lines, '', ''].join('\n')
}
