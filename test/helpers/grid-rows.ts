import type { Locator } from 'playwright-core'

export interface DrawnRow {
  /** Its index among all rows, from 0. */
  at: number
  /** The texts of its cells, without the mark. */
  texts: string[]
}

export interface Drawn {
  rows: DrawnRow[]
  /** The row count announced to assistive technology. */
  count: number
  /** Indexes of the first and last row that are at least partly visible. */
  first: number
  last: number
  /** Number of elements in the document. */
  elements: number
}

/** The rows a grid has rendered. */
export const drawn = (grid: Locator): Promise<Drawn> =>
  grid.evaluate((one) => {
    const lines = [...one.querySelectorAll<HTMLElement>('.body [role=row]')]
    const rows = lines.map((line) => ({
      at: Number(line.getAttribute('aria-rowindex')) - 2,
      texts: [...line.querySelectorAll('[role=gridcell]')].slice(1).map((cell) => cell.textContent),
    }))
    const [frame, head] = [one.getBoundingClientRect(), one.querySelector('.head')!.getBoundingClientRect()]
    const seen = lines.flatMap((line, index) => {
      const { top, bottom } = line.getBoundingClientRect()
      return bottom > head.bottom && top < frame.top + one.clientHeight ? [rows[index]!.at] : []
    })
    return {
      rows,
      count: Number(one.getAttribute('aria-rowcount')) - 1,
      first: Math.min(...seen),
      last: Math.max(...seen),
      elements: document.querySelectorAll('*').length,
    }
  })
