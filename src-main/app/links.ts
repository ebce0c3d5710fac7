/** Maximum length of an address. Browsers and email programs cut longer ones unpredictably. */
const maxLength = 4096

/** Fields that a link may set in an email. Others make some email programs attach local files. */
const mailFields = new Set(['to', 'cc', 'bcc', 'subject', 'body'])

function plainMail(url: URL): string {
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((part) => mailFields.has(fieldOf(part)))
    // Some programs treat a semicolon as a field separator.
    .map((part) => part.replaceAll(';', '%3B'))
  return `mailto:${url.pathname}${kept.length > 0 ? `?${kept.join('&')}` : ''}`
}

/** Name of a parameter, unescaped and in lower case. Empty if unreadable. */
function fieldOf(part: string): string {
  try {
    return decodeURIComponent(part.split('=')[0]!).trim().toLowerCase()
  } catch {
    return ''
  }
}

/**
 * The address to open outside the app, or undefined if it isn't safe. Allows https, http, and mailto without user names,
 * control characters, or escaped line breaks. An email may set only recipients, subject, and body.
 */
export function safeExternalLink(text: string): string | undefined {
  if (text.length > maxLength || /[\u0000-\u0020\u007f\u202a-\u202e\u2066-\u2069]/.test(text)) return undefined
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
