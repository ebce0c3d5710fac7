// The source files of the app and what they import.
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { root } from './setup.mjs'

/** TypeScript and Svelte files below a folder, as project paths. @param {string} folder @returns {string[]} */
export const sourcesIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /\.(ts|svelte)$/.test(path) && !path.endsWith('.d.ts') && statSync(join(root, path)).isFile())
    .sort()

/**
 * A file's imports: project paths without extension, or package names.
 * @param {string} path @param {{ types?: boolean }} [options] `types: false` excludes type-only imports
 * @returns {string[]}
 */
export function importsOf(path, { types = true } = {}) {
  const whole = readFileSync(join(root, path), 'utf8')
  const text = types ? whole : whole.replace(/(^|\n)\s*(?:import|export) type [^'"]*['"][^'"]+['"]/g, '$1')
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s(?:[^'"()]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]/g,
  )
  return [...found].map((match) => {
    const target = match[1] ?? match[2]
    if (target.startsWith('#shared/')) return target.replace('#shared/', 'src-shared/')
    return target.startsWith('.') ? relative(root, resolve(root, dirname(path), target)) : target
  })
}

/** Area of a project path: `src-main/http`, or `src-main` for a file at its top. Undefined for packages. @param {string} path */
export const areaOf = (path) =>
  /^(src-\w+)\/(\w[\w-]*)\//.exec(path)?.slice(1).join('/') ?? /^src-\w+(?=\/)/.exec(path)?.[0]
