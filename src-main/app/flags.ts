import { parseArgs } from 'node:util'
import { readMoment } from '#shared/time/clock'

/** Command-line flags. Unknown switches belong to Chromium and are ignored. */
export interface Flags {
  /** Profile folder. Default: the system's folder for the app. */
  userData?: string
  /** Size of the year of sample data, 1 to 100. */
  scale: number
  seed: 'demo' | 'empty'
  /** Adds sample data without asking, because the command line requests it. */
  sample: boolean
  /** A sandbox already running on this computer, to use instead of the embedded one. */
  serviceUrl?: string
  /** Token of that sandbox, from the environment, because `ps` shows flags to other users of this computer. */
  serviceToken?: string
  /** Folder for exports, without asking, for tests and tours. */
  saveTo?: string
  /** File for imports, without asking, for tests and tours. */
  openFile?: string
  /** File for addresses, one per line, instead of opening them in the browser, for tests and tours. */
  openLinksTo?: string
  /** Start of the app's clock in epoch milliseconds. Default: the computer's clock. */
  now?: number
  /** Doesn't show the window, for measuring. */
  hidden: boolean
  /** Starts in the tray, as after a login. */
  startHidden: boolean
  /** Starts without the window's stored state, such as its last view. */
  safeMode: boolean
  /** No user is present, so the app quits without asking, and closes instead of hiding. */
  unattended: boolean
}

/** Environment variable with the token of an external sandbox. */
export const serviceTokenVariable = 'FLIGHTPLAN_SERVICE_TOKEN'

const commandWords = /^--(?:list|report|template|starter|file|help|version)(?:=|$)/
/** Switches of the app and of Chromium that commands ignore. Those with a value consume the next word, too. */
const others = [
  '--no-sandbox',
  '--unattended',
  '--hidden',
  '--start-hidden',
  '--quick-add',
  '--safe-mode',
  '--disable-gpu',
  '--enable-logging',
]
const otherValues = ['--now', '--seed', '--scale', '--service-token', '--save-to', '--open-file', '--open-links-to']

/** Returns the arguments of the report command, or undefined if the app should open. `argv` as of the process. */
export function commandOf(argv: readonly string[], packaged: boolean): string[] | undefined {
  const words = argv.slice(1)
  // In development, the first positional argument is the app's path.
  const place = packaged ? -1 : words.findIndex((word) => !word.startsWith('-'))
  if (place >= 0) words.splice(place, 1)
  if (!words.some((word) => commandWords.test(word))) return undefined
  return words.filter((word, at) => {
    const [name = ''] = word.split('=')
    if (others.includes(name) || otherValues.includes(name)) return false
    return !otherValues.includes(words[at - 1] ?? '')
  })
}

/**
 * Development flags, which the packaged app ignores because they redirect tokens and sign-ins. Exceptions are
 * `--save-to` and `--open-file`, because the package test can't answer dialogs.
 */
const developmentOnly: readonly string[] = ['service-url', 'service-token', 'open-links-to']

/** @throws RangeError with a message for users */
export function readFlags(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
  packaged = false,
): Flags {
  const { values } = parseArgs({
    args: [...argv],
    strict: false,
    options: {
      'user-data': { type: 'string' },
      scale: { type: 'string' },
      seed: { type: 'string' },
      'service-url': { type: 'string' },
      'service-token': { type: 'string' },
      'save-to': { type: 'string' },
      'open-file': { type: 'string' },
      'open-links-to': { type: 'string' },
      now: { type: 'string' },
      hidden: { type: 'boolean' },
      'start-hidden': { type: 'boolean' },
      'safe-mode': { type: 'boolean' },
      unattended: { type: 'boolean' },
    },
  })
  const text = (name: string): string | undefined => {
    const value = packaged && developmentOnly.includes(name) ? undefined : values[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const scale = Number(text('scale') ?? 1)
  const now = values['now'] === undefined ? undefined : readNow(text('now') ?? '')
  return {
    userData: text('user-data'),
    scale: Number.isFinite(scale) ? Math.min(Math.max(scale, 1), 100) : 1,
    seed: text('seed') === 'empty' ? 'empty' : 'demo',
    sample: text('seed') !== undefined || text('service-url') !== undefined,
    serviceUrl: text('service-url'),
    serviceToken: (packaged ? undefined : environment[serviceTokenVariable]) || text('service-token'),
    saveTo: text('save-to'),
    openFile: text('open-file'),
    openLinksTo: text('open-links-to'),
    now,
    hidden: values['hidden'] === true,
    startHidden: values['start-hidden'] === true,
    safeMode: values['safe-mode'] === true,
    unattended: values['unattended'] === true,
  }
}

function readNow(text: string): number {
  try {
    return readMoment(text)
  } catch (error) {
    throw new RangeError(`--now: ${error instanceof Error ? error.message : String(error)}`)
  }
}
