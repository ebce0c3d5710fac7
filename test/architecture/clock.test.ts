import { resolve } from 'node:path'
import { ESLint, Linter } from 'eslint'
import { describe, expect, it } from 'vitest'
import { needsEslint } from '../../scripts/checks.mjs'

const eslint = new ESLint({ cwd: resolve(import.meta.dirname, '../..') })

/** Counts the uses of the system clock that a file's lint rules find in a text. */
async function found(file: string, text: string): Promise<number> {
  const { rules = {} } = (await eslint.calculateConfigForFile(file)) as Linter.Config
  const names = ['no-restricted-properties', 'no-restricted-syntax'].filter((name) => rules[name] !== undefined)
  const own = Object.fromEntries(names.map((name) => [name, rules[name]!]))
  return new Linter().verify(text, { rules: own }).filter(({ message }) => message.includes('Ask a Clock')).length
}

const sources = [
  'export const a = Date.now()',
  'export const b = { now: Date.now }',
  'export const c = new Date()',
  'export const d = Date()',
  'export const e = performance.now()',
  'export const f = Temporal.Now.instant()',
  'export const g = DateTime.local()',
  'export const h = words.format()',
]
const moreSources = [
  'export const i = process.hrtime()',
  'export const j = process.uptime()',
  'export const k = performance.timeOrigin',
  'export const l = DateTime.utc()',
  'export const m = words.formatToParts()',
]
const moments = 'export const a = new Date(0).toISOString() + words.format(0) + DateTime.fromMillis(0)'

describe('time comes from a clock', () => {
  it.each([
    'src-shared/time/zones.ts',
    'src-main/main.ts',
    'src-main/sandbox/start.ts',
    'src-renderer/app/session.svelte.ts',
    'src-renderer/app/StatusLine.svelte',
    'test/helpers/app.ts',
    'test/main/http/send.test.ts',
    'scripts/tour/walk.ts',
  ])('which %s must use', async (file) => {
    for (const text of sources) expect([text, await found(file, text)]).toEqual([text, 1])
    expect(await found(file, moments)).toBe(0)
  })

  it('and every file that could break this is linted', () => {
    for (const text of [...sources, ...moreSources, '// eslint-disable-next-line'])
      expect([text, needsEslint('src-shared/time/zones.ts', text)]).toEqual([text, true])
    expect(needsEslint('src-renderer/app/StatusLine.svelte', '<p>Words</p>')).toBe(true)
    expect(needsEslint('src-shared/words.ts', "export const words = 'Words'")).toBe(false)
  })

  it("which alone reads the system's", async () => {
    expect(await found('src-shared/time/clock.ts', sources.join('\n'))).toBe(0)
  })
})
