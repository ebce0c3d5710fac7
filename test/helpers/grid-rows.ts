import type { Locator } from 'playwright-core'

export interface DrawnRow {
  /** Its place among all rows, from 0. */
  at: number
  /** What stands in its cells, the first one after the mark first. */
  texts: string[]
}

export interface Drawn {
  rows: DrawnRow[]
  /** Rows that there are, as assistive technology is told. */
  count: number
  /** Places of the first and the last row that can be seen at least in part. */
  first: number
  last: number
  /** Elements in the whole document. */
  elements: number
}

/** What a grid has drawn of its rows. */
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
