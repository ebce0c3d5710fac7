import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesNamed, planted, testsOf } from '../../scripts/planted.mjs'
import { mistakes } from '../planted/all.mjs'

const root = resolve(import.meta.dirname, '../..')
const tests = testsOf(root)

/** A file's module, such as `src-main/http` or `src-renderer/views/tasks`. */
const moduleOf = (file: string): string =>
  /^src-renderer\/views\/[^/]+/.exec(file)?.[0] ?? file.split('/').slice(0, 2).join('/')

/** Every module has a mistake, so that all parts of the tests are verified. */
const modules = [
  ...['domain', 'fields', 'merge', 'mutation', 'pacing', 'reports', 'results', 'time', 'wire'].map(
    (one) => `src-shared/${one}`,
  ),
  ...['accounts', 'app', 'auth', 'command', 'disk', 'exports', 'http', 'ipc', 'journal', 'report-data', 'reports'].map(
    (one) => `src-main/${one}`,
  ),
  ...['sandbox', 'services', 'sync', 'tables', 'watch'].map((one) => `src-main/${one}`),
  ...['app', 'context', 'behaviors', 'replica', 'sync', 'ui'].map((one) => `src-renderer/${one}`),
  ...['calendar', 'campaigns', 'reports', 'settings', 'sync', 'tasks'].map((one) => `src-renderer/views/${one}`),
]

describe('planted mistakes', () => {
  it.each(mistakes.map((mistake) => [mistake.id, mistake] as const))('%s still applies', (_id, mistake) => {
    const before = readFileSync(join(root, mistake.file), 'utf8')
    expect(planted(before, mistake)).not.toBe(before)
  })

  it('number at least 60, with unique names', () => {
    expect(new Set(mistakes.map(({ id }) => id)).size).toBe(mistakes.length)
    expect(mistakes.length).toBeGreaterThanOrEqual(60)
  })

  it('cover every module', () => {
    const found = new Set(mistakes.map(({ file }) => moduleOf(file)))
    expect(modules.filter((one) => !found.has(one))).toEqual([])
  })

  it.each(mistakes.map(({ id, near }) => [id, near] as const))('of %s name an existing test', (_id, near) => {
    expect(near.flatMap((name) => filesNamed(name, tests))).not.toEqual([])
  })
})
