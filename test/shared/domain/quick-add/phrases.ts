import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A typed line and its expected result. */
type Phrase = readonly [line: string, expected: string]

/** Blocks of phrases. A block may start with a line `# moment<TAB>zone<TAB>hours of the clock`. */
function blocksOf(name: string): { about: readonly string[]; phrases: Phrase[] }[] {
  const blocks: { about: readonly string[]; phrases: Phrase[] }[] = []
  for (const line of readFileSync(join(import.meta.dirname, name), 'utf8').split('\n')) {
    if (line === '') continue
    const cells = line.split('\t')
    if (line.startsWith('# ')) blocks.push({ about: cells.map((cell) => cell.replace('# ', '')), phrases: [] })
    else {
      if (blocks.length === 0) blocks.push({ about: [], phrases: [] })
      blocks.at(-1)!.phrases.push([cells[0]!, cells[1]!])
    }
  }
  return blocks
}

/**
 * Phrases typed on Saturday 21 November 2026 at 11:00 in Berlin, with their expected result: the parsed event, or after a
 * question mark the start of the question. Each was judged separately, and none may be misread.
 */
export const phrases = blocksOf('phrases.tsv').flatMap((block) => block.phrases)

/** Phrases typed at several times, with the parsed event, or `?` if quick add must ask. Each was judged before parsing it. */
export const elsewhere = blocksOf('phrases-elsewhere.tsv').map(
  ({ about: [moment = '', zone = '', hours], phrases }) => ({
    now: Date.parse(moment),
    zone,
    hour12: hours === '12',
    phrases,
  }),
)
