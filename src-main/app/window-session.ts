import { windowsFile, type OpenedWindow } from './kept-state'
import type { Windows } from './windows'

/** Windows besides the first one, from one run of the app to the next. */
export class WindowSession {
  readonly #windows: Windows
  readonly #file: ReturnType<typeof windowsFile>
  readonly #open: (opened: OpenedWindow) => void
  readonly #safeMode: boolean
  #reopening: Promise<void> | undefined

  /** @param options `open`: shows a window where it was. Safe mode opens none, and keeps those of the run before. */
  constructor(
    windows: Windows,
    options: { userData: string; safeMode: boolean; open: (opened: OpenedWindow) => void },
  ) {
    this.#windows = windows
    this.#file = windowsFile(options.userData)
    this.#open = options.open
    this.#safeMode = options.safeMode
  }

  /** Opens the windows that were open when the app quit. The first call does. */
  async reopen(): Promise<void> {
    if (this.#safeMode) return
    await (this.#reopening ??= this.#file.read().then((all) => all.forEach(this.#open)))
  }

  /** Until they are open again, the next start has to open them. A full disk only costs their places, and doesn't keep the app. */
  async save(): Promise<void> {
    try {
      await this.#reopening
      if (this.#reopening) await this.#file.write(this.#windows.reopened)
    } catch (error) {
      console.error(`The open windows couldn’t be saved: ${String(error)}`)
    }
  }
}
