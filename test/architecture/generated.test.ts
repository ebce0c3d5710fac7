import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { expect, it } from 'vitest'
import { generated, wireFolder } from '../../scripts/generate-wire-types.mjs'

it.each(generated().map(([path, text]: [string, string]) => [relative(wireFolder, path), path, text] as const))(
  '%s is what the tables say',
  (_name, path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text)
  },
)
