// Finds the tests that a change reaches, nearest first: by the files they load or start, and by a table for page tests,
// which see the built app instead of its sources.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'

/** Folders of views, and the files of `test/page` that show them. */
export const pageTests = [
  ['src-renderer/views/calendar', ['event-form', 'grid-pointer', 'quick-add', 'description']],
  ['src-renderer/views/campaigns', ['campaigns', 'campaign-cells', 'campaign-form', 'campaign-actions']],
  ['src-renderer/views/reports', ['report-overview', 'report-builder', 'report-keys', 'search-ads']],
  ['src-renderer/views/sync', ['sync-lanes', 'sync-lists']],
  ['src-renderer/views/tasks', ['quick-add', 'peek']],
  ['src-renderer/views/settings', ['export-presets', 'report-files']],
  ['src-renderer/app', ['focus', 'panels']],
  ['src-renderer/ui', ['focus', 'panels']],
]

const sourceFolders = ['src-main', 'src-renderer', 'src-shared', 'scripts', 'test']
const extensions = ['', '.ts', '.mjs', '.svelte', '.svelte.ts', '/index.ts']

/** All source files, and the files that each one mentions: imports, and files it reads or starts. */
export function graphOf(root) {
  const files = sourceFolders.filter((name) => existsSync(join(root, name))).flatMap((name) => sourcesIn(root, name))
  const known = new Set(files)
  return new Map(files.map((file) => [file, namedIn(root, file, known)]))
}

function sourcesIn(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).split(sep).join('/'))
    .filter((name) => /\.(ts|mjs|svelte|css|json)$/.test(name))
}

function namedIn(root, file, known) {
  if (!/\.(ts|mjs|svelte)$/.test(file)) return []
  const found = new Set()
  for (const [, name] of readFileSync(join(root, file), 'utf8').matchAll(/['"`]([#.\w/-]*[/.][\w./-]+)['"`]/g)) {
    const bases = name.startsWith('#shared/')
      ? [`src-shared/${name.slice('#shared/'.length)}`]
      : [relative(root, resolve(root, dirname(file), name)), ...(name.startsWith('.') ? [] : [name])]
    for (const base of bases) {
      const target = extensions.map((extension) => base.split(sep).join('/') + extension).find((one) => known.has(one))
      if (target !== undefined && target !== file) found.add(target)
    }
  }
  return [...found]
}

/**
 * The test files that load one of the changed files, with the number of steps to it, nearest first.
 * @param {ReadonlyMap<string, readonly string[]>} graph
 * @param {readonly string[]} changed
 * @returns {{ file: string, steps: number }[]}
 */
export function reachedBy(graph, changed) {
  const users = new Map()
  for (const [file, named] of graph) for (const one of named) users.set(one, [...(users.get(one) ?? []), file])
  const steps = new Map(changed.map((file) => [file, 0]))
  for (let edge = [...changed], distance = 1; edge.length > 0; distance++) {
    const next = new Set(edge.flatMap((file) => users.get(file) ?? []).filter((file) => !steps.has(file)))
    for (const file of next) steps.set(file, distance)
    edge = [...next]
  }
  return [...steps]
    .filter(([file]) => file.endsWith('.test.ts') && graph.has(file))
    .map(([file, distance]) => ({ file, steps: distance }))
    .sort((a, b) => a.steps - b.steps || (a.file < b.file ? -1 : 1))
}

/** Tests of pages that show code in the changed files. */
export function pagesOf(graph, changed) {
  const names = new Set(
    pageTests.filter(([folder]) => changed.some((file) => file.startsWith(`${folder}/`))).flatMap(([, list]) => list),
  )
  return [...graph.keys()].filter(
    (file) => file.startsWith('test/page/') && names.has(basename(file, extname(file)).replace(/\.test$/, '')),
  )
}

/**
 * Returns the first files that fit into `budget` milliseconds on `workers`, at least one.
 * @param {readonly { file: string }[]} files
 * @param {(file: string) => number} costOf
 */
export function within(files, costOf, budget, workers = 2) {
  let spent = 0
  const taken = []
  for (const one of files) {
    const cost = costOf(one.file)
    // A long file further away doesn't keep out the short ones behind it.
    if (taken.length > 0 && (cost > budget / 2 || spent + cost > budget * workers)) continue
    spent += cost
    taken.push(one)
  }
  return taken
}
