import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  app,
  BrowserWindow,
  nativeTheme,
  screen,
  session,
  shell,
  type BrowserWindowConstructorOptions,
  type Rectangle,
} from 'electron'
import { safeExternalLink } from './links'
import { appOrigin } from './renderer-files'
import { webPreferences } from './web-preferences'

interface Place extends Rectangle {
  maximized: boolean
}

/** Permissions a renderer may have: none but writing the clipboard on a key press. */
const permitted = new Set(['clipboard-sanitized-write'])

/** Proxy settings that reach no host, because only the system may listen on this port. Also apply to this computer's addresses. */
const nowhere = { proxyRules: 'http://127.0.0.1:1', proxyBypassRules: '<-loopback>' }

/**
 * Denies everything a page could request. Call once before the first window. Only the page uses this session: main sends
 * its requests through `networkPartition`.
 */
export function hardenSessions(): void {
  const { defaultSession } = session
  // Some requests bypass the handler below, such as those of WebRTC to a relay.
  void defaultSession.setProxy(nowhere)
  defaultSession.setPermissionRequestHandler((_contents, permission, decide) => decide(permitted.has(permission)))
  defaultSession.setPermissionCheckHandler((_contents, permission) => permitted.has(permission))
  defaultSession.setDevicePermissionHandler(() => false)
  // The renderer makes no network requests: everything it loads is packaged.
  defaultSession.webRequest.onBeforeRequest(
    { urls: ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'file://*/*'] },
    (details, decide) => decide({ cancel: details.webContentsId !== undefined }),
  )
  app.on('web-contents-created', (_event, contents) => {
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
    contents.on('will-navigate', (event) => {
      // A page may reload itself.
      if (!event.isMainFrame || event.url !== contents.getURL()) event.preventDefault()
    })
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(({ url }) => {
      const link = safeExternalLink(url)
      if (link) void shell.openExternal(link)
      return { action: 'deny' }
    })
  })
}

export interface MainWindow {
  window: BrowserWindow
  show(): void
}

/** `clockOffset`: milliseconds by which the window's clock is ahead of the computer's. */
export function openWindow(options: {
  preload: string
  userData: string
  hidden: boolean
  /** True to show the window only when it's opened from the tray. */
  startHidden: boolean
  clockOffset: number
  /** Starts without the last position, and the page without its stored state. */
  safeMode: boolean
}): MainWindow {
  const memory = join(options.userData, 'window.json')
  const place = options.safeMode ? undefined : readPlace(memory)
  const window = new BrowserWindow({
    ...fullWindow(place),
    webPreferences: webPreferences(options.preload, options.clockOffset, { safeMode: options.safeMode }),
  })
  if (place?.maximized) window.maximize()
  const show = (): void => {
    if (options.hidden) return
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  }
  if (!options.startHidden) window.once('ready-to-show', show)
  const remember = (): void => writePlace(memory, { ...window.getNormalBounds(), maximized: window.isMaximized() })
  window.on('close', remember)
  void window.loadURL(`${appOrigin}/`)
  return { window, show }
}

/** Options of all full windows. */
export const fullWindow = (place: Partial<Rectangle> = {}): BrowserWindowConstructorOptions => ({
  width: place.width ?? 1280,
  height: place.height ?? 800,
  ...(place.x !== undefined && place.y !== undefined && { x: place.x, y: place.y }),
  minWidth: 640,
  minHeight: 480,
  show: false,
  title: 'Flightplan',
  autoHideMenuBar: true,
  backgroundColor: nativeTheme.shouldUseDarkColors ? '#16181d' : '#ffffff',
})

function readPlace(path: string): Place | undefined {
  try {
    const place: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isPlace(place) && isOnScreen(place) ? place : undefined
  } catch {
    return undefined
  }
}

// Checked by hand: the window would have to wait for a schema library to load.
function isPlace(value: unknown): value is Place {
  if (typeof value !== 'object' || value === null) return false
  const { x, y, width, height, maximized } = value as Partial<Record<keyof Place, unknown>>
  return (
    [x, y, width, height].every(Number.isFinite) &&
    (width as number) >= 400 &&
    (height as number) >= 300 &&
    typeof maximized === 'boolean'
  )
}

/** True if enough of a window is on a screen to move it. */
export function isOnScreen(place: Rectangle): boolean {
  const { bounds } = screen.getDisplayMatching(place)
  return (
    place.x < bounds.x + bounds.width - 80 &&
    place.x + place.width > bounds.x + 80 &&
    place.y >= bounds.y - 20 &&
    place.y < bounds.y + bounds.height - 80
  )
}

function writePlace(path: string, place: Place): void {
  try {
    writeFileSync(path, JSON.stringify(place))
  } catch {
    // Losing the window's position isn't worth an error.
  }
}
