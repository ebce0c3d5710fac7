import { describe, expect, it } from 'vitest'
import { lineOfJsonFault } from '#shared/json-line'

describe('the line at which a text stops being JSON', () => {
  it.each([
    ['', 1],
    ['hello', 1],
    ['{\n  "a": abc\n}', 2],
    ['{\n  "a": 1,\n}', 3],
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ['{\n  "a": [1, 2\n}', 3],
    ['[\n  "a\n"]', 2],
    ['[1,\n 01]', 2],
    ['{"a"\n: }', 2],
    ['{\n  "a": {\n    "b": "c"\n  }\n\n\n', 4],
    ['{}\n{}', 2],
    ['{\n  3: 4\n}', 2],
  ])('of %j is %i', (text, line) => {
    expect(() => JSON.parse(text) as unknown).toThrow()
    expect(lineOfJsonFault(text)).toBe(line)
  })

  it('is found in a deeply nested text at once', () => {
    expect(lineOfJsonFault(`\n${'['.repeat(500_000)}`)).toBe(2)
  })
})
