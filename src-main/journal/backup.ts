import { readFile, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { KeptFile } from '../disk/kept-file'
import { savePrivate } from '../disk/private'
import { versionFile } from './profile-version'

/** Number of backups to keep. */
const kept = 3
const backupName = /^before-(.+)-(\d+)\.journal$/

/**
 * Copies the journal before another version than the last one opens it, so that pending changes survive even a mistake of that
 * version. The last few copies stay next to the journal.
 * @param now epoch milliseconds
 * @returns the path of the copy, or undefined if there was nothing to copy
 * @throws FaultError `storage`. The next start tries again.
 */
export async function backUpBefore(
  version: string,
  { userData, journal, now }: { userData: string; journal: string; now: number },
): Promise<string | undefined> {
  const lastVersion = new KeptFile(versionFile(userData), z.object({ version: z.string() }), {
    missing: { version: '' },
  })
  if ((await lastVersion.read()).version === version) return undefined
  const bytes = await readFile(journal).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  })
  const copy = bytes && join(dirname(journal), `before-${version.replaceAll(/[^\w.-]/g, '_')}-${now}.journal`)
  if (copy) {
    await savePrivate(copy, [bytes])
    await removeOld(dirname(journal), basename(copy))
  }
  await lastVersion.write({ version })
  return copy
}

/** Deletes all but the last copies. @param newest the newest copy, because the clock may have been set back */
async function removeOld(folder: string, newest: string): Promise<void> {
  const copies = (await readdir(folder)).filter((name) => backupName.test(name) && name !== newest)
  const time = (name: string): number => Number(backupName.exec(name)![2])
  const old = copies.sort((a, b) => time(b) - time(a)).slice(kept - 1)
  for (const name of old) await rm(join(folder, name), { force: true })
}
