import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellAt, columnOf, joined, textAt } from '../../../../src-renderer/replica/blocks/block-columns'
import type { Cell } from '../../../../src-renderer/replica/blocks/layout'

/** JSON has no -0. */
const number = fc.double({ noNaN: true }).map((value) => (value === 0 ? 0 : value))

const cell = fc.oneof(
  fc.constant(undefined),
  fc.constant(null),
  fc.boolean(),
  number,
  fc.integer(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'a', '0'),
  fc.constant({ date: '2026-01-01' }),
  fc.constant([1, 'x']),
  fc.constant('\n[1,"x"]'),
) as fc.Arbitrary<Cell>

const column = fc.oneof(
  fc.array(cell),
  fc.array(number, { minLength: 1 }),
  fc.array(fc.string(), { maxLength: 600 }),
  fc.array(fc.constantFrom<Cell>(undefined, true, false, 'x'), { maxLength: 600 }),
) as fc.Arbitrary<Cell[]>

describe('a column', () => {
  it('returns every value it got, also after a restart', () => {
    fc.assert(
      fc.property(column, (cells) => {
        const stored = structuredClone(columnOf(cells))
        expect(cells.map((_cell, row) => cellAt(stored, row))).toEqual(cells)
      }),
    )
  })

  it('is compact for repeated values and numbers', () => {
    const all = (value: (n: number) => Cell): Cell[] => Array.from({ length: 500 }, (_unused, n) => value(n))
    expect(columnOf(all((n) => n * 1.5)).kind).toBe('numbers')
    expect(columnOf(all((n) => (n % 3 === 0 ? undefined : `state ${n % 5}`))).kind).toBe('codes')
    expect(columnOf(all((n) => `title ${n}`)).kind).toBe('texts')
    expect(columnOf(all((n) => [`format ${n % 5}`])).kind).toBe('codes')
  })

  it('separates adjacent values', () => {
    const texts = ['', 'ä', '', '💡x', '']
    expect(texts.map((_text, index) => textAt(joined(texts), index))).toEqual(texts)
  })
})
