import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildSync } from 'esbuild'

const root = resolve(import.meta.dirname, '../..')
/** Inside the project, where the packages are found. Git ignores it. */
const folder = join(root, 'out', 'cache', 'scripts')

const written = new Map<string, string>()

/**
 * Bundles a script from its sources, once per worker. Node starts the bundle in a fourth of the time that loading sources
 * takes.
 * @param script relative to the project's root, as `test:near` follows it
 * @returns the bundle's path
 */
export function bundled(script: string): string {
  const path = written.get(script) ?? bundle(script)
  written.set(script, path)
  return path
}

function bundle(script: string): string {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: [script],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    write: false,
    logLevel: 'error',
  })
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${script.replace(/\.ts$/, '').replaceAll('/', '-')}.mjs`)
  // Another worker may be starting the same file.
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, outputFiles[0]!.contents)
  renameSync(temporary, path)
  return path
}
