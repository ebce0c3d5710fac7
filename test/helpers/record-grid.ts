import type { Locator, Page } from 'playwright-core'

interface RecordGrid {
  grid(name?: string): Locator
  rows(name?: string): Locator
  /** By numbers that assistive technology announces, which count the heads. */
  cell(row: number, column: number): Locator
  columnOf(head: string): Promise<number>
}

/** The grid of placements, or of records with another name. `page` may open later. */
export function recordGrid(page: () => Page): RecordGrid {
  const grid: RecordGrid['grid'] = (name = 'Placements') => page().getByRole('grid', { name, exact: true })
  return {
    grid,
    rows: (name) => grid(name).locator('.body').getByRole('row'),
    cell: (row, column) =>
      grid().locator(`[role=row][aria-rowindex="${row}"] [role=gridcell][aria-colindex="${column}"]`),
    columnOf: async (head) =>
      Number(await grid().getByRole('columnheader', { name: head, exact: true }).getAttribute('aria-colindex')),
  }
}
