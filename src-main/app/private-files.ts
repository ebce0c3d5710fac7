import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { restrict } from '../disk/private'
import { clearLeftParts } from '../exports/left-parts'

/** The app's own files, including damaged copies. Chromium's files are private already. */
const ours =
  /^(journal|logs|updates|accounts|sandbox|accounts\.json.*|open-channels\.json|reminders|version\.json|day-counts\.json|\..*\.part)$/

/** Restricts existing files to their owner, and deletes partial files of ended processes. */
export async function restrictFiles(userData: string): Promise<void> {
  for (const folder of [userData, join(userData, 'accounts')]) await clearLeftParts(folder)
  const names = await readdir(userData).catch(() => [])
  await Promise.all(names.filter((name) => ours.test(name)).map((name) => restrict(join(userData, name))))
}
