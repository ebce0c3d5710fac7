// `npm run strings`: prints what people read, by screen, with its places, so that a writer can read the whole app.
// `--count` prints how often the phrases to avoid are found. `--screen NAME` prints one screen.
// `--lower` lowers the number of phrases that the test for words allows.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureModules, root } from './setup.mjs'
import { banned, doubtful, hitsOf } from './wording.mjs'

ensureModules()
const { collectProse, collectStrings, commentsIn, screenOf, screens, sourceFiles } = await import('./ui-strings.mjs')

const args = process.argv.slice(2)
const strings = collectStrings(root)
if (args.includes('--count')) printCounts()
else if (args.includes('--lower')) lower()
else printScreens(args[args.indexOf('--screen') + 1])

function printScreens(only) {
  for (const [name] of screens) {
    if (args.includes('--screen') && name.toLowerCase() !== only?.toLowerCase()) continue
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

function lower() {
  const path = join(root, 'test', 'architecture', 'words-left.json')
  const before = JSON.parse(readFileSync(path, 'utf8'))
  const places = [...strings, ...collectProse(root)]
  const counts = banned.map((phrase) => [
    phrase.name,
    Math.min(hitsOf(phrase, places).length, before[phrase.name] ?? 0),
  ])
  const left = Object.fromEntries(counts.filter(([, count]) => count > 0))
  writeFileSync(path, `${JSON.stringify(left, undefined, 2)}\n`)
}
