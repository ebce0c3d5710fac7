import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../../src-renderer')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(svelte|css)$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }))
const tokens = files.find(({ name }) => name.endsWith('tokens.css'))!.text

/** All uses of this property with their file, except allowed ones. */
const others = (property: RegExp, allowed: RegExp): string[] =>
  files.flatMap(({ name, text }) =>
    [...text.matchAll(property)].filter(([, value]) => !allowed.test(value!)).map(([whole]) => `${name}: ${whole}`),
  )

describe("the window's type scale", () => {
  it('has four sizes', () => {
    const sizes = [...tokens.matchAll(/--text-\w+: (\d+px)/g)].map(([, size]) => size)
    expect(sizes).toEqual(['11px', '13px', '15px', '20px'])
  })

  it('has no other size in the sources', () => {
    expect(files.length).toBeGreaterThan(80)
    expect(others(/font-size: ([^;]+);/g, /^(var\(--text-(sm|md|lg|xl)\)|inherit)$/)).toEqual([])
  })

  it('has two weights, a third one for coming events of the calendar, and no font shorthand', () => {
    const third = join('views', 'calendar', 'EntryChip.svelte')
    expect(others(/font-weight: ([^;]+);/g, /^(400|600)$/)).toEqual([`${third}: font-weight: 500;`])
    expect(others(/[\s;]font: ([^;]+);/g, /^inherit$/)).toEqual([])
    expect(others(/style:font-[a-z]+=(\S+)/g, /^$/)).toEqual([])
  })

  it('has no element with a third weight by default', () => {
    const base = files.find(({ name }) => name.endsWith('base.css'))!.text
    expect(base).toMatch(/strong,\s*b,\s*th \{\s*font-weight: 600;/)
    expect(base).toMatch(/h1,\s*h2,\s*h3,\s*h4 \{[^}]*font-weight: 600;/)
  })
})
