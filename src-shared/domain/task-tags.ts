/** Tags of tasks: `#word`, with a letter first. Case doesn’t matter. */

const tag = String.raw`#\p{L}[\p{L}\p{M}\p{N}_-]{0,49}(?![\p{L}\p{M}\p{N}_-])`
const single = new RegExp(`^${tag}$`, 'u')
const among = new RegExp(String.raw`(?<=(?:^|\s)\(?)${tag}(?=[,.;:!?)]*(?:$|\s))`, 'gu')
/** Tags next to each other with a bracket before them, and with the punctuation and blanks after them. */
const run = new RegExp(String.raw`(?<=^|\s)(\(?)(${tag}(?:(?:\s+|\s*,\s*)${tag})*)([,.;:!?)]*)(?=$|\s)(\s*)`, 'gu')
const every = new RegExp(tag, 'gu')

/** Key of a tag, equal for spellings that differ only in case. */
export const tagKey = (word: string): string => word.toLowerCase()

export const isTag = (word: string): boolean => single.test(word)

/** Each tag once, as written first. */
export function uniqueTags(words: readonly string[]): string[] {
  const seen = new Map<string, string>()
  for (const word of words) if (!seen.has(tagKey(word))) seen.set(tagKey(word), word)
  return [...seen.values()]
}

/** The tags in a text, with `#`. */
export const tagsIn = (text: string): string[] => uniqueTags(text.match(among) ?? [])

/**
 * Returns a text with its tags replaced by blanks, so that positions stay, and the tags. Punctuation around a tag stays with
 * the words next to it, or goes with the tag if there are none.
 */
export function takeTags(text: string): { text: string; tags: string[] } {
  const tags: string[] = []
  let left = ''
  let end = 0
  for (const { 0: whole, 1: opening = '', 2: taken = '', 3: after = '', 4: space = '', index } of text.matchAll(run)) {
    tags.push(...(taken.match(every) ?? []))
    left += text.slice(end, index)
    end = index + whole.length
    const words = left.trimEnd()
    const isClosed = opening !== '' && after.includes(')')
    const opens = opening !== '' && !isClosed && space !== ''
    const closing = isClosed ? after.replace(')', '') : after
    // A second comma would follow another one, or nothing.
    const kept = opens ? '' : words === '' || /[,.;:!?(]$/.test(words) ? closing.replace(/[^)]/g, '') : closing
    left = words + kept
    left = opens ? `${left.padEnd(end - 1)}(` : left.padEnd(end)
  }
  return { text: left + text.slice(end), tags: uniqueTags(tags) }
}

/** Reads tags from a field in which people may leave out `#`. Null if a word can’t be a tag. */
export function readTags(typed: string): string[] | null {
  const words = typed
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((word) => (word.startsWith('#') ? word : `#${word}`))
  return words.every(isTag) ? uniqueTags(words) : null
}

/** Tags with the number of lists that have them, ordered by name. */
export function countTags(lists: Iterable<readonly string[]>): { tag: string; count: number }[] {
  const counts = new Map<string, { tag: string; count: number }>()
  for (const tags of lists)
    for (const tag of tags) {
      const known = counts.get(tagKey(tag))
      if (known) known.count++
      else counts.set(tagKey(tag), { tag, count: 1 })
    }
  return [...counts.values()].sort((a, b) => (tagKey(a.tag) < tagKey(b.tag) ? -1 : 1))
}
