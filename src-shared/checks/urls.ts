import { isJsonObject, type Json } from '#shared/json'
import type { Found } from './rule'

/** Macros that services replace: `%%CACHEBUSTER%%`, `%n`, `${GDPR}`, `[timestamp]`. */
const macros = /%%[A-Z0-9_:]+%%|\$\{[A-Za-z0-9_]+\}|\[[A-Za-z0-9_]+\]|%[a-z](?![0-9A-Fa-f])!?;?/g

/** Problem with a click or landing page address. */
export function urlProblems(path: string, text: string, key: string): Found[] {
  const found: Found[] = []
  const fixed = (words: string, value: string): NonNullable<Found['fixes']> => [
    { words, edits: [{ key, path, value }] },
  ]
  const plain = text.replace(macros, 'x')
  const trimmed = text.trim()
  if (/\s/.test(text))
    found.push({
      path,
      words: 'The address contains spaces',
      fixes: fixed('Encode spaces', trimmed.replace(/\s/g, '%20')),
    })
  else if (!/^https?:\/\/[^/?#]+/i.test(plain)) found.push({ path, words: 'The address doesn’t start with http(s)://' })
  else if (/^http:/i.test(text))
    found.push({
      path,
      words: 'The address isn’t secure',
      fixes: fixed('Use https', text.replace(/^http:/i, 'https:')),
    })
  if (/%%|\$\{/.test(plain)) found.push({ path, words: 'A macro isn’t closed' })
  if (plain.split('#', 2)[1]?.includes('?')) found.push({ path, words: 'Parameters after # aren’t sent' })
  // Brackets in a name are part of it, and lists such as `a[]` repeat theirs.
  const query = text.split('#', 1)[0]!.split('?')[1] ?? ''
  const names = query.split('&').map((one) => one.split('=')[0]!)
  const twice = names.find((name, at) => name !== '' && !/(\[\]|%5B%5D)$/i.test(name) && names.indexOf(name) !== at)
  if (twice !== undefined) found.push({ path, words: `The parameter “${twice}” appears twice` })
  return found
}

/** The click addresses of its own that a record has anywhere, such as in the creatives of an ad. */
export function clickUrls(value: Json | undefined, path = ''): { path: string; text: string }[] {
  if (Array.isArray(value)) return value.flatMap((one, at) => clickUrls(one, `${path}${at}.`))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'customClickThroughUrl' && typeof inner === 'string' && inner !== ''
      ? [{ path: path + name, text: inner }]
      : clickUrls(inner, `${path}${name}.`),
  )
}
