/** Longest address that is opened; browsers and mail programs cut longer ones in surprising places. */
const longest = 4096

/**
 * The address to open outside the app, or undefined when it must not be: only https, http and mailto, without user
 * names, control characters or escaped line breaks.
 */
export function safeExternalLink(text: string): string | undefined {
  if (text.length > longest || /[\u0000-\u0020\u007f\u202a-\u202e\u2066-\u2069]/.test(text)) return undefined
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return undefined
  }
  if (url.protocol === 'mailto:') return /%0[ad]/i.test(url.href) ? undefined : url.href
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  if (url.username !== '' || url.password !== '' || url.hostname === '') return undefined
  return url.href
}
