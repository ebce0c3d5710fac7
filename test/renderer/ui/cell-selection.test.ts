import { describe, expect, it } from 'vitest'
import { Selection } from '../../../src-renderer/ui/cell-selection.svelte'

type Rows = Parameters<Selection['carry']>[0]
const rowsOf = (letters: string): Rows => ({
  length: letters.length,
  key: (row) => letters[row]!,
  find: (key) => letters.indexOf(key),
})

/** The selected rows, with the current one in front. */
function selected(selection: Selection, letters: string): string {
  const { top, bottom } = selection.range
  return `${letters[selection.row]}:${letters.slice(top, bottom + 1)}`
}
function carried(before: string, [from, to]: [string, string], now: string): string {
  const selection = new Selection()
  selection.moveTo(before.indexOf(from), 2)
  selection.moveTo(before.indexOf(to), 2, true)
  selection.carry(rowsOf(before), rowsOf(now))
  return selected(selection, now)
}

describe('a selection over changing rows', () => {
  it('follows its records', () => {
    expect(carried('abcdef', ['c', 'e'], 'xabcdef')).toBe('e:cde')
    expect(carried('abcdef', ['e', 'c'], 'bcdef')).toBe('c:cde')
    expect(carried('abcdef', ['c', 'c'], 'abdefc')).toBe('c:c')
    expect(carried('abcdef', ['a', 'f'], 'fabcde')).toBe('e:fabcde')
  })

  it('never includes unselected records', () => {
    expect(carried('abcdef', ['c', 'e'], 'abcxdef')).toBe('e:e')
    expect(carried('abcdef', ['c', 'e'], 'abcef')).toBe('e:e')
    expect(carried('abcdef', ['a', 'f'], 'abcdefx')).toBe('f:abcdef')
    expect(carried('abcdef', ['c', 'e'], 'abcdxf')).toBe('x:x')
  })

  it('reports whether its size changed', () => {
    const selection = new Selection()
    selection.moveTo(0, 0)
    selection.moveTo(1, 0, true)
    expect(selection.carry(rowsOf('abc'), rowsOf('xabc'))).toBe(true)
    expect(selection.carry(rowsOf('xabc'), rowsOf('xazbc'))).toBe(false)
    expect(selection.carry(rowsOf('xazbc'), rowsOf('xac'))).toBe(true)
  })

  it('starts where the rows were selected, not at an earlier extension', () => {
    const selection = new Selection()
    selection.moveTo(4, 0)
    selection.moveTo(2, 0, true)
    selection.pickRows(2, 4)
    selection.carry(rowsOf('abcdef'), rowsOf('abcdef'))
    expect(selected(selection, 'abcdef')).toBe('e:cde')
    expect(selection.wholeRows).toBe(true)
  })
})
