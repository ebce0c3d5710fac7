import { isZone } from '#shared/time/zones'
import { Question, type TypedZone } from './items'
import type { Found, Line } from './line'
import { alsoWords, doubtfulZones, zoneNames, zonePlaces } from './words/zones'

/**
 * A zone behind a time: "JST", "ET", "Tokyo time", "(Berlin)", "UTC+2", "Europe/Berlin". @throws Question for a name that
 * several places use
 */
export function zoneAfter(line: Line, at: number): Found<TypedZone> | null {
  const open = line.low(at) === '(' ? at + 1 : at
  const inside = zoneAt(line, open, open > at)
  if (!inside) return null
  const to = open > at ? (line.low(inside.to) === ')' ? inside.to + 1 : 0) : inside.to
  return to ? { to, value: { ...inside.value, said: line.said(open, inside.to) } } : null
}

function zoneAt(line: Line, at: number, bracketed: boolean): Found<TypedZone> | null {
  const token = line.tokens[at]
  if (!token || token.shape.is !== 'word') return null
  const { low, text } = token
  const said = text
  if (low === 'utc' || low === 'gmt') return fromUtc(line, at)
  const capitals = text === text.toUpperCase()
  if (doubtfulZones[low] && (capitals || !alsoWords.has(low)))
    throw new Question(
      `“${text}” could be the time in ${doubtfulZones[low]}. Enter a city, such as “9:00 Tokyo time”`,
      at,
      at + 1,
    )
  const named = zoneNames.get(low)
  if (named && (capitals || !alsoWords.has(low))) return { to: at + 1, value: { ...named, said } }
  // Europe/Berlin, America/Argentina/Buenos_Aires
  const path = /^[A-Za-z]+(?:\/[A-Za-z_+-]+)+/.exec(line.text.slice(token.from))?.[0]
  if (path && isZone(path)) {
    let to = at
    while (to < line.tokens.length && line.tokens[to]!.from < token.from + path.length) to++
    return { to, value: { zone: path, said: path } }
  }
  for (const size of [2, 1]) {
    const phrase = line.said(at, at + size).toLowerCase()
    const zone = zonePlaces.get(phrase)
    const time = line.skip(at + size, 'zone')
    if (zone && (time !== null || bracketed))
      return { to: time ?? at + size, value: { zone, said: line.said(at, at + size) } }
  }
  if (low === 'central' && line.skip(at + 1, 'zone') !== null)
    throw new Question('“Central time” could be in America or Europe. Enter “Chicago time” or “CET”', at, at + 2, [
      'Chicago time',
      'CET',
    ])
  return null
}

function fromUtc(line: Line, at: number): Found<TypedZone> {
  const token = line.tokens[at]!
  const said = /^(?:utc|gmt)\s?([+-−])\s?(\d{1,2})(?::?(\d{2}))?(?![\d:])/iu.exec(line.text.slice(token.from))
  if (!said) return { to: at + 1, value: { zone: 'UTC', said: token.text } }
  const hours = Number(said[2])
  let to = at
  while (to < line.tokens.length && line.tokens[to]!.from < token.from + said[0].length) to++
  if (Number(said[3] ?? 0) !== 0 || hours > 14 || !/[+\-−]/.test(said[1]!))
    throw new Question(`“${said[0]}” isn’t a known time zone. Enter a city, such as “9:00 Delhi time”`, at, to)
  // The database writes these the other way round.
  const zone = hours === 0 ? 'UTC' : `Etc/GMT${said[1] === '+' ? '-' : '+'}${hours}`
  return { to, value: { zone, said: said[0] } }
}
