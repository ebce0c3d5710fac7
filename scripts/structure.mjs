// `npm run -s structure`: draws the folders of the sources and their imports, as a Mermaid diagram.
//   --write    put the diagram into docs/architecture.md
import { flag, readOptions } from './help.mjs'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './setup.mjs'
import { areaOf, importsOf, sourcesIn } from './sources.mjs'

export const document = join(root, 'docs', 'architecture.md')
const marks = /(<!-- structure: begin -->\n\n)[\s\S]*?(<!-- structure: end -->)/
const processes = ['src-renderer', 'src-main', 'src-shared']

/** Imports between areas of the same process. @returns {Map<string, Set<string>>} */
function importsBetween() {
  const edges = new Map()
  for (const file of processes.flatMap(sourcesIn)) {
    const from = areaOf(file)
    if (!from.includes('/')) continue
    if (!edges.has(from)) edges.set(from, new Set())
    for (const to of importsOf(file).map(areaOf))
      if (to?.includes('/') && to !== from && to.split('/')[0] === from.split('/')[0]) edges.get(from).add(to)
  }
  return edges
}

/** Leaves out imports that a longer way implies, so that the drawing stays readable. Circles stay. */
function withoutImplied(edges) {
  const reaches = (from, to, except, seen = new Set()) =>
    [...(edges.get(from) ?? [])].some((next) => {
      if ((from === except[0] && next === except[1]) || seen.has(next)) return false
      seen.add(next)
      return next === to || reaches(next, to, except, seen)
    })
  const circular = (from, to) => reaches(to, from, [])
  return [...edges].flatMap(([from, all]) =>
    [...all].filter((to) => circular(from, to) || !reaches(from, to, [from, to])).map((to) => [from, to]),
  )
}

/** The diagram, as a fenced block. */
export function diagram() {
  const edges = importsBetween()
  const id = (area) => area.replace(/\W/g, '_')
  const lines = processes.flatMap((process) => [
    `  subgraph ${id(process)}["${process}"]`,
    ...[...edges.keys()]
      .filter((area) => area.startsWith(`${process}/`))
      .sort()
      .map((area) => `    ${id(area)}["${area.split('/')[1]}"]`),
    '  end',
  ])
  const arrows = withoutImplied(edges)
    .map(([from, to]) => `  ${id(from)} --> ${id(to)}`)
    .sort()
  const between = ['  src_renderer ==> src_shared', '  src_main ==> src_shared']
  return ['```mermaid', 'flowchart LR', ...lines, ...arrows, ...between, '```', ''].join('\n')
}

/** The document with the current diagram. */
export const withDiagram = (text) => text.replace(marks, (_all, begin, end) => `${begin}${diagram()}\n${end}`)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (readOptions({ write: flag }).write) writeFileSync(document, withDiagram(readFileSync(document, 'utf8')))
  else console.log(diagram())
}
