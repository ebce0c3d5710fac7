import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startAlone } from '../helpers/app'

/** Where nobody answers a dialog, it has to end by itself. */
const start = (userData: string): ReturnType<typeof startAlone> => startAlone(userData, ['--seed', 'empty'])
const folder = (): Promise<string> => mkdtemp(join(tmpdir(), 'flightplan-start-'))

describe('a start that cannot happen says so, with the path, and does not end as if all were well', () => {
  it('in a place that is no folder', async () => {
    const file = join(await folder(), 'file')
    await writeFile(file, 'mine')
    const { code, said } = await start(join(file, 'data'))
    expect(code).toBe(1)
    expect(said).toContain('Flightplan cannot start. Flightplan cannot keep its data here:')
    expect(said).toContain(join(file, 'data'))
    expect(said).toContain('Part of the path is a file where a folder is needed. Nothing was changed or deleted.')
  })

  it('in a place that is a file', async () => {
    const file = join(await folder(), 'file')
    await writeFile(file, 'mine')
    const { code, said } = await start(file)
    expect([code, said.includes(file)]).toEqual([1, true])
    expect(said).toContain('There is a file where a folder is needed.')
  })

  it('with a journal that is a folder', async () => {
    const userData = await folder()
    const journal = join(userData, 'journal', 'outbox.journal')
    await mkdir(join(journal, 'inside'), { recursive: true })
    const { code, said } = await start(userData)
    expect(code).toBe(1)
    expect(said).toContain('The journal of unsent changes cannot be used:')
    expect(said).toContain(journal)
    expect(said).toContain('There is a folder where a file is needed.')
    expect(await readdir(journal)).toEqual(['inside'])
  })
})
