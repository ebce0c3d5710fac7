import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RunManager } from '../../../src-main/reports/run-manager'
import { readFileFacts } from '../../../src-main/reports/file-facts'
import { Library } from '../../../src-main/reports/library'
import { clockFromMoment } from '../../helpers/moment'
import { keptRun } from '../../helpers/kept-run'

const id = '00001000000000-0a0b0c0d'
const text = 'Site,Clicks\r\nA,5\r\n'
let folder: string
let library: Library
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'damaged-'))
  library = new Library(folder)
})
afterEach(() => rm(folder, { recursive: true }))
const deskOf = (library: Library): RunManager =>
  new RunManager({
    library,
    readFacts: readFileFacts,
    clientOf: () => undefined,
    clock: clockFromMoment(),
    random: () => 0.5,
    changed: () => undefined,
    removed: () => undefined,
    keep: () => 10,
  })

describe('the file of a run', () => {
  const run = keptRun(id, { bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') })
  beforeEach(async () => {
    await library.keep(run)
    await writeFile(library.fileOf(run), text)
  })
  const refused = {
    fault: {
      code: 'storage',
      message: expect.stringMatching(
        /^The results of “Delivery” were changed after the download\. .*report\.csv\. Run the report again\.$/,
      ) as string,
    },
  }

  it('is accepted when unchanged, also without a hash from an earlier version', async () => {
    await library.checkFile(run)
    await library.checkFile(keptRun(id, { bytes: text.length }))
    await library.checkFile(keptRun(id))
  })

  it('is reported as damaged when truncated or altered', async () => {
    await writeFile(library.fileOf(run), text.replace('5', '6'))
    await expect(library.checkFile(run)).rejects.toMatchObject(refused)
    await truncate(library.fileOf(run), 13)
    await expect(library.checkFile(keptRun(id, { bytes: text.length }))).rejects.toMatchObject(refused)
  })
})

describe('an unreadable run record', () => {
  it.each(['', '{"version":1,"id"', '{"version":1}', '[]', '7'])('is listed with its path: %s', async (record) => {
    await library.keep(keptRun('other'))
    await mkdir(join(folder, 'sandbox', id))
    const path = join(folder, 'sandbox', id, 'run.json')
    await writeFile(path, record)
    expect(await library.damaged('sandbox')).toEqual([{ id, path }])
    const desk = deskOf(library)
    const runs = await desk.runs('sandbox')
    expect(runs.map((run) => [run.id, run.state])).toEqual(
      expect.arrayContaining([
        [id, 'failed'],
        ['other', 'kept'],
      ]),
    )
    expect(runs.find((run) => run.id === id)!.words).toContain(path)
    await desk.remove('sandbox', id)
    expect((await desk.runs('sandbox')).map((run) => run.id)).toEqual(['other'])
  })

  it('of a newer version is listed with its path, and stays unchanged', async () => {
    await mkdir(join(folder, 'sandbox', id), { recursive: true })
    const path = join(folder, 'sandbox', id, 'run.json')
    const record = '{"version":2,"other":true}'
    await writeFile(path, record)
    expect(await library.damaged('sandbox')).toEqual([{ id, path, newer: true }])
    const [run] = await deskOf(library).runs('sandbox')
    expect(run).toMatchObject({ id, name: 'Run from a newer version', damaged: true })
    expect(run!.words).toMatch(/newer version of Flightplan/)
    expect(await readFile(path, 'utf8')).toBe(record)
  })
})
