import type { Place } from '#shared/links/place'
import type { SystemNote } from '../../src-main/reminders/reminders'
import type { Shell } from '../../src-main/app/shell'
import type { BrowserWindow } from './shared-browser'

/** A shell that records calls and answers dialogs as the test specifies. */
export class TestShell implements Shell {
  readonly version = '0.1.0'
  readonly electron = ''
  readonly links: string[] = []
  readonly revealed: string[] = []
  readonly openedFolders: string[] = []
  readonly prints: { landscape: boolean }[] = []
  readonly notes: SystemNote[] = []
  /** Why the system shows no notifications, or an empty string. */
  blocked = ''
  badge = 0
  /** Results of the next dialogs; undefined cancels them. */
  answers: { save?: string; open?: string; folder?: string } = {}
  readonly #window: BrowserWindow

  constructor(window: BrowserWindow) {
    this.#window = window
  }

  locale = (): string => 'en-US'
  country = (): string => 'DE'
  show = (): void => undefined
  /** Places of windows that were opened. */
  readonly windows: Place[] = []
  openWindow = (place: Place): void => void this.windows.push(place)
  quits = 0
  quit = (): void => void this.quits++
  restarts = 0
  restart = (): void => void this.restarts++
  /** Keys of global quick add. */
  shortcut = ''
  /** Why the system refuses the keys. */
  shortcutProblem = ''
  login = { start: false, hidden: false }
  closeQuickAdd = (): void => undefined
  sizeQuickAdd = (): void => undefined
  setShortcut = (keys: string): string => {
    this.shortcut = keys
    return this.shortcutProblem
  }
  setLogin = (start: boolean, hidden: boolean): Promise<void> => {
    this.login = { start, hidden }
    return Promise.resolve()
  }

  focused = (): boolean => false
  keepNotes = (): void => undefined

  notify = (note: SystemNote): Promise<string> => {
    if (this.blocked === '') this.notes.push(note)
    return Promise.resolve(this.blocked)
  }

  reveal = (path: string): void => void this.revealed.push(path)
  /** Files that were dragged out of the window. */
  readonly dragged: string[] = []
  dragFile = (path: string): void => void this.dragged.push(path)
  setBadge = (count: number): void => void (this.badge = count)
  askSave = (): Promise<string | undefined> => Promise.resolve(this.answers.save)
  askOpen = (): Promise<string | undefined> => Promise.resolve(this.answers.open)
  askFolder = (): Promise<string | undefined> => Promise.resolve(this.answers.folder)
  pdf: Shell['pdf'] = (options) => this.#window.pdf(options)

  openLink = (address: string): Promise<void> => {
    this.links.push(address)
    return Promise.resolve()
  }

  openFolder = (path: string): Promise<string> => {
    this.openedFolders.push(path)
    return Promise.resolve('')
  }

  setTheme: Shell['setTheme'] = (theme) => {
    // A page that's closing has no theme.
    this.#window.page.emulateMedia({ colorScheme: theme === 'system' ? null : theme }).catch(() => undefined)
  }

  print: Shell['print'] = (options) => {
    this.prints.push(options)
    return Promise.resolve('')
  }
}
