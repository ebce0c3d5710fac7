import { BrowserWindow } from 'electron'
import type { Announcements } from '#shared/ipc/contract'
import { fragmentOf, placeOfFragment, type Place } from '#shared/links/place'
import { requestingPage } from '../ipc/requesting-page'
import { announce } from '../ipc/renderer-requests'
import type { OpenedWindow } from './kept-state'
import { appOrigin } from './renderer-files'
import { webPreferences } from './web-preferences'
import { fullWindow, isOnScreen } from './window'

/**
 * Recipient of an announcement that isn't for all windows: the one that owns the data, the one in front, or the one that sent
 * the current request.
 */
const recipients: Partial<Record<keyof Announcements, 'owner' | 'front' | 'asking'>> = {
  'app/command': 'front',
  'app/opening': 'front',
  'app/resumed': 'owner',
  'import/reading': 'asking',
  'quick-add/add': 'owner',
  'reminders/complete': 'front',
  'reminders/open': 'front',
  'reminders/view': 'front',
  'service/failed': 'front',
  'sync/changed': 'owner',
}

/** Place that a new window shows, and the position of one from an earlier run. */
export type OpeningWindow = Pick<OpenedWindow, 'place'> | OpenedWindow

/** Pixels between a new window and the one it was opened from. */
const offset = 32

export interface WindowsOptions {
  /** The first window. Its page owns the data, and it lives as long as the app. */
  main: BrowserWindow
  preload: string
  clockOffset: number
  /** True if no window is ever shown. */
  hidden: boolean
  safeMode: boolean
}

/** The full windows of the app. */
export class Windows {
  readonly main: BrowserWindow
  readonly #options: WindowsOptions
  /** Other windows, with the places at which they were opened. */
  readonly #others = new Map<BrowserWindow, Place>()
  /** Windows that are closing, while their typed text is saved. */
  readonly #closing = new WeakSet<BrowserWindow>()
  /** True once the user closed the first window, which hides it. False before it’s first shown. */
  #isMainHidden = false
  /** The window that had the focus last. */
  #last: BrowserWindow

  constructor(options: WindowsOptions) {
    this.#options = options
    this.main = this.#last = options.main
    this.#follow(options.main)
    this.main.on('hide', () => (this.#isMainHidden = true))
    this.main.on('show', () => (this.#isMainHidden = false))
  }

  get all(): readonly BrowserWindow[] {
    return [this.main, ...this.#others.keys()].filter((window) => !window.isDestroyed())
  }

  /** The window that had the focus last, or another one if it's closed. */
  get front(): BrowserWindow {
    if (this.#isOpen(this.#last)) return this.#last
    return this.all.find((window) => this.#isOpen(window)) ?? this.main
  }

  /** The window that sent the current request, or the one in front. */
  get asking(): BrowserWindow {
    const page = requestingPage()
    return this.all.find(({ webContents }) => webContents.id === page) ?? this.front
  }

  get isFocused(): boolean {
    return this.all.some((window) => window.isFocused())
  }

  /** True if a window other than this one is open. */
  hasOther(window: BrowserWindow): boolean {
    return this.all.some((other) => other !== window && this.#isOpen(other))
  }

  announce<N extends keyof Announcements>(name: N, payload: Announcements[N]): void {
    const { main, front, asking, all } = this
    const recipient = recipients[name]
    const windows = recipient ? [{ owner: main, front, asking }[recipient]] : all
    for (const window of windows) announce(window, name, payload)
  }

  /** Windows for the next start to reopen. The first window always opens, so if it's hidden, one fewer of the others does. */
  get reopened(): OpenedWindow[] {
    // Also those that aren't shown and have no address yet.
    const others = [...this.#others].filter(([window]) => !window.isDestroyed() && !this.#closing.has(window))
    return others.slice(this.#isMainHidden ? 1 : 0).map(([window, opened]) => {
      const [, fragment = ''] = window.webContents.getURL().split('#')
      const place = placeOfFragment(`#${fragment}`) ?? opened
      return { place, ...window.getNormalBounds(), maximized: window.isMaximized() }
    })
  }

  /** Hides a window that is about to close. */
  leave(window: BrowserWindow): void {
    this.#closing.add(window)
    window.hide()
  }

  /** Opens another window at its former position, or offset from the one in front. */
  open(opening: OpeningWindow): BrowserWindow {
    const before = 'x' in opening ? opening : undefined
    const { preload, clockOffset, safeMode, hidden } = this.#options
    const from = this.asking.getNormalBounds()
    const beside = { ...from, x: from.x + offset, y: from.y + offset }
    const window = new BrowserWindow({
      ...fullWindow(before && isOnScreen(before) ? before : beside),
      webPreferences: webPreferences(preload, clockOffset, { safeMode, follows: true }),
    })
    if (before?.maximized) window.maximize()
    this.#others.set(window, opening.place)
    this.#follow(window)
    window.once('closed', () => this.#others.delete(window))
    if (!hidden) window.once('ready-to-show', () => window.show())
    void window.loadURL(`${appOrigin}/${fragmentOf(opening.place)}`)
    return window
  }

  #follow(window: BrowserWindow): void {
    window.on('focus', () => (this.#last = window))
  }

  /** True if a window is open. If windows are never shown, all but the first one count. */
  #isOpen(window: BrowserWindow): boolean {
    if (window.isDestroyed()) return false
    return window.isVisible() || (this.#options.hidden && window !== this.main)
  }
}
