import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const components = readdirSync(join(root, 'src-renderer'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.svelte'),
)

/** Outside of scripts, which the linter reads. */
const markup = (text: string): string => text.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '')

/** What no component may have in its markup, where the linter sees TypeScript that svelte-check wrote. */
const banned = /\{@html\b|\bas any\b|: any\b|<any>|@ts-\w+/

const hits = (name: string, text: string): string[] =>
  [...markup(text).matchAll(new RegExp(banned, 'g'))].map(([found]) => `${name}: ${found}`)

describe('the markup of components', () => {
  it('inserts no HTML, and has types', () => {
    expect(components.length).toBeGreaterThan(200)
    expect(components.flatMap((name) => hits(name, readFileSync(join(root, 'src-renderer', name), 'utf8')))).toEqual([])
  })

  it.each(['{@html words}', '{(words as any).x}', '{#each list as one (((x: any) => x)(one))}'])(
    'would not have %s',
    (text) => {
      expect(hits('a', `<script>let a = 0</script>\n<p>${text}</p>`)).toHaveLength(1)
    },
  )
})
