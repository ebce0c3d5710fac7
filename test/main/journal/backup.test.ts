import { mkdir, readFile, readdir, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { backUpBefore } from '../../../src-main/journal/backup'
import { newerVersionOf } from '../../../src-main/journal/profile-version'
import { folderForFile } from '../../helpers/for-file'

const folder = folderForFile('flightplan-backup-')

async function profile(name: string, text?: string): Promise<{ userData: string; journal: string }> {
  const userData = join(folder, name)
  const journal = join(userData, 'journal', 'outbox.journal')
  await mkdir(join(userData, 'journal'), { recursive: true })
  if (text !== undefined) await writeFile(journal, text)
  return { userData, journal }
}

it('a new version copies the journal once before it opens it', async () => {
  const about = await profile('once', 'pending')
  const copy = await backUpBefore('0.2.0', { ...about, now: 5 })
  expect(copy).toBe(join(about.userData, 'journal', 'before-0.2.0-5.journal'))
  expect(await readFile(copy!, 'utf8')).toBe('pending')
  if (process.platform !== 'win32') expect((await stat(copy!)).mode & 0o777).toBe(0o600)
  await writeFile(about.journal, 'later')
  expect(await backUpBefore('0.2.0', { ...about, now: 6 })).toBeUndefined()
  expect(await readFile(copy!, 'utf8')).toBe('pending')
})

it('an older version that comes back copies it, too, and the last three copies stay', async () => {
  const about = await profile('back', 'x')
  const versions = ['0.1.0', '0.2.0', '0.1.0', '0.3.0-beta/1']
  for (const [now, version] of versions.entries()) await backUpBefore(version, { ...about, now })
  expect((await readdir(join(about.userData, 'journal'))).sort()).toEqual([
    'before-0.1.0-2.journal',
    'before-0.2.0-1.journal',
    'before-0.3.0-beta_1-3.journal',
    'outbox.journal',
  ])
})

it('the newest copy stays even if the clock was set back', async () => {
  const about = await profile('clock', 'x')
  for (const now of [90, 91, 92]) await backUpBefore(`0.${now}.0`, { ...about, now })
  const copy = await backUpBefore('1.0.0', { ...about, now: 5 })
  expect(await readFile(copy!, 'utf8')).toBe('x')
  expect(await readdir(join(about.userData, 'journal'))).toHaveLength(4)
})

it('a journal that can’t be read is copied at the next start', async () => {
  const about = await profile('unreadable')
  await mkdir(about.journal)
  await expect(backUpBefore('0.2.0', { ...about, now: 1 })).rejects.toThrow()
  await rmdir(about.journal)
  await writeFile(about.journal, 'pending')
  expect(await readFile((await backUpBefore('0.2.0', { ...about, now: 2 }))!, 'utf8')).toBe('pending')
})

it('a new profile has nothing to copy', async () => {
  const about = await profile('new')
  expect(await backUpBefore('0.2.0', { ...about, now: 1 })).toBeUndefined()
  expect(await readdir(join(about.userData, 'journal'))).toEqual([])
})

it('a copy that can’t be written is tried again at the next start', async () => {
  const about = await profile('full', 'pending')
  const blocked = join(about.userData, 'journal', 'before-0.2.0-1.journal')
  await mkdir(join(blocked, 'in-the-way'), { recursive: true })
  await expect(backUpBefore('0.2.0', { ...about, now: 1 })).rejects.toThrow()
  expect(await backUpBefore('0.2.0', { ...about, now: 2 })).toBe(
    join(about.userData, 'journal', 'before-0.2.0-2.journal'),
  )
})

it('a profile is newer only if a later version opened it last', async () => {
  const about = await profile('versions', 'x')
  expect(newerVersionOf(about.userData, '0.1.0')).toBeUndefined()
  await backUpBefore('0.10.0', { ...about, now: 1 })
  expect(newerVersionOf(about.userData, '0.9.0')).toBe('0.10.0')
  expect(newerVersionOf(about.userData, '0.10.0-beta.1')).toBe('0.10.0')
  for (const version of ['0.10.0', '0.10.1', '1.0.0']) expect(newerVersionOf(about.userData, version)).toBeUndefined()
})

it.each(['', '{', 'null', '{"version":7}', '{"version":"later"}', '{"version":"999.0"}'])(
  'a profile with the version file “%s” counts as this version’s',
  async (text) => {
    const { userData } = await profile(`odd${text.length}-${text.codePointAt(12) ?? 0}`)
    await writeFile(join(userData, 'version.json'), text)
    expect(newerVersionOf(userData, '0.1.0')).toBeUndefined()
  },
)
