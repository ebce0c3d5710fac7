import { resolve } from 'node:path'
import { isCalendarLink } from '#shared/links/feed-address'
import { linkPrefix } from '#shared/links/prefix'

/** Links and files to open, from a first or a further start of the app. */
export interface Opening {
  /** True for a further start while the app runs. */
  again?: boolean
  quickAdd: boolean
  /** Addresses of Flightplan and of calendars, unchanged. */
  links: string[]
  /** Calendar files, as absolute paths. */
  files: string[]
}

const calendarFile = /\.(ics|ical|ifb|icalendar)$/i
const maxOpenings = 20

/** Reads a command line. @param folder working directory of the command */
export function openingOf(argv: readonly string[], folder: string): Opening {
  const words = argv.slice(1)
  const links = words.filter((word) => word.toLowerCase().startsWith(linkPrefix) || isCalendarLink(word))
  const files = words.filter(
    (word, at) =>
      calendarFile.test(word) && !links.includes(word) && !word.startsWith('-') && words[at - 1] !== '--open-file',
  )
  return {
    quickAdd: words.includes('--quick-add'),
    links: links.slice(0, maxOpenings),
    files: files.slice(0, maxOpenings).map((file) => resolve(folder, file)),
  }
}

/** Links and files that wait until the window takes them. */
export class Openings {
  #links: string[] = []
  #files: string[] = []
  readonly #added: () => void

  /** @param added called after something was added */
  constructor(added: () => void) {
    this.#added = added
  }

  add({ links, files }: Pick<Opening, 'links' | 'files'>): void {
    if (links.length + files.length === 0) return
    this.#links = [...this.#links, ...links].slice(-maxOpenings)
    this.#files = [...this.#files, ...files].slice(-maxOpenings)
    this.#added()
  }

  /** Links to open, and the number of files that wait for `takeFile`. */
  take(): { links: string[]; files: number } {
    const links = this.#links
    this.#links = []
    return { links, files: this.#files.length }
  }

  takeFile(): string | undefined {
    return this.#files.shift()
  }
}

/** Passes openings to one listener, and keeps those that arrive before it's set. */
export class OpeningInbox {
  #early: Opening[] = []
  #listener: ((opening: Opening) => void) | undefined

  add(opening: Partial<Opening>): void {
    const whole = { quickAdd: false, links: [], files: [], ...opening }
    if (this.#listener) this.#listener(whole)
    else this.#early.push(whole)
  }

  follow(listener: (opening: Opening) => void): void {
    this.#listener = listener
    for (const opening of this.#early.splice(0)) listener(opening)
  }
}
