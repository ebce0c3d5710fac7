/** Longest address that is opened; browsers and mail programs cut longer ones in surprising places. */
const longest = 4096

/** What a link may put into a mail. Others make some mail programs attach files of this computer. */
const mailFields = new Set(['to', 'cc', 'bcc', 'subject', 'body'])

function plainMail(url: URL): string {
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((part) => mailFields.has(fieldOf(part)))
    // Some programs take it for the beginning of another field.
    .map((part) => part.replaceAll(';', '%3B'))
  return `mailto:${url.pathname}${kept.length > 0 ? `?${kept.join('&')}` : ''}`
}

/** The name of one parameter, unescaped and in small letters; empty where it cannot be read. */
function fieldOf(part: string): string {
  try {
    return decodeURIComponent(part.split('=')[0]!).trim().toLowerCase()
  } catch {
    return ''
  }
}

/**
 * The address to open outside the app, or undefined when it must not be: only https, http and mailto, without user
 * names, control characters or escaped line breaks; of a mail only whom it goes to and what it says.
 */
export function safeExternalLink(text: string): string | undefined {
  if (text.length > longest || /[\u0000-\u0020\u007f\u202a-\u202e\u2066-\u2069]/.test(text)) return undefined
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return undefined
  }
  if (url.protocol === 'mailto:') return /%0[ad]/i.test(url.href) ? undefined : plainMail(url)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  if (url.username !== '' || url.password !== '' || url.hostname === '') return undefined
  return url.href
}
