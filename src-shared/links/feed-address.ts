// In main and the window alike.
declare const URL: new (text: string) => {
  href: string
  protocol: string
  readonly username: string
  readonly password: string
  readonly host: string
  readonly hostname: string
  hash: string
}

/** Maximum length of an address of a calendar. */
const maxLength = 4096

const scheme = /^(webcals?|https?):\/\//i

/** True for an address that only calendars have. */
export const isCalendarLink = (text: string): boolean => /^webcals?:\/\//i.test(text.trim())

export interface FeedAddress {
  /** Where to download it from: http or https. */
  url: string
  /** Name of the server, for questions. */
  host: string
}

/** Reads the address of a calendar on the web. @returns what’s wrong with it, as a sentence, if it can’t be used */
export function readFeedAddress(text: string): FeedAddress | { problem: string } {
  const typed = text.trim()
  if (typed === '') return { problem: 'Enter the address of a calendar' }
  if (typed.length > maxLength) return { problem: 'This address is too long' }
  const [whole, kind] = scheme.exec(typed) ?? []
  if (
    /[\u0000-\u0020\u007f\u202a-\u202e\u2066-\u2069]/.test(typed) ||
    (!whole && /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(typed))
  )
    return { problem: 'Enter an address that starts with https, http, or webcal' }
  if (!whole && /^[^/:@]+@[^/:@]+$/.test(typed))
    return { problem: 'Enter the address of a calendar. This is an email address' }
  // Without a server, or a path on this computer.
  if (!whole && /^[/\\.~]/.test(typed)) return { problem: example }
  try {
    const plain = /^https?$/i.test(kind ?? '')
    const rest = typed.slice(whole?.length ?? 0)
    const url = new URL(plain ? typed : `https://${rest}`)
    // Nothing on this computer has a certificate.
    if (!plain && whole && isThisComputer(url.hostname)) url.protocol = 'http:'
    if (url.username !== '' || url.password !== '') return { problem: 'Remove the user name and password' }
    url.hash = ''
    return { url: url.href, host: url.host }
  } catch {
    return { problem: example }
  }
}

const example = 'Enter an address such as https://example.org/calendar.ics'

const isThisComputer = (hostname: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
