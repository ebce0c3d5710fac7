import { describe, expect, it } from 'vitest'
import type { Condition } from '../../../../src-renderer/replica/api'
import type { Cell } from '../../../../src-renderer/replica/blocks/layout'
import { testOf } from '../../../../src-renderer/replica/tables/condition'

const fits = (condition: Omit<Condition, 'column'>, ...cells: Cell[]): boolean[] => {
  const { column, test } = testOf({ column: 'name', ...condition } as Condition)
  expect(column).toBe('name')
  return cells.map(test)
}

describe('a condition', () => {
  it('of one of some values holds for these, as texts, and for a list with one of them', () => {
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
  it('of an empty value holds where there is none', () => {
    expect(fits({ is: [''] }, undefined, '', [], 'x', null)).toEqual([true, true, true, false, true])
  })
  it('of none of some values is the contrary', () => {
    expect(fits({ isNot: ['true'] }, true, false, undefined, ['true', 'x'])).toEqual([false, true, true, false])
  })
  it('of words holds for all of them, whatever their case and order', () => {
    expect(fits({ has: ' Home  page ' }, 'page of the HOME', 'home', undefined)).toEqual([true, false, false])
    expect(fits({ has: '' }, 'x', undefined)).toEqual([true, true])
  })
  it('of emptiness holds for nothing, no text and empty lists', () => {
    expect(fits({ empty: true }, undefined, '', [], false, '0')).toEqual([true, true, true, false, false])
    expect(fits({ empty: false }, undefined, '', [], false, '0')).toEqual([false, false, false, true, true])
  })
  it('of a range takes its ends, figures by size and dates as they follow each other', () => {
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
  it('tells amounts apart that a number cannot', () => {
    expect(fits({ from: '9007199254740993' }, '9007199254740992', '9007199254740993')).toEqual([false, true])
  })
})
