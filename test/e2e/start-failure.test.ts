import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startAlone } from '../helpers/app'

/** Must end on its own, because no one answers a dialog. */
const start = (userData: string): ReturnType<typeof startAlone> => startAlone(userData, ['--seed', 'empty'])
const folder = (): Promise<string> => mkdtemp(join(tmpdir(), 'flightplan-start-'))

describe('a failed start shows an error with the path and a nonzero exit code', () => {
  it('when part of the path is a file', async () => {
    const file = join(await folder(), 'file')
    await writeFile(file, 'mine')
    const { code, said } = await start(join(file, 'data'))
    expect(code).toBe(1)
    expect(said).toContain('Flightplan can’t start. Flightplan can’t save its data here:')
    expect(said).toContain(join(file, 'data'))
    expect(said).toContain('Part of the path is a file instead of a folder. Your data is unchanged.')
  })

  it('when the folder is a file', async () => {
    const file = join(await folder(), 'file')
    await writeFile(file, 'mine')
    const { code, said } = await start(file)
    expect([code, said.includes(file)]).toEqual([1, true])
    expect(said).toContain('The path leads to a file instead of a folder.')
  })

  it('when the journal is a folder', async () => {
    const userData = await folder()
    const journal = join(userData, 'journal', 'outbox.journal')
    await mkdir(join(journal, 'inside'), { recursive: true })
    const { code, said } = await start(userData)
    expect(code).toBe(1)
    expect(said).toContain('Couldn’t open the journal of pending changes:')
    expect(said).toContain(journal)
    expect(said).toContain('The path leads to a folder instead of a file.')
    expect(await readdir(journal)).toEqual(['inside'])
  })
})
