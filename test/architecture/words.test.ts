import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectProse, collectStrings } from '../../scripts/ui-strings.mjs'
import { banned, hitsOf } from '../../scripts/wording.mjs'
import left from './words-left.json'

const root = resolve(import.meta.dirname, '../..')

/** Exact strings that a pattern matches by accident, each with the reason why it's right. */
const allowed: Readonly<Record<string, string>> = {}

const all = collectStrings(root)
const strings = all.filter(({ text }) => !Object.hasOwn(allowed, text))
const prose = collectProse(root)

// Phrases that were there when this test was written are counted in words-left.json. `npm run strings -- --lower` lowers
// the counts after a rewrite. The goal is an empty file.
const most = (name: string): number => (left as Record<string, number>)[name] ?? 0

describe('what people read', () => {
  it('is found in a believable number of places', () => {
    expect(strings.length).toBeGreaterThan(3000)
    expect(prose.length).toBeGreaterThan(100)
  })

  it.each(banned)('has no more of $name', (phrase) => {
    const hits = hitsOf(phrase, [...strings, ...prose])
    const list = hits.map(({ file, line, text }) => `${file}:${line}  ${text}`).join('\n')
    expect(hits.length, `“${phrase.name}”: write ${phrase.instead}\n${list}\n`).toBeLessThanOrEqual(most(phrase.name))
  })

  it('counts only phrases of the list, and allows only strings that are there', () => {
    const names: readonly string[] = banned.map(({ name }) => name)
    expect(Object.keys(left).filter((name) => !names.includes(name))).toEqual([])
    const texts = new Set(all.map(({ text }) => text))
    expect(Object.keys(allowed).filter((text) => !texts.has(text))).toEqual([])
  })
})
