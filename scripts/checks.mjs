// The checks that count as one test each, so that a slip in types or style fails like any other.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from './setup.mjs'

export const bin = (name) => join(root, 'node_modules', '.bin', name)

/** Caches of the checks. Git ignores them. */
export const checkCache = join(root, 'out', 'cache')

/** Types of one project, by TypeScript's native compiler. svelte-check also needs the one written in JavaScript. */
const types = (name) => ({
  name: `types of ${name === 'test' ? 'test' : `src-${name}`}`,
  command: process.execPath,
  args: [
    join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc'),
    ...['-p', `tsconfig.${name}.json`, '--incremental'],
    ...['--tsBuildInfoFile', join(checkCache, `types-${name}.tsbuildinfo`)],
  ],
})

/** Types of the renderer. svelte-check writes the components as TypeScript to .svelte-check, where `componentLint` reads them. */
const rendererTypes = {
  name: 'types of src-renderer',
  command: bin('svelte-check'),
  args: [
    ...['--tsconfig', 'tsconfig.renderer.json', '--threshold', 'error', '--output', 'human'],
    ...['--incremental', '--tsgo'],
  ],
}

const typeAware = (...args) => ['--type-aware', ...args]

/** Typed rules for components and their markup. Files are passed one by one, because oxlint skips folders that git ignores. */
const componentLint = {
  name: 'lint of components',
  command: bin('oxlint'),
  args: () => {
    const folder = join('.svelte-check', 'svelte')
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    const components = files.filter((file) => basename(file).startsWith('++'))
    return typeAware('--tsconfig', '.svelte-check/tsconfig.json', ...components.map((file) => join(folder, file)))
  },
}

const lint = (files) => ({
  name: 'lint',
  command: bin('oxlint'),
  args: typeAware('--no-error-on-unmatched-pattern', ...files),
})

const format = (files) => ({
  name: 'format',
  command: bin('oxfmt'),
  // Each thread would load and warm up the formatter of components, while tests keep the other core busy.
  args: ['--list-different', '--threads=1', '--no-error-on-unmatched-pattern', ...files],
})

/** Lints the whole tree, like `npm run lint`. The type check provides the components. */
export const lintChecks = () => [rendererTypes, componentLint, lint(['.'])]

/** Every check of the whole tree. */
export const allChecks = () => [...lintChecks(), types('test'), types('main'), types('shared'), format(['.'])]

/** The checks of a few files: their own lint and format, and the types of the projects they belong to. */
export function checksOf(files) {
  const within = (...folders) => files.some((file) => folders.some((folder) => file.startsWith(`${folder}/`)))
  const linted = files.filter((file) => /^(src-\w+|test|scripts\/tour)\/.*\.(ts|svelte)$/.test(file))
  const formatted = files.filter((file) => /\.(ts|mjs|js|svelte|json|css|html|md)$/.test(file))
  return [
    ...(within('src-shared') ? [types('shared')] : []),
    ...(within('src-shared', 'src-main') ? [types('main')] : []),
    ...(within('src-renderer') ? [rendererTypes, componentLint] : []),
    ...(within('test', 'scripts/tour') ? [types('test')] : []),
    ...(linted.length > 0 ? [lint(linted)] : []),
    ...(formatted.length > 0 ? [format(formatted)] : []),
  ]
}

/**
 * Runs checks one after another and prints the output of each when it ends.
 * @returns {Promise<{ passed: number, failed: number, took: { name: string, ms: number }[] }>}
 */
export async function runChecks(checks, env = process.env) {
  mkdirSync(checkCache, { recursive: true })
  const counts = { passed: 0, failed: 0, took: [] }
  for (const { name, command, args } of checks) {
    const started = Date.now()
    const { status, output } = await ended(command, typeof args === 'function' ? args() : args, env)
    const ms = Date.now() - started
    counts[status === 0 ? 'passed' : 'failed'] += 1
    counts.took.push({ name, ms })
    console.log(`${output}${status === 0 ? 'ok' : 'FAILED'}  ${name}  ${(ms / 1000).toFixed(1)} s`)
  }
  return counts
}

/** Collects a program's output, because lines of two programs would otherwise mix. */
function ended(command, args, env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
    child.on('error', (error) => resolve({ status: 1, output: `${error.message}\n` }))
    child.on('close', (status) => resolve({ status: status ?? 1, output }))
  })
}
