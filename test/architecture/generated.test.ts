import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { tableNames, typesOf } from '../../scripts/generate-wire-types.mjs'

const wire = resolve(import.meta.dirname, '../../src-shared/wire')

it.each(tableNames())('the types of %s are what its table says', (name: string) => {
  const table = JSON.parse(readFileSync(join(wire, `${name}.json`), 'utf8')) as Parameters<typeof typesOf>[0]
  expect(readFileSync(join(wire, `${name}.types.ts`), 'utf8')).toBe(typesOf(table))
})
