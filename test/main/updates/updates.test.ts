import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NetworkSwitch } from '../../../src-main/app/network'
import { openEngine } from '../../../src-main/updates/engine'
import { feedName } from '../../../src-main/updates/feed'
import { builtInFeed, feedSource } from '../../../src-main/updates/feed-source'
import { Updates } from '../../../src-main/updates/updates'
import { feedText, startUpdateFeed, updatePublicKey, type FakeFeed } from '../../helpers/update-feed'

const update = randomBytes(300_000)
const path = '/feed/Flightplan-9.0.0.AppImage'

let feed: FakeFeed
let userData: string
/** The AppImage that runs. */
let image: string
let log: string[]
let network: NetworkSwitch

beforeEach(async () => {
  feed = await startUpdateFeed()
  userData = await mkdtemp(join(tmpdir(), 'flightplan-update-'))
  image = join(userData, 'apps', 'Flightplan.AppImage')
  await mkdir(join(userData, 'apps'))
  await writeFile(image, 'the old version', { mode: 0o755 })
  vi.stubEnv('APPIMAGE', image)
  log = []
  network = new NetworkSwitch()
})
afterEach(() => feed.stop())

const open = (more: { version?: string; platform?: NodeJS.Platform } = {}): Promise<Updates> =>
  Updates.open({
    userData,
    source: 'feed',
    engine: () =>
      Promise.resolve(
        openEngine({
          source: feedSource(feed.url, updatePublicKey),
          fetch: network.guard(fetch),
          ...{ version: '0.1.0', platform: 'linux', arch: 'x64', folder: join(userData, 'updates') },
          ...more,
        }),
      ),
    now: () => 5,
    changed: () => undefined,
    log: (happened, code) => log.push(code ? `${happened} ${code}` : happened),
  })

/** What was left of downloads. */
const left = async (): Promise<string[]> =>
  (await readdir(join(userData, 'updates'), { recursive: true }).catch(() => [])).filter((name) =>
    /\.AppImage/.test(name),
  )

describe('a good update', () => {
  beforeEach(() => {
    feed.publish(feedText(update))
    feed.put(path, update)
  })

  it('is found, downloaded, and installed when the app quits, in one step', async () => {
    const updates = await open()
    const state = await updates.check()
    expect(state).toEqual({
      ...{ source: 'feed', automatic: true, phase: 'ready', checkedAt: 5 },
      next: { version: '9.0.0', notes: 'Faster.' },
    })
    expect(await readFile(image, 'utf8')).toBe('the old version')
    expect(updates.install(true)).toBe(true)
    expect((await readFile(image)).equals(update)).toBe(true)
    expect((await stat(image)).mode & 0o777).toBe(0o755)
    expect(await readdir(join(userData, 'apps'))).toEqual(['Flightplan.AppImage'])
    expect(await left()).toEqual([])
    expect(log).toEqual(['ready', 'installed'])
  })

  it('waits for the next quit if something was being sent or written', async () => {
    const updates = await open()
    await updates.check()
    expect(updates.install(false)).toBe(false)
    expect(await readFile(image, 'utf8')).toBe('the old version')
    const next = await open()
    feed.asked.length = 0
    await next.check()
    expect(next.install(true)).toBe(true)
    expect((await readFile(image)).equals(update)).toBe(true)
    // It was still there from the last time.
    expect(feed.asked).not.toContain(path)
  })

  it('that changed on the disk before the app quits isn’t installed', async () => {
    const updates = await open()
    await updates.check()
    const [name] = await left()
    await writeFile(join(userData, 'updates', name!), 'something else')
    expect(updates.install(true)).toBe(false)
    expect(await readFile(image, 'utf8')).toBe('the old version')
    expect(await readdir(join(userData, 'apps'))).toEqual(['Flightplan.AppImage'])
    expect(log).toEqual(['ready', 'failed'])
  })

  it('isn’t looked for again and downloads once, however often someone asks', async () => {
    const updates = await open()
    await Promise.all([updates.check(), updates.check()])
    await updates.check()
    expect(feed.asked.filter((one) => one === path)).toHaveLength(1)
  })

  it('sends nothing that identifies this computer, and stores no ID', async () => {
    const headers: string[] = []
    const serve = feed.answers.get(path)!
    feed.answers.set(path, (request, response) => {
      headers.push(...Object.keys(request.headers))
      serve(request, response)
    })
    const updates = await open()
    await updates.check()
    expect(headers.filter((name) => /staging|cookie|authorization|^x-/.test(name))).toEqual([])
    expect((await readdir(userData, { recursive: true })).filter((name) => /updaterId/i.test(name))).toEqual([])
  })

  it('isn’t asked for in offline mode', async () => {
    network.set(true)
    const updates = await open()
    expect(await updates.check()).toMatchObject({ phase: 'idle', problem: 'Offline mode is on.' })
    expect(feed.asked).toEqual([])
  })
})

describe('turning updates off', () => {
  beforeEach(() => {
    feed.publish(feedText(update))
    feed.put(path, update)
  })

  /** Opens with the first look at once, as the timer does it later. */
  async function foundAlone(): Promise<Updates> {
    await (await open()).change({ automatic: false })
    const updates = await open()
    await updates.change({ automatic: true })
    return updates
  }

  it('cancels an update that was downloaded without being asked for', async () => {
    const updates = await foundAlone()
    await expect.poll(() => updates.state.phase).toBe('ready')
    expect(await updates.change({ automatic: false })).toEqual({
      ...{ source: 'feed', automatic: false, phase: 'idle', checkedAt: 5 },
    })
    expect(updates.install(true)).toBe(false)
    expect(await readFile(image, 'utf8')).toBe('the old version')
    // It can still be asked for.
    expect(await updates.check()).toMatchObject({ phase: 'ready' })
    expect(updates.install(true)).toBe(true)
  })

  it('cancels one that is being downloaded', async () => {
    const serve = feed.answers.get(path)!
    let go: (() => void) | undefined
    feed.answers.set(path, (request, response) => void (go = () => serve(request, response)))
    const updates = await foundAlone()
    await expect.poll(() => go !== undefined).toBe(true)
    await updates.change({ automatic: false })
    go!()
    await expect.poll(() => updates.state.phase).toBe('idle')
    expect(updates.state).not.toHaveProperty('next')
    expect(updates.install(true)).toBe(false)
  })

  it('keeps one that was asked for', async () => {
    const updates = await open()
    await updates.check()
    expect(await updates.change({ automatic: false })).toMatchObject({ phase: 'ready' })
    expect(updates.install(true)).toBe(true)
  })
})

describe('nothing changes, and the settings say why,', () => {
  const tests: [what: string, problem: string, code: string, arrange: () => void][] = [
    ['when the server doesn’t answer', 'Can’t reach the update server.', 'unreachable', () => void feed.stop()],
    ['when there is no feed', 'The update server returned status 404.', 'badAnswer', () => undefined],
    [
      'when half of the update arrives',
      'The update wasn’t downloaded completely.',
      'unreachable',
      () => {
        feed.publish(feedText(update))
        feed.answers.set(path, (_request, response) => {
          response.writeHead(200, { 'content-length': update.length })
          response.write(update.subarray(0, 150_000), () => response.destroy())
        })
      },
    ],
    [
      'when the update ends early',
      'The update wasn’t downloaded completely.',
      'unreachable',
      () => {
        feed.publish(feedText(update))
        feed.put(path, update.subarray(0, 150_000))
      },
    ],
    [
      'when the update is another file of the same size',
      'The downloaded update is damaged.',
      'badAnswer',
      () => {
        feed.publish(feedText(update))
        feed.put(path, randomBytes(update.length))
      },
    ],
    [
      'when the update is larger than its feed says',
      'The update is larger than announced.',
      'badAnswer',
      () => {
        feed.publish(feedText(update, { size: 1_000 }))
        feed.put(path, update)
      },
    ],
    [
      'when the feed is signed with another key',
      'The list of updates isn’t signed with this app’s key.',
      'badAnswer',
      () => {
        feed.publish(feedText(update))
        feed.put('/feed/latest-linux.yml.sig', randomBytes(64).toString('base64'))
        feed.put(path, update)
      },
    ],
    [
      'when the feed was changed after it was signed',
      'The list of updates isn’t signed with this app’s key.',
      'badAnswer',
      () => {
        feed.publish(feedText(randomBytes(10)), feedText(update))
        feed.put(path, update)
      },
    ],
    [
      'when the feed isn’t signed',
      'The update server returned status 404.',
      'badAnswer',
      () => {
        feed.publish(feedText(update))
        feed.answers.delete('/feed/latest-linux.yml.sig')
      },
    ],
    [
      'when the feed offers an older version',
      'The update server offers version 0.0.9, which is older than this one.',
      'badAnswer',
      () => feed.publish(feedText(update, { version: '0.0.9' })),
    ],
    [
      'when the feed offers another channel',
      'The update server offers version 9.0.0-beta.1, which belongs to another channel.',
      'badAnswer',
      () => feed.publish(feedText(update, { version: '9.0.0-beta.1' })),
    ],
    [
      'when the feed offers no version',
      'The list of updates has no valid version.',
      'badAnswer',
      () => feed.publish(feedText(update, { version: 'v9' })),
    ],
    [
      'when the feed has nothing for this system',
      'The update server has no version 9.0.0 for this system.',
      'badAnswer',
      () => feed.publish(feedText(update, { url: 'Flightplan-9.0.0.exe' })),
    ],
    ...[
      '../Flightplan.AppImage',
      '/Flightplan.AppImage',
      'http://127.0.0.1:1/Flightplan.AppImage',
      '//flightplan.example/Flightplan.AppImage',
      '"%2e%2e%2fFlightplan.AppImage"',
      '..\\Flightplan.AppImage',
      'a/Flightplan.AppImage',
      '"Flightplan.AppImage?.AppImage"',
    ].map((url): [string, string, string, () => void] => [
      `when the feed names ${url}`,
      'The update server names a file that isn’t next to its list.',
      'badAnswer',
      () => feed.publish(feedText(update, { url })),
    ]),
    [
      'when the update is huge',
      'The update is larger than 1 GB.',
      'badAnswer',
      () => feed.publish(feedText(update, { size: 1_000_000_001 })),
    ],
    ...[
      '<!doctype html><p>Sign in to this network',
      '{',
      'version: [',
      '- 1',
      'null',
      '',
      '&a [*a, *a]',
      '!!js/function "x"',
    ].map((text): [string, string, string, () => void] => [
      `when the feed is ${text || 'empty'}`,
      'Couldn’t read the list of updates.',
      'badAnswer',
      () => feed.publish(text),
    ]),
    [
      'when the feed is endless',
      'The list of updates is too large.',
      'badAnswer',
      () =>
        feed.answers.set('/feed/latest-linux.yml', (_request, response) => {
          const more = (): void => {
            while (!response.destroyed && response.write('x'.repeat(65_536)));
            response.once('drain', more)
          }
          more()
        }),
    ],
    ...(['latest-linux.yml', 'Flightplan-9.0.0.AppImage'] as const).map(
      (name): [string, string, string, () => void] => [
        `when the server redirects ${name}`,
        'The update server redirects to another address.',
        'badAnswer',
        () => {
          feed.publish(feedText(update))
          feed.put('/elsewhere', update)
          feed.answers.set(`/feed/${name}`, (_request, response) =>
            response.writeHead(302, { location: new URL('/elsewhere', feed.url).href }).end(),
          )
        },
      ],
    ),
  ]

  it.each(tests)('%s', async (_what, problem, code, arrange) => {
    arrange()
    const updates = await open()
    const state = await updates.check()
    expect(state).toMatchObject({ phase: 'idle', problem })
    expect(state).not.toHaveProperty('next')
    expect(updates.install(true)).toBe(false)
    expect(await readFile(image, 'utf8')).toBe('the old version')
    expect(await left()).toEqual([])
    expect(feed.asked).not.toContain('/elsewhere')
    expect(log).toEqual([`failed ${code}`])
  })

  it('and a later check succeeds', async () => {
    const updates = await open()
    await updates.check()
    feed.publish(feedText(update))
    feed.put(path, update)
    expect(await updates.check()).toMatchObject({ phase: 'ready' })
    expect(updates.state).not.toHaveProperty('problem')
  })

  it('when the folder of the app can’t be written', async () => {
    feed.publish(feedText(update))
    feed.put(path, update)
    const updates = await open()
    await updates.check()
    vi.stubEnv('APPIMAGE', join(userData, 'nowhere', 'Flightplan.AppImage'))
    expect(updates.install(true)).toBe(false)
    expect(log).toEqual(['ready', 'failed'])
  })
})

it('the newest version has nothing to install', async () => {
  feed.publish(feedText(update, { version: '0.1.0' }))
  const updates = await open()
  expect(await updates.check()).toEqual({ source: 'feed', automatic: true, phase: 'idle', checkedAt: 5 })
  expect(updates.install(true)).toBe(false)
})

it('a copy that can’t update itself sends no request', async () => {
  const updates = await Updates.open({
    ...{ userData, source: 'package', now: () => 5, changed: () => undefined, log: () => undefined },
    engine: () => Promise.reject(new Error('not needed')),
  })
  expect(await updates.check()).toEqual({ source: 'package', automatic: true, phase: 'idle' })
})

it('the choice not to look automatically is kept', async () => {
  const updates = await open()
  await updates.change({ automatic: false })
  updates.close()
  expect((await open()).state.automatic).toBe(false)
})

it('each system and channel has a feed of its own', () => {
  expect(feedName('1.0.0', 'linux', 'x64')).toBe('latest-linux.yml')
  expect(feedName('1.0.0', 'linux', 'arm64')).toBe('latest-linux-arm64.yml')
  expect(feedName('1.0.0-beta.2', 'darwin', 'arm64')).toBe('beta-mac.yml')
  expect(feedName('1.0.0', 'win32', 'x64')).toBe('latest.yml')
})

describe('the built-in update server', () => {
  const file = async (content: unknown): Promise<string> => {
    const name = join(userData, 'update-feed.json')
    await writeFile(name, typeof content === 'string' ? content : JSON.stringify(content))
    return name
  }
  it('needs TLS, except on this computer, and an Ed25519 key', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const good = await builtInFeed(await file({ url: 'https://updates.example/app', publicKey: updatePublicKey }))
    expect(good?.folder.href).toBe('https://updates.example/app/')
    for (const content of [
      { url: 'http://updates.example/', publicKey: updatePublicKey },
      { url: 'https://mina@updates.example/', publicKey: updatePublicKey },
      { url: 'https://updates.example/', publicKey: 'no key' },
      { url: 'https://updates.example/' },
      '{',
    ])
      expect(await builtInFeed(await file(content))).toBeUndefined()
    expect(await builtInFeed(join(userData, 'none.json'))).toBeUndefined()
  })
})
