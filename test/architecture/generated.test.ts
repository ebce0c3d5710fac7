import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { expect, it } from 'vitest'
import { generated, wireFolder } from '../../scripts/generate-wire-types.mjs'

const files = generated() as [path: string, text: string][]

it.each(files.map(([path, text]) => [relative(wireFolder, path), path, text] as const))(
  '%s matches the tables',
  (_name, path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text)
  },
)
