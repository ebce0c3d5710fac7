import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { notesOf, readUpdateFeed } from '../../scripts/update-feed.mjs'
import { readFeed } from '../../src-main/updates/feed'
import { builtInFeed } from '../../src-main/updates/feed-source'
import { feedText } from '../helpers/update-feed'
import { debianVersion, mimeTypesOf } from '../../scripts/debian.mjs'

const root = resolve(import.meta.dirname, '../..')
const text = (path: string): string => readFileSync(join(root, path), 'utf8')
const config = JSON.parse(text('electron-builder.json'))
const { scripts } = JSON.parse(text('package.json'))

describe('the packages', () => {
  it('are made for three systems, with icons that exist', () => {
    const { linux, win, mac } = config
    expect([linux.target, win.target, mac.target]).toEqual([['AppImage', 'deb', 'tar.gz'], ['nsis'], ['dmg', 'zip']])
    for (const { icon } of [linux, win, mac]) expect(existsSync(join(root, icon))).toBe(true)
  })

  it('open calendar files and links on every system', () => {
    const { fileAssociations, protocols } = config
    expect(fileAssociations).toEqual([{ ext: 'ics', name: 'iCalendar', mimeType: 'text/calendar', role: 'Viewer' }])
    expect(mimeTypesOf(fileAssociations, protocols)).toEqual([
      'text/calendar',
      'x-scheme-handler/flightplan',
      'x-scheme-handler/webcal',
      'x-scheme-handler/webcals',
    ])
    for (const system of ['linux', 'win', 'mac'])
      expect(Object.keys(config[system])).not.toEqual(expect.arrayContaining(['fileAssociations', 'protocols']))
  })

  it('have every fuse that keeps other programs from using the app', () => {
    expect(config.electronFuses).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    })
    expect(config.asar).toBe(true)
  })

  it('have no entitlement on macOS but the one that JavaScript needs', () => {
    const { hardenedRuntime, entitlements, entitlementsInherit } = config.mac
    expect([hardenedRuntime, entitlementsInherit]).toEqual([true, entitlements])
    const keys = [...text(entitlements).matchAll(/<key>([^<]+)<\/key>\s*<(\w+)\/>/g)].map(([, key, value]) => [
      key,
      value,
    ])
    expect(keys).toEqual([['com.apple.security.cs.allow-jit', 'true']])
  })

  it('need no rights of an administrator on Windows', () => {
    expect(config.nsis).toMatchObject({ perMachine: false, oneClick: false })
  })

  it('of a trial sort before the release on Debian', () => {
    expect(debianVersion('0.1.0-trial.2')).toBe('0.1.0~trial.2')
    expect(debianVersion('0.1.0')).toBe('0.1.0')
  })
})

describe('the update server', () => {
  const keys = generateKeyPairSync('ed25519')
  const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const changelog =
    '# Changelog\n\n## Unreleased\n\n- Soon.\n\n## 1.0.0\n\n- Faster.\n- Smaller.\n\n## 0.9.0\n\n- Old.\n'
  const url = 'https://updates.example/app/'

  it('of a build is one that the app accepts, with its key', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'flightplan-feed-'))
    const feed = readUpdateFeed({ url, privateKey, changelog, version: '1.0.0' })
    writeFileSync(join(folder, 'update-feed.json'), feed.builtIn)
    const source = (await builtInFeed(join(folder, 'update-feed.json')))!
    expect(source.folder.href).toBe(url)
    // As electron-builder writes it.
    const text = feedText(Buffer.from('x'), { version: '1.0.0', url: 'Flightplan-1.0.0.AppImage' })
    writeFileSync(join(folder, 'latest-linux.yml'), text)
    writeFileSync(join(folder, 'builder-debug.yml'), 'x')
    expect(feed.sign(folder)).toEqual([join(folder, 'latest-linux.yml.sig')])
    const signature = readFileSync(join(folder, 'latest-linux.yml.sig'), 'utf8')
    const about = { ...source, version: '0.1.0', platform: 'linux' } as const
    expect(readFeed(Buffer.from(text), signature, about)).toMatchObject({ version: '1.0.0' })
    expect(() => readFeed(Buffer.from(`${text} `), signature, about)).toThrow('isn’t signed')
  })

  it('gives electron-builder the address of updates and what’s new', () => {
    const adapted = {}
    readUpdateFeed({ url, privateKey, changelog, version: '1.0.0' }).adapt(adapted)
    expect(adapted).toEqual({
      publish: { provider: 'generic', url },
      releaseInfo: { releaseNotes: '- Faster.\n- Smaller.' },
    })
    expect(notesOf(changelog, '1.1.0')).toBe('- Soon.')
    expect(notesOf('', '1.1.0')).toBe('')
  })

  it('needs TLS and an Ed25519 key', () => {
    expect(() => readUpdateFeed({ url: 'http://updates.example/', privateKey, changelog, version: '1.0.0' })).toThrow(
      'https',
    )
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const pem = other.export({ type: 'pkcs8', format: 'pem' }).toString()
    expect(() => readUpdateFeed({ url, privateKey: pem, changelog, version: '1.0.0' })).toThrow('Ed25519')
  })
})

it('each released version has a profile that later ones open in tests', () => {
  const released = [...text('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version!)
  expect(released).not.toEqual([])
  const fixtures = readdirSync(join(root, 'test/fixtures')).filter((name) => name.startsWith('version-'))
  const about = fixtures.map((name) => text(`test/fixtures/${name}/README.md`))
  for (const version of released)
    expect(about.filter((words) => words.includes(`Flightplan ${version}.`))).toHaveLength(1)
})

describe('the release workflow', () => {
  const workflow = text('.github/workflows/release.yml')

  it('builds on all three systems with commands that exist', () => {
    const systems = [...workflow.matchAll(/system: (\w+)-/g)].map(([, name]) => name)
    expect(systems).toEqual(['ubuntu', 'windows', 'macos'])
    const commands = [...workflow.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!)
    expect(commands).toEqual(['dist'])
    expect(commands.filter((name) => !(name in scripts))).toEqual([])
  })

  it('uploads a file for each target', () => {
    const endings: Record<string, string> = { nsis: 'exe' }
    const { linux, win, mac } = config
    for (const target of [...linux.target, ...win.target, ...mac.target])
      expect(workflow).toContain(`dist/*.${endings[target] ?? target}\n`)
  })

  it('has no secret but from the secrets of the repository', () => {
    const values = [...workflow.matchAll(/^ +(CSC_\w+|APPLE_\w+|OAUTH_CLIENT|UPDATE_\w+|GH_TOKEN): (.*)$/gm)]
    expect(values).toHaveLength(9)
    for (const [, , value] of values) expect(value).toMatch(/^\$\{\{ .*(secrets\.[A-Z_]+|github\.token).* \}\}$/)
  })
})
