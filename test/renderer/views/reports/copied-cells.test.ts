import { describe, expect, it } from 'vitest'
import type { Selection } from '../../../../src-renderer/ui/cell-selection.svelte'
import { copiedCells } from '../../../../src-renderer/views/reports/grid/copied-cells'
import type { ResultTable } from '../../../../src-renderer/views/reports/grid/table.svelte'

const rows = [
  ['=HYPERLINK("http://x")', '-5', '---'],
  ['Spring;=cmd|x', '12.5%', 'a\tb'],
]
const results = {
  view: { columns: [{ head: '=Head' }, { head: 'Clicks' }, { head: 'Note' }] },
  row: (row: number) => rows[row],
} as unknown as ResultTable
const selected = (top: number, bottom: number, left: number, right: number): Selection =>
  ({
    range: { top, bottom, left, right },
    many: top !== bottom || left !== right,
    wholeRows: false,
    hasColumn: (at: number) => at >= left && at <= right,
  }) as unknown as Selection

describe('copied cells', () => {
  it('of a table contain no formulas and exact values', async () => {
    expect((await copiedCells(results, selected(0, 1, 0, 2))).text.split('\n')).toEqual([
      "'=Head\tClicks\tNote",
      `'=HYPERLINK("http://x")\t-5\t---`,
      "Spring;'=cmd|x\t12.5%\ta b",
    ])
  })

  it('of a single cell are copied as shown', async () => {
    expect((await copiedCells(results, selected(0, 0, 0, 0))).text).toBe('=HYPERLINK("http://x")')
  })
})
