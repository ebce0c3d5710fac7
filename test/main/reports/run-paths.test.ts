import fc from 'fast-check'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Library } from '../../../src-main/reports/library'
import { FileMover } from '../../../src-main/reports/move-files'
import { ReportFolder } from '../../../src-main/reports/report-folder'
import { keptRun } from '../../helpers/kept-run'

let home: string
let root: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'run-paths-'))
  root = join(home, 'data', 'reports')
  for (const name of ['data/reports/sandbox/x', 'data/journal', 'Documents']) {
    await mkdir(join(home, name), { recursive: true })
    await writeFile(join(home, name, 'kept.txt'), name)
  }
})
afterEach(() => rm(home, { recursive: true }))

const all = async (): Promise<string[]> => (await readdir(home, { recursive: true })).sort()

describe('run folders', () => {
  it.each(['', '.', '..', '../x', '../../journal', '../../../Documents', 'a/b', 'a\\b', '/tmp', '.aside-x'])(
    'are never looked up for “%s”',
    async (id) => {
      const library = new Library(root)
      const before = await all()
      const run = keptRun(id)
      for (const work of [
        () => library.putAside(run),
        () => library.bringBack(run),
        () => library.remove(run),
        () => library.read(run),
        () => library.keep(run),
        () => library.ready(run),
        () => library.hold(run),
        () => library.hasPart(run, 0),
        () => library.hasFile(run),
      ])
        await expect((async () => work())()).rejects.toMatchObject({ fault: { code: 'invalid' } })
      expect(await all()).toEqual(before)
    },
  )

  it("stay below their account's folder, whatever their names", () => {
    const library = new Library(root)
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '.', '..', '../..', '/', 'C:')),
        fc.oneof(fc.string(), fc.stringMatching(/^[\w.\\/-]{0,12}$/)),
        (accountId, id) => {
          let path: string
          try {
            path = library.folderOf({ accountId, id })
          } catch {
            return
          }
          const parts = relative(root, path).split(sep)
          expect(parts).toHaveLength(2)
          for (const part of parts) expect(['', '.', '..']).not.toContain(part)
        },
      ),
    )
  })

  it('are deleted with a returning folder only for removed accounts', async () => {
    for (const removed of ['', '.', '..', '../journal', '../../Documents', 'a/b', '%2e%2e']) {
      await writeFile(join(home, 'data', 'report-files.json'), JSON.stringify({ version: 1, removed: [removed] }))
      const before = await all()
      const folder = await ReportFolder.open(join(home, 'data'))
      const mover = new FileMover({
        folder,
        library: new Library(folder.usual, folder),
        whileHeld: (work) => work(),
        quietly: (work) => work(),
        onprogress: () => undefined,
      })
      await mover.begin()
      expect([removed, await all()]).toEqual([removed, before])
    }
  })
})
