import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DatabaseFolder } from '../../../src-main/app/database-folder'
import { smallDisk } from '../../helpers/small-disk'

const profile = (): Promise<string> => mkdtemp(join(tmpdir(), 'flightplan-databases-'))

async function addDatabases(userData: string, content: string): Promise<void> {
  await mkdir(join(userData, 'IndexedDB'))
  await writeFile(join(userData, 'IndexedDB', 'CURRENT'), content)
}

describe('databases that can’t be opened', () => {
  it('are moved aside once in a run, instead of those of an earlier run, until they are forgotten', async () => {
    const userData = await profile()
    const aside = join(userData, 'IndexedDB damaged')
    for (const run of ['first', 'second']) {
      await addDatabases(userData, run)
      const databases = new DatabaseFolder(userData)
      expect(await Promise.all([databases.setAside(), databases.setAside()])).toEqual([aside, aside])
      await addDatabases(userData, 'new')
      expect(await databases.setAside()).toBe(aside)
      expect(await readFile(join(aside, 'CURRENT'), 'utf8')).toBe(run)
      expect(await readFile(join(userData, 'IndexedDB', 'CURRENT'), 'utf8')).toBe('new')
      await new DatabaseFolder(userData).forget()
      expect(await readdir(userData)).toEqual(['IndexedDB'])
      await new DatabaseFolder(userData).setAside()
    }
  })

  it('stay if the disk is full, which is then the reason', async () => {
    const userData = await profile()
    const disk = smallDisk(userData, 64 * 1024)
    try {
      await addDatabases(userData, 'mine')
      await expect(new DatabaseFolder(userData).setAside()).rejects.toMatchObject({
        fault: { code: 'storage', reason: 'ENOSPC', message: /^Your disk is full\. Nothing changed\./ },
      })
      expect(await readdir(userData)).toEqual(['IndexedDB'])
    } finally {
      disk.remove()
    }
  })

  it('are nowhere in a new profile', async () => {
    expect(await new DatabaseFolder(await profile()).setAside()).toBeNull()
  })
})
