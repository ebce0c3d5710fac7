import { createSocket } from 'node:dgram'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchApp, type RunningApp } from '../helpers/app'
import { asking } from '../helpers/sign-in'
import { nothingPending } from '../helpers/page'

let app: RunningApp

beforeAll(async () => {
  // These attempts log errors.
  const complains = /Refused to|requires 'Trusted|violates|Blocked|blocked/
  app = await launchApp({ args: ['--seed', 'empty'], complains })
  await nothingPending(app.page)
})
afterAll(() => app.close())

describe('the page', () => {
  it('runs sandboxed and isolated, without Node', async () => {
    const preferences = await app.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map(({ webContents }) =>
        (webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }).getLastWebPreferences(),
      ),
    )
    expect(preferences).toHaveLength(1)
    expect(preferences[0]).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
    })
    expect(preferences[0]!['webviewTag']).not.toBe(true)
    const globals = await app.page.evaluate(() =>
      ['require', 'process', 'module', 'Buffer', 'global', 'ipcRenderer', 'electron'].filter((name) => name in window),
    )
    expect(globals).toEqual([])
    expect(await app.page.evaluate(() => Object.keys(window.flightplan).sort())).toEqual([
      'ask',
      'clockOffset',
      'follows',
      'on',
      'safeMode',
    ])
  })

  it('runs only packaged scripts', async () => {
    const ran = await app.page.evaluate(async () => {
      const refused: string[] = []
      const attempt = (name: string, work: () => unknown): void => {
        try {
          work()
        } catch {
          refused.push(name)
        }
      }
      const marks = window as unknown as { ran?: string[] }
      marks.ran = []
      // The frame is blocked last, with its own event, when the others have had their chance.
      const frameRefused = new Promise<void>((done) =>
        document.addEventListener('securitypolicyviolation', (event) => {
          if (event.effectiveDirective === 'frame-src') done()
        }),
      )
      const script = (text: string): void => {
        const element = document.createElement('script')
        element.text = text
        document.head.append(element)
      }
      attempt('inline', () => script('window.ran.push("inline")'))
      attempt('innerHTML', () => (document.createElement('div').innerHTML = '<img src=x onerror="window.ran.push(1)">'))
      attempt('insertAdjacentHTML', () =>
        document.body.insertAdjacentHTML('beforeend', '<svg onload="window.ran.push(2)">'),
      )
      attempt('attribute', () => {
        const element = document.createElement('button')
        element.setAttribute('onclick', 'window.ran.push("attribute")')
        document.body.append(element)
        element.click()
        element.remove()
      })
      attempt('javascript:', () => {
        const link = document.createElement('a')
        link.href = 'javascript:window.ran.push("link")'
        document.body.append(link)
        link.click()
        link.remove()
      })
      attempt('remote', () => {
        const element = document.createElement('script')
        element.src = 'https://example.com/x.js'
        document.head.append(element)
      })
      attempt('frame', () => {
        const frame = document.createElement('iframe')
        frame.src = 'data:text/html,<script>parent.ran.push("frame")</script>'
        document.body.append(frame)
      })
      await frameRefused
      return { ran: marks.ran, refused }
    })
    expect(ran.ran).toEqual([])
    expect(ran.refused).toEqual(expect.arrayContaining(['inline', 'innerHTML', 'insertAdjacentHTML', 'remote']))
  })

  it("can't reach the network or files", async () => {
    const reached = await app.page.evaluate(async () => {
      const addresses = [
        'https://example.com/',
        'http://127.0.0.1:80/',
        'file:///etc/passwd',
        'app://flightplan/../../etc/passwd',
        'app://other/index.html',
      ]
      const reached: string[] = []
      for (const address of addresses)
        await fetch(address).then(
          (answer) => answer.ok && reached.push(address),
          () => undefined,
        )
      return reached
    })
    expect(reached).toEqual([])
  })

  it("can't bypass its policy: no WebRTC, preconnect, beacon, or image requests", async () => {
    const heard: string[] = []
    const udp = createSocket('udp4').on('message', () => void heard.push('a datagram'))
    const tcp = createServer((socket) => {
      heard.push('a connection')
      socket.destroy()
    })
    await Promise.all([
      new Promise<void>((done) => udp.bind(0, '127.0.0.1', done)),
      new Promise<void>((done) => tcp.listen(0, '127.0.0.1', done)),
    ])
    const ports = { udp: udp.address().port, tcp: (tcp.address() as AddressInfo).port }
    try {
      await app.page.evaluate(async ({ udp, tcp }) => {
        const address = `http://127.0.0.1:${tcp}/`
        for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'modulepreload', 'prerender', 'icon']) {
          const link = document.createElement('link')
          Object.assign(link, { rel, href: `${address}${rel}`, as: rel === 'preload' ? 'image' : '' })
          document.head.append(link)
        }
        const tried = new Promise((done) => {
          const image = new Image()
          image.onload = image.onerror = done
          image.src = `${address}image.png`
        })
        navigator.sendBeacon(`${address}beacon`, 'x')
        await tried
        const turn = { username: 'x', credential: 'x' }
        const peer = new RTCPeerConnection({
          iceServers: [
            { urls: `stun:127.0.0.1:${udp}` },
            { urls: `turn:127.0.0.1:${udp}`, ...turn },
            { urls: `turn:127.0.0.1:${tcp}?transport=tcp`, ...turn },
          ],
        })
        peer.createDataChannel('x')
        const gathered = new Promise<void>((done) => {
          peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && done()
        })
        await peer.setLocalDescription(await peer.createOffer())
        await gathered
        peer.close()
      }, ports)
      expect(heard).toEqual([])
      // The listeners do work: main's own requests reach them.
      await expect(
        asking(app.page, 'account/discover', { address: `http://127.0.0.1:${ports.tcp}`, vocabulary: 'neutral' }),
      ).rejects.toThrow()
      expect(heard).toContain('a connection')
    } finally {
      udp.close()
      tcp.close()
    }
  })

  it("can't navigate or open windows", async () => {
    await app.electron.evaluate(({ BrowserWindow }) => {
      const marks = globalThis as unknown as { navigation: Promise<boolean> }
      const [window] = BrowserWindow.getAllWindows()
      marks.navigation = new Promise((done) =>
        window!.webContents.once('will-navigate', (event) => done(event.defaultPrevented)),
      )
    })
    await app.page.evaluate(() => {
      window.open('https://example.com/')
      window.open('app://flightplan/index.html')
      location.href = 'https://example.com/'
    })
    const prevented = await app.electron.evaluate(
      () => (globalThis as unknown as { navigation: Promise<boolean> }).navigation,
    )
    expect(prevented).toBe(true)
    expect(app.page.url()).toBe('app://flightplan/')
    expect(await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  })

  it('has no permissions', async () => {
    const granted = await app.page.evaluate(async () => {
      const names = [
        'geolocation',
        'notifications',
        'camera',
        'microphone',
        'clipboard-read',
        'midi',
        'persistent-storage',
        'screen-wake-lock',
        'storage-access',
        'background-sync',
      ]
      const granted: string[] = []
      for (const name of names)
        await navigator.permissions.query({ name: name as PermissionName }).then(
          ({ state }) => state === 'granted' && granted.push(name),
          () => undefined,
        )
      await navigator.mediaDevices?.getUserMedia({ audio: true }).then(
        () => granted.push('audio'),
        () => undefined,
      )
      return granted
    })
    // Chromium reports background sync as granted without asking. It needs a service worker, and there is none.
    expect(granted.filter((name) => name !== 'background-sync')).toEqual([])
    const registered = await app.page.evaluate(() =>
      (navigator.serviceWorker as ServiceWorkerContainer | undefined)?.register('/worker.js').then(
        () => 'registered',
        (error: unknown) => String(error),
      ),
    )
    expect(registered ?? 'no service workers').toMatch(
      /no service workers|not supported|SecurityError|TrustedScriptURL/,
    )
  })

  it('can call main only with known messages of a known shape', async () => {
    const answers = await app.page.evaluate(async () => {
      const ask = window.flightplan.ask as unknown as (
        name: unknown,
        args: unknown,
      ) => Promise<{ ok: boolean; fault?: { code: string } }>
      const theirs = { accountId: 'sandbox', collection: '__proto__' }
      const values = [
        undefined,
        null,
        1,
        'x',
        [],
        {},
        { accountId: 1 },
        theirs,
        { records: [{ kind: 'entry' }] },
        { url: 'file:///etc/passwd' },
        { url: 'javascript:alert(1)' },
        { path: '/etc/passwd' },
        { label: 'x', vocabulary: 'neutral', address: 'http://evil.example' },
        { label: 'x', vocabulary: 'neutral', services: { __proto__: 'x', calendar: 'file:///etc' } },
        { address: 'http://169.254.169.254/', vocabulary: 'neutral' },
        { accountId: 'nobody', services: {}, targets: [] },
        { accountId: 'nobody', collection: 'events', parent: null, cursor: null, page: null },
      ]
      const names = [
        'nonsense',
        '__proto__',
        'constructor',
        'toString',
        'app/open-link',
        'app/reveal-file',
        'sync/pull',
        'sync/push',
        'journal/append',
        'export/csv',
        'export/chart',
        'service/call',
        'sandbox/as',
        'account/discover',
        'account/add',
        'account/sign-out',
        'account/remove',
        'sync/watch',
        5,
        null,
      ]
      const accepted: string[] = []
      for (const name of names)
        for (const args of values)
          // Sample data may be removed like any account.
          if (!(name === 'account/remove' && args === theirs) && (await ask(name, args)).ok)
            accepted.push(`${String(name)} ${JSON.stringify(args)}`)
      return accepted
    })
    expect(answers).toEqual([])
  })
})
