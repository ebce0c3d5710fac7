import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { document, withDiagram } from '../../scripts/structure.mjs'

it('the picture of the folders in docs/architecture.md is current (npm run -s structure -- --write)', () => {
  const text = readFileSync(document, 'utf8')
  expect(text).toContain('flowchart LR')
  expect(withDiagram(text)).toBe(text)
})
