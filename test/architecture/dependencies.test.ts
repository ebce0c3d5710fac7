import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

interface Package {
  version?: string
  integrity?: string
  resolved?: string
  hasInstallScript?: true
  link?: true
  inBundle?: true
}

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Package> }
const packages = Object.entries(lock.packages).filter(([path]) => path !== '')

it('every package is locked by its content', () => {
  const open = packages.filter(
    ([, { integrity, inBundle }]) => !inBundle && !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''),
  )
  expect(open.map(([path]) => path)).toEqual([])
})

it('every package comes from the registry, not from an address or a folder', () => {
  const elsewhere = packages.filter(
    ([, { resolved, link }]) =>
      link || /^(?!https:\/\/registry\.npmjs\.org\/)/.test(resolved ?? 'https://registry.npmjs.org/'),
  )
  expect(elsewhere.map(([path]) => path)).toEqual([])
})

/** Packages that would run a script while they are installed if scripts were allowed. All work without it. */
const withScripts = [
  'node_modules/electron-winstaller',
  'node_modules/esbuild',
  'node_modules/tsx/node_modules/esbuild',
  'node_modules/vite/node_modules/esbuild',
]

it('no package runs a script while it is installed, and new ones that would are noticed', () => {
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m)
  const found = packages.filter(([, { hasInstallScript }]) => hasInstallScript)
  expect(found.map(([path]) => path).sort()).toEqual(withScripts)
})
