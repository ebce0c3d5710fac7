import type { Covered } from './covered'
import type { Placed } from './items'
import type { Line } from './line'

interface Left {
  title: string
  place?: { text: string; from: number; to: number }
}

interface Piece {
  from: number
  to: number
}

const edges = /^(?:[\s,;:–—)/]|-(?!\d))+|[\s,;:–—(/-]+$/gu
const dangling =
  /(?:^|\s)(?:in der|in dem|in the|on|at|from|for|with|by|to|the|und|and|mit|am|um|ab|von|vom|bis|für|im|zum|der|den|dem)$/iu

/** Splits the remaining words into title and place. Quoted words are literal. */
export function titleAndPlace(line: Line, placed: readonly Placed[], covered: readonly Covered[]): Left {
  const gone: Piece[] = [
    ...placed.map(({ from, to }) => ({ from: line.tokens[from]!.from, to: line.tokens[to - 1]!.to })),
    ...covered.filter(({ is }) => is === 'guest' || is === 'calendar'),
  ].sort((a, b) => a.from - b.from)
  const pieces: Piece[] = []
  let at = 0
  for (const { from, to } of [...gone, { from: line.text.length, to: line.text.length }]) {
    if (from > at) pieces.push({ from: at, to: from })
    at = Math.max(at, to)
  }
  const place = placeIn(line, pieces, covered)
  if (place) {
    const index = pieces.findIndex(({ from, to }) => from <= place.from && place.to <= to)
    const { from, to } = pieces[index]!
    pieces.splice(index, 1, { from, to: place.from }, { from: place.to, to })
  }
  const title = pieces
    .map(({ from, to }) =>
      trimmed(spoken(line.text.slice(from, to), from, covered), to < line.text.length || gone.length > 0),
    )
    .filter((piece) => /[\p{L}\p{N}\p{S}]/u.test(piece) && piece !== '+')
    .join(' ')
    .replace(/\s+/g, ' ')
  return { title, ...(place && { place: { text: place.text, from: place.from, to: place.to } }) }
}

/** Quotes are there for the reader and not for the title. */
function spoken(text: string, from: number, covered: readonly Covered[]): string {
  let result = ''
  let at = 0
  for (const one of covered) {
    if (one.is !== 'quoted' || one.from < from || one.to > from + text.length) continue
    result += text.slice(at, one.from - from) + one.value
    at = one.to - from
  }
  return result + text.slice(at)
}

function trimmed(text: string, ends: boolean): string {
  let result = text
    .trim()
    .replace(/\s+([,;])/g, '$1')
    .replace(edges, '')
    .replace(/\(\s*\)/g, '')
    .trim()
  for (let before = ''; ends && before !== result;) {
    before = result
    result = result.replace(dangling, '').replace(edges, '')
  }
  return result
}

/** What leads to a place, the surest first. */
const leads = ['@', 'at|in|im|beim|bei|in der|in dem'].map(
  (words) => new RegExp(`(?<![\\p{L}\\d])(?:${words})\\s+(?=["“„«\\p{Lu}\\d])`, 'gu'),
)

/**
 * `at Cafe Nord`: from a capital letter, digit, or quote to a comma, the next recognized phrase, or "with" or "about".
 */
function placeIn(
  line: Line,
  pieces: readonly Piece[],
  covered: readonly Covered[],
): { text: string; from: number; to: number } | null {
  for (const lead of leads) {
    for (const match of line.text.matchAll(lead)) {
      const from = match.index
      const piece = pieces.find((one) => one.from <= from && from + match[0].length <= one.to)
      if (!piece) continue
      if (covered.some((one) => one.from <= from && from < one.to)) continue
      const start = from + match[0].length
      const quote = covered.find((one) => one.is === 'quoted' && one.from === start)
      const rest = line.text.slice(start, piece.to)
      const stop = quote
        ? quote.to - start
        : (/[,;(]|\s(?:with|mit|for|für|about|über|and|und|to|re)\s/iu.exec(rest)?.index ?? rest.length)
      const said = quote ? quote.value : rest.slice(0, stop).replace(edges, '').replace(dangling, '').trim()
      if (said === '') continue
      // A line that consists only of a place keeps it as its title.
      const before = line.text.slice(0, from) + line.text.slice(start + stop)
      if (!/\p{L}/u.test(before)) continue
      return { text: said, from, to: start + stop }
    }
  }
  return null
}
