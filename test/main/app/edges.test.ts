import { describe, expect, it } from 'vitest'
import { readFlags } from '../../../src-main/app/flags'
import { safeExternalLink } from '../../../src-main/app/links'
import { packagedFile } from '../../../src-main/app/packaged-file'

describe('links out of the app', () => {
  it.each([
    'https://example.com/a?b=c#d',
    'http://example.com',
    'mailto:mina@example.com',
    'mailto:mina@example.com?subject=Hello',
    'https://m%C3%BCller.example/',
  ])('open %s', (link) => {
    expect(safeExternalLink(link)).toBeDefined()
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>',
    'file:///etc/passwd',
    'file://server/share',
    'smb://server/share',
    'ms-settings:privacy',
    'ms-msdt:/id',
    'vbscript:x',
    'blob:https://x',
    'about:blank',
    'chrome://settings',
    'app://flightplan/',
    'flightplan://x',
    'ftp://example.com',
    'ws://example.com',
    'tel:+1',
    'sms:1',
    'search-ms:query=x',
    'https://user:pass@example.com',
    'https://user@example.com',
    'https://',
    'http:///x y',
    'https://exa mple.com',
    'https://example.com/\u202egpj.exe',
    'https://example.com/\u0000',
    'https://example.com/\t',
    'mailto:a@b.c%0abcc:d@e.f',
    'mailto:a@b.c?subject=x%0Dbcc:y',
    '//example.com',
    '/etc/passwd',
    'C:\\windows',
    '\\\\server\\share',
    'example.com',
    '',
    ' ',
    `https://example.com/${'x'.repeat(5000)}`,
    'view-source:https://x',
    'jar:https://x',
    'intent://x',
    'steam://run',
    'x-apple.systempreferences:',
    'shell:startup',
    'ldap://x',
    'nntp://x',
    'news:x',
    'gopher://x',
    'onenote:x',
    'zoommtg://x',
    'wais://x',
    'res://x',
    'mk:@x',
    'hcp://x',
    'help:x',
    'about:config',
    'filesystem:https://x',
    'chrome-extension://x',
    'devtools://x',
    'urn:x',
    'cid:x',
  ])('block %j', (link) => {
    expect(safeExternalLink(link)).toBeUndefined()
  })
})

describe('a mailto link', () => {
  it.each([
    ['mailto:a@b.c?attach=/etc/passwd', 'mailto:a@b.c'],
    ['mailto:a@b.c?subject=x&attachment=/etc/passwd&cc=d@e.f', 'mailto:a@b.c?subject=x&cc=d@e.f'],
    ['mailto:a@b.c?%61ttach=/etc/passwd&body=hello%20there', 'mailto:a@b.c?body=hello%20there'],
    ['mailto:a@b.c?ATTACH=x&Subject=x&Bcc=d@e.f&to=g@h.i', 'mailto:a@b.c?Subject=x&Bcc=d@e.f&to=g@h.i'],
    ['mailto:a@b.c?subject=x;attach=/etc/passwd', 'mailto:a@b.c?subject=x%3Battach=/etc/passwd'],
    ['mailto:a@b.c?subject=x&amp;attach=/etc/passwd', 'mailto:a@b.c?subject=x'],
    ['mailto:a@b.c?%zz=1&In-Reply-To=x', 'mailto:a@b.c'],
    ['MAILTO:a@b.c?insert=/etc/passwd#x', 'mailto:a@b.c'],
  ])('%s keeps only addresses, subject, and body', (link, opened) => {
    expect(safeExternalLink(link)).toBe(opened)
  })
})

describe('app:// addresses', () => {
  const folder = '/opt/flightplan/renderer'

  it.each([
    ['app://flightplan/', 'index.html'],
    ['app://flightplan/index.html', 'index.html'],
    ['app://flightplan/assets/main.js?x=1#y', 'assets/main.js'],
    ['app://flightplan/a/../index.html', 'index.html'],
  ])('%s maps to a packaged file', (address, file) => {
    expect(packagedFile(folder, address)).toBe(`${folder}/${file}`)
  })

  const climbs = [
    '../../../etc/passwd',
    '..%2f..%2f..%2fetc/passwd',
    '%2e%2e/%2e%2e/etc/passwd',
    '..%5c..%5cetc',
    '....//....//etc',
    '%252e%252e/etc/passwd',
    '..;/etc',
    '%00/etc/passwd',
    'etc/passwd%00.html',
    '.%2e/.%2e/x.js',
    '\\..\\..\\x.js',
    '%c0%ae%c0%ae/x.js',
    '%ff',
    'x%',
    './/../../x.js%2f..%2f..%2fetc',
  ]
  it.each(
    climbs.flatMap((path) => [
      `app://flightplan/${path}`,
      `app://flightplan//${path}`,
      `app://flightplan/assets/${path}`,
    ]),
  )("%s can't leave the package", (address) => {
    const file = packagedFile(folder, address)
    expect(file === undefined || file.startsWith(`${folder}/`)).toBe(true)
    expect(file ?? '').not.toContain('passwd')
  })

  it.each([
    'app://other/index.html',
    'https://flightplan/index.html',
    'file:///etc/passwd',
    'app://flightplan/package.map',
    'app://flightplan/noextension',
    'nonsense',
  ])('%s is rejected', (address) => {
    expect(packagedFile(folder, address)).toBeUndefined()
  })
})

describe('the command line', () => {
  it("gets the service token from the environment, where `ps` doesn't show it", () => {
    const flag = ['.', '--service-url', 'http://127.0.0.1:1', '--service-token', 'seen']
    expect(readFlags(flag, { FLIGHTPLAN_SERVICE_TOKEN: 'unseen' }).serviceToken).toBe('unseen')
    expect(readFlags(flag, { FLIGHTPLAN_SERVICE_TOKEN: '' }).serviceToken).toBe('seen')
  })

  it('parses flags and falls back to sensible values', () => {
    expect(readFlags(['.', '--scale', '20', '--seed', 'empty', '--no-sandbox', '--unattended'])).toMatchObject({
      scale: 20,
      seed: 'empty',
      unattended: true,
      hidden: false,
    })
    expect(readFlags(['--scale', 'many', '--seed', 'nonsense'])).toMatchObject({ scale: 1, seed: 'demo' })
    expect(readFlags(['--scale', '-4']).scale).toBe(1)
    expect(readFlags(['--user-data=/tmp/x', '--save-to='])).toMatchObject({ userData: '/tmp/x', saveTo: undefined })
  })
})
