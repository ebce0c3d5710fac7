import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeAccounts, readAccounts } from '../../../src-main/accounts/file'
import { channelsFile } from '../../../src-main/app/kept-state'
import { restrictFiles } from '../../../src-main/app/private-files'
import { openVault } from '../../../src-main/auth/vault'
import { partName } from '../../../src-main/exports/left-parts'
import { saveFile } from '../../../src-main/exports/save-file'
import { Journal } from '../../../src-main/journal/journal'

const folder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), 'flightplan-private-'))
  // Opens the path to other users: only the modes below protect it.
  await chmod(made, 0o755)
  return made
}

/** Modes of everything in a folder, by path. */
async function modes(at: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const name of await readdir(at, { recursive: true })) {
    const { mode } = await stat(join(at, name))
    found[name] = (mode & 0o777).toString(8)
  }
  return found
}

describe("the app's files", () => {
  it('are private to their user: journal, damaged lines, accounts, sign-ins, channels', async () => {
    const at = await folder()
    await mkdir(join(at, 'journal'), { mode: 0o700 })
    await writeFile(join(at, 'journal', 'outbox.journal'), 'a damaged line\n')
    const journal = await Journal.open(join(at, 'journal', 'outbox.journal'))
    await journal.close()
    await writeAccounts(join(at, 'accounts.json'), [])
    await channelsFile(at).write([])
    const seal = { encrypt: (text: string) => Buffer.from(text), decrypt: (bytes: Buffer) => bytes.toString() }
    await openVault(join(at, 'accounts'), seal).write('a1', { clientSecret: 'x' })
    const found = Object.entries(await modes(at)).map(([name, mode]) => [name.replace(/\d{10,}/, 'N'), mode])
    expect(Object.fromEntries(found)).toEqual({
      accounts: '700',
      'accounts/a1.sealed': '600',
      'accounts.json': '600',
      journal: '700',
      'journal/journal-damaged-N.txt': '600',
      'journal/outbox.journal': '600',
      'open-channels.json': '600',
    })
  })

  it('lose partial writes of dead processes, but not of running ones', async () => {
    const at = await folder()
    await mkdir(join(at, 'accounts'), { mode: 0o700 })
    const gone = spawnSync(process.execPath, ['-e', '']).pid
    const mine = partName('accounts.json')
    const names = [mine, `accounts/${partName('a')}`].flatMap((name) => [
      name,
      name.replace(`-${process.pid}.`, `-${gone}.`),
    ])
    for (const name of names) await writeFile(join(at, name), '')
    await restrictFiles(at)
    expect((await readdir(at, { recursive: true })).filter((name) => name.endsWith('.part')).sort()).toEqual(
      names.filter((name) => name.includes(`-${process.pid}.`)).sort(),
    )
  })

  it('left readable by an earlier version become private at the next start, and no others', async () => {
    const at = await folder()
    const outside = join(await folder(), 'theirs')
    await writeFile(outside, 'x')
    for (const name of ['journal', 'accounts', 'sandbox', 'elsewhere']) await mkdir(join(at, name))
    const open = ['journal/outbox.journal', 'accounts/a1.sealed', 'sandbox/state.db', 'accounts.json', 'elsewhere/x']
    for (const name of [...open, 'accounts.json.damaged-1', 'open-channels.json'])
      await writeFile(join(at, name), '[', { mode: 0o644 })
    await symlink(outside, join(at, 'sandbox', 'link'))
    await restrictFiles(at)
    expect(await modes(at)).toEqual({
      'accounts.json': '600',
      'accounts.json.damaged-1': '600',
      'open-channels.json': '600',
      accounts: '700',
      'accounts/a1.sealed': '600',
      elsewhere: '755',
      'elsewhere/x': '644',
      journal: '700',
      'journal/outbox.journal': '600',
      sandbox: '700',
      'sandbox/state.db': '600',
      'sandbox/link': '644',
    })
    expect((await readAccounts(join(at, 'accounts.json'), () => 0)).whole).toBe(false)
  })

  it('differ from exports, which get your usual permissions', async () => {
    const at = await folder()
    await saveFile(join(at, 'export.csv'), ['x'])
    expect(await modes(at)).toEqual({ 'export.csv': (0o666 & ~process.umask()).toString(8) })
  })
})
