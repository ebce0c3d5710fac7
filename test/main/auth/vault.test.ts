import { mkdir, mkdtemp, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openVault, type Secrets } from '../../../src-main/auth/vault'
import { keyring, startPerson } from './person'

const secrets: Secrets = {
  clientSecret: 'client-secret-1',
  tokens: {
    access: 'access-token-1',
    refresh: 'refresh-token-1',
    expires: 5,
    clientId: 'c',
    audience: ['https://a.example'],
    endpoints: { issuer: 'https://a.example', token: 'https://a.example/t' },
  },
}
const folder = async (): Promise<string> => join(await mkdtemp(join(tmpdir(), 'flightplan-vault-')), 'accounts')

describe('secrets', () => {
  it('are sealed on disk for this user only and can be read back', async () => {
    const place = await folder()
    await openVault(place, keyring).write('a1', secrets)
    expect(await readdir(place)).toEqual(['a1.sealed'])
    const bytes = await readFile(join(place, 'a1.sealed'))
    for (const secret of ['client-secret-1', 'access-token-1', 'refresh-token-1'])
      expect(bytes.includes(secret)).toBe(false)
    expect((await stat(join(place, 'a1.sealed'))).mode & 0o077).toBe(0)
    expect(await openVault(place, keyring).read('a1')).toEqual(secrets)
  })

  it('stay in memory without a keyring', async () => {
    const place = await folder()
    const vault = openVault(place, undefined)
    await vault.write('a1', secrets)
    expect([vault.kind, await vault.read('a1')]).toEqual(['memory', secrets])
    await expect(readdir(place)).rejects.toThrow(/ENOENT/)
    expect(await openVault(place, undefined).read('a1')).toEqual({})
    await vault.sweep([])
    expect(await vault.read('a1')).toEqual({})
  })

  it('of a full sign-in never reach the disk without a keyring', async () => {
    const person = await startPerson({ seal: 'none' })
    await person.enter()
    expect(await person.status(await person.signIn.token())).toBe(200)
    await expect(readdir(person.folder)).rejects.toThrow(/ENOENT/)
  })

  it("that can't be unsealed count as missing", async () => {
    const place = await folder()
    await mkdir(place)
    await writeFile(join(place, 'a1.sealed'), 'not sealed by anybody')
    await writeFile(join(place, 'a2.sealed'), keyring.encrypt('{"tokens":{"access":1}}'))
    const vault = openVault(place, keyring)
    expect([await vault.read('a1'), await vault.read('a2'), await vault.read('a3')]).toEqual([{}, {}, {}])
  })

  it('of removed accounts are deleted, and so are partial writes', async () => {
    const place = await folder()
    const vault = openVault(place, keyring)
    await vault.write('a1', secrets)
    await vault.write('a2', secrets)
    await writeFile(join(place, 'a1.sealed.1234.part'), 'half')
    await writeFile(join(place, 'notes.txt'), 'not ours')
    await vault.sweep(['a1'])
    expect((await readdir(place)).sort()).toEqual(['a1.sealed', 'notes.txt'])
    await vault.write('a1', {})
    expect(await readdir(place)).toEqual(['notes.txt'])
  })

  it('survive many writes at once, and the last one wins', async () => {
    const place = await folder()
    const vault = openVault(place, keyring)
    await Promise.all(Array.from({ length: 20 }, (_none, n) => vault.write('a1', { clientSecret: `s${n}` })))
    expect([await readdir(place), await vault.read('a1')]).toEqual([['a1.sealed'], { clientSecret: 's19' }])
  })
})
