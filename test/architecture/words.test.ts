import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectProse, collectStrings } from '../../scripts/ui-strings.mjs'
import { banned, hitsOf } from '../../scripts/wording.mjs'

const root = resolve(import.meta.dirname, '../..')

/** Exact strings that a pattern matches by accident, each with the reason why it's right. */
const allowed: Readonly<Record<string, string>> = {
  id: 'the attribute of an SVG element',
  'Previous id': 'the name of a column in a service’s file',
  'New id': 'the name of a column in a service’s file',
}

const all = collectStrings(root)
const strings = all.filter(({ text }) => !Object.hasOwn(allowed, text))
const prose = collectProse(root)

describe('visible text', () => {
  it('is found in a plausible number of places', () => {
    expect(strings.length).toBeGreaterThan(3000)
    expect(prose.length).toBeGreaterThan(100)
  })

  it.each(banned)('has no “$name”', (phrase) => {
    const hits = hitsOf(phrase, [...strings, ...prose])
    const list = hits.map(({ file, line, text }) => `${file}:${line}  ${text}`).join('\n')
    expect(hits.length, `“${phrase.name}”: write ${phrase.instead}\n${list}\n`).toBe(0)
  })

  it('allows only existing strings', () => {
    const texts = new Set(all.map(({ text }) => text))
    expect(Object.keys(allowed).filter((text) => !texts.has(text))).toEqual([])
  })
})
