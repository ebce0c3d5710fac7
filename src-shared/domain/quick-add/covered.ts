import { Question } from './items'

/** A stretch of the line that is settled before anything is read: quoted words, guests, a calendar, an address. */
export interface Covered {
  is: 'quoted' | 'guest' | 'calendar' | 'address'
  from: number
  to: number
  /** The value, without quotes and leading words. */
  value: string
}
export interface Named {
  id: string
  name: string
}

const quoted = /"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»/gu
const address = /(?:https?:\/\/|www\.)\S+/giu
const guest = /(?:(?<![\p{L}\d])(?:with|and|invite|mit|und)\s+)?([^\s@,;<>"()]+@[^\s@,;<>"()]+\.\p{L}{2,})\s*,?/giu

/**
 * Ranges that aren't parsed word by word, in order.
 * @throws Question for an unknown calendar
 */
export function coveredIn(text: string, named: readonly Named[], kind: 'calendar' | 'list'): Covered[] {
  const found: Covered[] = []
  const put = (is: Covered['is'], from: number, to: number, value: string): void => {
    if (!found.some((one) => from < one.to && one.from < to)) found.push({ is, from, to, value })
  }
  for (const match of text.matchAll(quoted))
    put(
      'quoted',
      match.index,
      match.index + match[0].length,
      (match[1] ?? match[2] ?? match[3] ?? match[4] ?? '').trim(),
    )
  for (const match of text.matchAll(address)) put('address', match.index, match.index + match[0].length, match[0])
  for (const match of text.matchAll(guest))
    put('guest', match.index, match.index + match[0].trimEnd().length, match[1]!.toLowerCase())
  const chosen = calendarIn(text, named, kind, found)
  if (chosen) put('calendar', chosen.from, chosen.to, chosen.id)
  return found.sort((a, b) => a.from - b.from)
}

function calendarIn(
  text: string,
  named: readonly Named[],
  kind: string,
  covered: readonly Covered[],
): { from: number; to: number; id: string } | null {
  let chosen: { from: number; to: number; id: string } | null = null
  for (const start of text.matchAll(/(?<=^|\s)\/(?=\p{L})/gu)) {
    const from = start.index
    if (covered.some((one) => one.from <= from && from < one.to)) continue
    const rest = text.slice(from + 1).toLowerCase()
    const exact = [...named]
      .sort((a, b) => b.name.length - a.name.length)
      .find(
        ({ name }) =>
          name !== '' && rest.startsWith(name.toLowerCase()) && !/^[\p{L}\d]/u.test(rest.slice(name.length)),
      )
    const word = /^[\p{L}\d_-]+/u.exec(rest)![0]
    const to = from + 1 + (exact ? exact.name.length : word.length)
    const similar = exact ? [exact] : named.filter(({ name }) => name.toLowerCase().startsWith(word))
    if (similar.length === 0) throw new Question(`No ${kind} matches “/${word}”. Check its name`, from, to)
    if (similar.length > 1)
      throw new Question(
        `“/${word}” could be ${similar.map(({ name }) => name).join(' or ')}. Enter more of the name`,
        from,
        to,
      )
    if (chosen && chosen.id !== similar[0]!.id) throw new Question(`You named two ${kind}s. Keep one`, from, to)
    chosen = { from, to, id: similar[0]!.id }
  }
  return chosen
}
