import { describe, expect, it } from 'vitest'
import type { Condition } from '../../../../src-renderer/replica/api'
import type { Cell } from '../../../../src-renderer/replica/blocks/layout'
import { patternsIn, testOf } from '../../../../src-renderer/replica/tables/condition'

const fits = (condition: Omit<Condition, 'column'>, ...cells: Cell[]): boolean[] => {
  const { column, test } = testOf({ column: 'name', ...condition } as Condition)
  expect(column).toBe('name')
  return cells.map(test)
}

describe('a filter condition', () => {
  it('with values matches any of them as text, also within a list', () => {
    expect(fits({ is: ['7', 'true'] }, '7', 7, true, 'seven', undefined, ['1', '7'], ['1'])).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
      false,
    ])
  })
  it('with an empty value matches missing ones', () => {
    expect(fits({ is: [''] }, undefined, '', [], 'x', null)).toEqual([true, true, true, false, true])
  })
  it('with excluded values is the opposite', () => {
    expect(fits({ isNot: ['true'] }, true, false, undefined, ['true', 'x'])).toEqual([false, true, true, false])
  })
  it('with words matches all of them in any case and order', () => {
    expect(fits({ has: ' Home  page ' }, 'page of the HOME', 'home', undefined)).toEqual([true, false, false])
    expect(fits({ has: '' }, 'x', undefined)).toEqual([true, true])
  })
  it('for emptiness matches missing values, empty texts, and empty lists', () => {
    expect(fits({ empty: true }, undefined, '', [], false, '0')).toEqual([true, true, true, false, false])
    expect(fits({ empty: false }, undefined, '', [], false, '0')).toEqual([false, false, false, true, true])
  })
  it('with a range includes its ends, for numbers and dates', () => {
    expect(fits({ from: '9', to: '100' }, '9', '10', 100, '101', '8', undefined, '')).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ])
    expect(fits({ from: '2026-06-01', to: '2026-06-30' }, '2026-06-01', '2026-06-30', '2026-07-01')).toEqual([
      true,
      true,
      false,
    ])
    expect(fits({ from: '-5' }, '-4', '-6')).toEqual([true, false])
    expect(fits({ to: '5' }, '4', '5', '6')).toEqual([true, true, false])
  })
  it('compares amounts beyond number precision', () => {
    expect(fits({ from: '9007199254740993' }, '9007199254740992', '9007199254740993')).toEqual([false, true])
  })
  it('with excluded words needs one of them to be missing', () => {
    expect(fits({ hasNot: 'home page' }, 'page of the HOME', 'home', undefined)).toEqual([false, true, true])
  })
  it('above or below a value excludes it, and empty cells', () => {
    expect(fits({ above: '9' }, '9', '10', 100, '', undefined)).toEqual([false, true, true, false, false])
    expect(fits({ below: '2026-06-10' }, '2026-06-09', '2026-06-10', '')).toEqual([true, false, false])
    expect(fits({ above: '9' }, '10', '3 prices')).toEqual([true, false])
    expect(fits({ above: '9007199254740992' }, '9007199254740992', '9007199254740993')).toEqual([false, true])
  })
  it('with a length counts characters', () => {
    expect(fits({ longer: 3 }, 'abc', 'abcd', undefined)).toEqual([false, true, false])
    expect(fits({ longer: 0 }, '', 'a')).toEqual([false, true])
  })
  it('with a pattern matches a part of the text, in its case', async () => {
    const matches = { column: 'name', matches: '^A.c' }
    const not = { column: 'name', matchesNot: '^A.c' }
    const read = await patternsIn([matches, not])
    expect(['Abcd', 'abc', undefined].map(testOf(matches, read).test)).toEqual([true, false, false])
    expect(['Abcd', 'abc', undefined].map(testOf(not, read).test)).toEqual([false, true, true])
    expect(await patternsIn([{ column: 'name', has: '^A' }])).toBeUndefined()
  })
})
