import { BrowserWindow, nativeTheme, screen } from 'electron'
import { appOrigin } from './renderer-files'
import { webPreferences } from './web-preferences'

const size = { width: 560, height: 72 }

/** The small window of global quick add, above all others. Created on first use, then only hidden. */
export class QuickAddWindow {
  readonly #preload: string
  readonly #clockOffset: number
  #window: BrowserWindow | undefined

  constructor(preload: string, clockOffset: number) {
    this.#preload = preload
    this.#clockOffset = clockOffset
  }

  /** Shows it on the display with the pointer. */
  open(): void {
    const window = this.#window && !this.#window.isDestroyed() ? this.#window : this.#create()
    this.#window = window
    const { workArea } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint())
    const [width] = window.getSize() as [number, number]
    window.setPosition(
      Math.round(workArea.x + (workArea.width - width) / 2),
      Math.round(workArea.y + workArea.height * 0.2),
    )
    window.show()
    window.focus()
  }

  close(): void {
    if (!this.#window || this.#window.isDestroyed()) return
    this.#window.hide()
  }

  setHeight(height: number): void {
    if (!this.#window || this.#window.isDestroyed()) return
    this.#window.setSize(size.width, Math.max(height, size.height))
  }

  #create(): BrowserWindow {
    const window = new BrowserWindow({
      ...size,
      show: false,
      frame: false,
      resizable: false,
      minimizable: false,
      maximizable: false,
      fullscreenable: false,
      skipTaskbar: true,
      alwaysOnTop: true,
      title: 'Quick add',
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#212228' : '#ffffff',
      webPreferences: webPreferences(this.#preload, this.#clockOffset),
    })
    // Closing keeps the text.
    window.on('close', (event) => {
      event.preventDefault()
      window.hide()
    })
    void window.loadURL(`${appOrigin}/quick-add.html`)
    return window
  }

  /** Lets the app quit. */
  destroy(): void {
    if (this.#window && !this.#window.isDestroyed()) this.#window.destroy()
  }
}
