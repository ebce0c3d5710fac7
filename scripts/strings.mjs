// `npm run strings`: lists every string people read, by screen, with its place.
//   --screen NAME    list one screen
//   --count          count phrases to avoid, in strings and comments
import { flag, readOptions, text } from './help.mjs'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureModules, root } from './setup.mjs'
import { banned, doubtful, hitsOf } from './wording.mjs'

const { count, screen } = readOptions({ count: flag, screen: text })
ensureModules()
const { collectStrings, commentsIn, screenOf, screens, sourceFiles } = await import('./ui-strings.mjs')

const strings = collectStrings(root)
if (count) printCounts()
else printScreens(screen)

function printScreens(only) {
  for (const [name] of screens) {
    if (only !== undefined && name.toLowerCase() !== only.toLowerCase()) continue
    const places = strings.filter(({ file }) => screenOf(file) === name)
    const byText = new Map()
    for (const place of places) byText.set(place.text, [...(byText.get(place.text) ?? []), place])
    console.log(`\n# ${name}: ${byText.size} strings`)
    let last = ''
    for (const [text, [{ file, line }, ...more]] of byText) {
      if (file !== last) console.log(`\n${file}`)
      last = file
      console.log(`  :${line}  ${text}${more.length > 0 ? `  (+${more.length})` : ''}`)
    }
  }
}

/** Lines with a hit, in strings and in comments. */
function printCounts() {
  const comments = sourceFiles(root, { sandbox: true }).flatMap((file) =>
    commentsIn(readFileSync(join(root, file), 'utf8'), file),
  )
  const lines = (phrase, places) => new Set(hitsOf(phrase, places).map(({ file, line }) => `${file}:${line}`)).size
  console.log(`${strings.length} strings, ${comments.length} lines of comments`)
  for (const [title, phrases] of [
    ['Banned', banned],
    ['Review by eye', doubtful],
  ]) {
    console.log(`\n${title.padEnd(18)} strings  comments  instead`)
    for (const phrase of phrases) {
      const [inStrings, inComments] = [lines(phrase, strings), lines(phrase, comments)].map(String)
      console.log(`${phrase.name.padEnd(18)} ${inStrings.padStart(7)}  ${inComments.padStart(8)}  ${phrase.instead}`)
    }
  }
}
