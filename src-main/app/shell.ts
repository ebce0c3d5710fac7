import type { Place } from '#shared/links/place'
import type { SystemNote } from '../reminders/reminders'

/** Suggestion for a file dialog: a path and a file type. */
export interface FileKind {
  name: string
  extensions: string[]
}

/**
 * Calls that need a desktop shell. In the app, Electron implements them (`electron-shell.ts`). Everything behind this interface
 * is plain Node.
 */
export interface Shell {
  readonly version: string
  /** Version of Electron. Empty outside of it. */
  readonly electron: string
  /** BCP 47 tag of the app's language, such as `de-DE`. */
  locale(): string
  /** ISO 3166 code of the user's country. Empty if unknown. */
  country(): string
  openLink(address: string): Promise<void>
  /** Opens a folder in the file manager. @returns an error message, or an empty string */
  openFolder(path: string): Promise<string>
  /** Shows a file in the file manager. */
  reveal(path: string): void
  /** Starts dragging a file to another app with the pressed pointer. */
  dragFile(path: string): void
  setBadge(count: number): void
  setTheme(theme: 'system' | 'light' | 'dark'): void
  quit(): void
  /** Quits, with the same questions as usual, and starts again without safe mode. */
  restart(): void
  /** Opens another window of the app at a place. */
  openWindow(place: Place): void
  /** Brings the window to the front. */
  show(): void
  /**
   * Sets the keys that open quick add from any app, and replaces the previous ones. Empty for none.
   * @returns the reason why they don't work, or an empty string
   */
  setShortcut(keys: string): string
  /** Sets whether the app starts when the user logs in. @throws FaultError `storage` */
  setLogin(start: boolean, hidden: boolean): Promise<void>
  closeQuickAdd(): void
  /** @param height in pixels */
  sizeQuickAdd(height: number): void
  /** True while the window has the focus. */
  focused(): boolean
  /** Shows a system notification. @returns the reason why it wasn't shown, or an empty string */
  notify(note: SystemNote): Promise<string>
  /** Removes notifications that have another tag. */
  keepNotes(tags: ReadonlySet<string>): void
  /** System dialogs. Undefined if the user cancels. */
  askSave(name: string, kind: FileKind): Promise<string | undefined>
  askOpen(kind: FileKind): Promise<string | undefined>
  /** @param from the folder that the dialog shows first */
  askFolder(from?: string): Promise<string | undefined>
  /** The window as a PDF. */
  pdf(options: { pageSize: 'A4' | 'Letter'; landscape: boolean }): Promise<Uint8Array>
  /**
   * Prints the window.
   * @returns the reason why nothing was printed, or an empty string
   */
  print(options: { landscape: boolean }): Promise<string>
}
