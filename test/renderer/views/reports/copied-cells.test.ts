import { describe, expect, it } from 'vitest'
import type { Selection } from '../../../../src-renderer/ui/cell-selection.svelte'
import { copiedCells } from '../../../../src-renderer/views/reports/grid/copied-cells'
import type { FigureTable } from '../../../../src-renderer/views/reports/grid/table.svelte'

const rows = [
  ['=HYPERLINK("http://x")', '-5', '---'],
  ['Spring;=cmd|x', '12.5%', 'a\tb'],
]
const figures = {
  view: { columns: [{ head: '=Head' }, { head: 'Clicks' }, { head: 'Note' }] },
  row: (row: number) => rows[row],
} as unknown as FigureTable
const selected = (top: number, bottom: number, left: number, right: number): Selection =>
  ({
    range: { top, bottom, left, right },
    many: top !== bottom || left !== right,
    wholeRows: false,
    hasColumn: (at: number) => at >= left && at <= right,
  }) as unknown as Selection

describe('copied cells', () => {
  it('of a table hold nothing that a spreadsheet computes, and figures as they are', async () => {
    expect((await copiedCells(figures, selected(0, 1, 0, 2))).text.split('\n')).toEqual([
      "'=Head\tClicks\tNote",
      `'=HYPERLINK("http://x")\t-5\t---`,
      "Spring;'=cmd|x\t12.5%\ta b",
    ])
  })

  it('are a single one as it is shown', async () => {
    expect((await copiedCells(figures, selected(0, 0, 0, 0))).text).toBe('=HYPERLINK("http://x")')
  })
})
