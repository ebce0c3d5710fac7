import { mkdtemp, readFile, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../src-main/ipc/requesting-page'
import type { ChildProcess } from '../../../src-main/ipc/child-process'
import { TableWriter } from '../../../src-main/exports/write-away'
import { helperProcesses } from '../../helpers/helper-process'

const start = helperProcesses('src-main/exports/write-process.ts')
const head = { title: 'Sites', about: [], columns: [{ head: 'Site', kind: 'text' as const }] }
const options = { format: 'csv' as const, fonts: '', now: 0, replace: true }
const place = async (): Promise<string> => join(await mkdtemp(join(tmpdir(), 'write-away-')), 'sites.csv')

describe('an export of the window', () => {
  it('writes rows in their order, whatever the order in which they arrive', async () => {
    const seen: unknown[] = []
    const writer = new TableWriter(start, (progress) => void seen.push(progress))
    const path = await place()
    const id = writer.begin(path, head, options)
    writer.rows(id, { rows: [['three']], at: [2] })
    writer.rows(id, { rows: [['one'], ['two']], at: [0, 1] })
    expect(await writer.end(id)).toMatchObject({ rows: 3 })
    expect(await readFile(path, 'utf8')).toMatch(/one\r?\ntwo\r?\nthree/)
    expect(seen.at(-1)).toEqual({ id, done: 3, of: 3 })
    expect(() => writer.rows(id, { rows: [] })).toThrow(/stopped before the file was complete/)
  })

  it('that’s stopped while it collects rows ends at once and leaves nothing', async () => {
    const writer = new TableWriter(start, () => undefined)
    const path = await place()
    let done = 0
    const id = writer.begin(path, head, options, () => void done++)
    writer.rows(id, { rows: [['one']] })
    await writer.stop(id)
    expect(done).toBe(1)
    expect(await readdir(join(path, '..'))).toEqual([])
  })

  it('ends when its window does, and those of other windows go on', async () => {
    const writer = new TableWriter(start, () => undefined)
    const [one, two] = [await place(), await place()]
    const gone = answerTo(1, () => writer.begin(one, head, options))
    const stays = answerTo(2, () => writer.begin(two, head, options))
    await writer.close(1)
    expect(() => writer.rows(gone, { rows: [] })).toThrow(/stopped before the file was complete/)
    writer.rows(stays, { rows: [['one']] })
    expect(await writer.end(stays)).toMatchObject({ rows: 1 })
    expect(await readdir(join(one, '..'))).toEqual([])
  })

  it('reports a process that died', async () => {
    let child: ChildProcess | undefined
    const writer = new TableWriter(
      () => (child = start()),
      () => undefined,
    )
    const id = writer.begin(await place(), head, options)
    const refused = expect(writer.end(id)).rejects.toMatchObject({ fault: { code: 'invalid' } })
    child!.kill()
    await refused
  })
})
