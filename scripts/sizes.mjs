// `npm run -s sizes`: counts lines per folder, with the median and 95th percentile of the lengths of files and functions.
//   --json    print one JSON line
import { flag, readOptions } from './help.mjs'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureModules, root } from './setup.mjs'
import { areaOf, sourcesIn } from './sources.mjs'

const { json } = readOptions({ json: flag })
ensureModules()
const { default: ts } = await import('typescript')

/** Counts lines with a character, as editors do. */
const linesOf = (text) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

/** Lengths of all functions of a file, in lines. Of a component, those of its scripts. */
function functionsOf(path, text) {
  const code = path.endsWith('.svelte')
    ? [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, script]) => script).join('\n')
    : text
  const source = ts.createSourceFile('file.ts', code, ts.ScriptTarget.Latest)
  const lengths = []
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line
      lengths.push(lineAt(node.end) - lineAt(node.getStart(source)) + 1)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return lengths
}

const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
const spread = (lengths) => {
  const sorted = [...lengths].sort((a, b) => a - b)
  return { count: sorted.length, median: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) }
}

const isGenerated = (path) => /^src-shared\/wire\/(?:.*\/types|tables)\.ts$/.test(path)

/** Tests have areas of one more level: `test/main/http` counts as `test/main`. */
const areas = new Map()
for (const path of ['src-renderer', 'src-main', 'src-shared', 'test'].flatMap(sourcesIn)) {
  if (isGenerated(path)) continue
  const text = readFileSync(join(root, path), 'utf8')
  const area = areaOf(path) ?? path.split('/').slice(0, 2).join('/')
  for (const name of [area, path.split('/')[0], 'all']) {
    const found = areas.get(name) ?? { lines: 0, files: [], functions: [] }
    areas.set(name, found)
    found.lines += linesOf(text)
    found.files.push(linesOf(text))
    found.functions.push(...functionsOf(path, text))
  }
}

const sizes = Object.fromEntries(
  [...areas]
    .sort(([a], [b]) => Number(a === 'all') - Number(b === 'all') || (a < b ? -1 : 1))
    .map(([name, { lines, files, functions }]) => [
      name,
      { lines, files: spread(files), functions: spread(functions) },
    ]),
)

if (json) console.log(JSON.stringify(sizes))
else {
  const row = (name, cells) => console.log(name.padEnd(28) + cells.map((cell) => String(cell).padStart(8)).join(''))
  row('area', ['lines', 'files', 'median', 'p95', 'functions', 'median', 'p95'])
  for (const [name, { lines, files, functions }] of Object.entries(sizes))
    row(name, [lines, files.count, files.median, files.p95, functions.count, functions.median, functions.p95])
}
