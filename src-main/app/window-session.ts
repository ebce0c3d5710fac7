import { windowsFile, type OpenedWindow } from './kept-state'
import type { Windows } from './windows'

/** Stores windows other than the first one, and reopens them in the next run of the app. */
export class WindowSession {
  readonly #windows: Windows
  readonly #file: ReturnType<typeof windowsFile>
  readonly #open: (opened: OpenedWindow) => void
  readonly #safeMode: boolean
  #reopening: Promise<void> | undefined

  /** @param options `open`: opens a window at its former position. Safe mode opens none, and preserves the stored ones */
  constructor(
    windows: Windows,
    options: { userData: string; safeMode: boolean; open: (opened: OpenedWindow) => void },
  ) {
    this.#windows = windows
    this.#file = windowsFile(options.userData)
    this.#open = options.open
    this.#safeMode = options.safeMode
  }

  /** Opens the windows that were open when the app quit. Further calls do nothing. */
  async reopen(): Promise<void> {
    if (this.#safeMode) return
    await (this.#reopening ??= this.#file.read().then((all) => all.forEach(this.#open)))
  }

  /** Stores the open windows, unless those of the last run aren't open again yet. A full disk doesn't keep the app from quitting. */
  async save(): Promise<void> {
    try {
      await this.#reopening
      if (this.#reopening) await this.#file.write(this.#windows.reopened)
    } catch (error) {
      console.error(`The open windows couldn’t be saved: ${String(error)}`)
    }
  }
}
