import { describe, expect, it } from 'vitest'
import { onPaper } from '../../../src-renderer/ui/on-paper.svelte'
import { maxPrinted, maxHeight, VirtualRows } from '../../../src-renderer/ui/virtual-rows.svelte'

const rowHeight = 28
/** Scrolls like an element: in whole pixels and not past the end. */
function scrolledTo(rows: VirtualRows, top: number, head = 0): void {
  rows.top = Math.max(0, Math.min(Math.round(top), rows.total + head - rows.height))
}
const madeOf = (count: number, height = 600, head = 0): VirtualRows => {
  const rows = new VirtualRows(() => count, { rowHeight: () => rowHeight, spare: 2, head })
  rows.height = height
  return rows
}
/** True if a row is rendered inside the visible area. */
const inSight = (rows: VirtualRows, row: number, head = 0): boolean => {
  const from = rows.topOf(row) - rows.top
  const slack = rows.total < maxHeight ? 0 : 4
  return row >= rows.first && row < rows.last && from >= -slack && from + rowHeight <= rows.height - head + slack
}

describe('rows of equal height', () => {
  it('render the visible ones and a few more', () => {
    const rows = madeOf(1000)
    expect([rows.first, rows.last, rows.total]).toEqual([0, 24, 28_000])
    scrolledTo(rows, 2800)
    expect([rows.first, rows.last, rows.topOf(100)]).toEqual([98, 124, 2800])
  })

  it.each([1000, 5_000_000])('are found by their position, of %i', (count) => {
    const rows = madeOf(count)
    scrolledTo(rows, rows.total / 2)
    for (const row of [rows.first, rows.last - 1])
      expect([rows.rowAt(rows.topOf(row)), rows.rowAt(rows.topOf(row) + rowHeight - 1)]).toEqual([row, row])
  })

  it('follow a height that changes', () => {
    let height = 28
    const rows = new VirtualRows(() => 1000, { rowHeight: () => height, spare: 2 })
    rows.height = 600
    height = 24
    expect([rows.first, rows.last, rows.total, rows.topOf(10)]).toEqual([0, 27, 24_000, 240])
  })

  it.each([
    ['a row in sight', 110, [110 * 24 - 280, 110 * 28 - 280]],
    ['the first visible row if that one is out of sight', 500, [2_400, 2_800]],
  ])('keep %s in place when their height changes', (_what, row, tops) => {
    let height = 28
    const rows = new VirtualRows(() => 1000, { rowHeight: () => height })
    rows.height = 600
    const scroller = { scrollTop: 2_800 } as HTMLElement
    rows.top = scroller.scrollTop
    rows.keepInPlace(scroller, () => row)
    expect(scroller.scrollTop).toBe(2_800)
    const found = [24, 28].map((next) => {
      height = next
      rows.keepInPlace(scroller, () => row)
      return scroller.scrollTop
    })
    expect(found).toEqual(tops)
  })

  it('keep the last visible row in sight when they get higher', () => {
    let height = 24
    const rows = new VirtualRows(() => 1000, { rowHeight: () => height })
    rows.height = 600
    const scroller = { scrollTop: 0 } as HTMLElement
    height = 28
    rows.keepInPlace(scroller, () => 24)
    expect(scroller.scrollTop).toBe(25 * 28 - 600)
  })

  it('render nothing for an empty list, and never past the end', () => {
    const none = madeOf(0)
    expect([none.first, none.last, none.total]).toEqual([0, 0, 0])
    const few = madeOf(5)
    few.top = 5000
    expect([few.first, few.last]).toEqual([5, 5])
  })

  it.each([10, 1000, 357_000, 1_000_000, 5_000_000])('scroll to each of %i rows and both ends', (count) => {
    const head = 32
    const rows = madeOf(count, 600, head)
    expect(rows.total).toBeLessThanOrEqual(maxHeight)
    for (const row of [
      count - 1,
      0,
      Math.floor(count / 3),
      Math.floor(count / 3) + 1,
      Math.floor(count / 2),
      count - 1,
    ]) {
      scrolledTo(rows, rows.topShowing(row), head)
      expect([row, inSight(rows, row, head)]).toEqual([row, true])
    }
    scrolledTo(rows, Infinity, head)
    expect(rows.last).toBe(count)
    if (count > 100) expect(rows.topOf(count - 1) - rows.top).toBeCloseTo(600 - head - rowHeight, 3)
    scrolledTo(rows, 0, head)
    expect([rows.first, rows.topOf(0)]).toEqual([0, 0])
  })

  it("don't scroll for a visible row, and center one on request", () => {
    const rows = madeOf(1000)
    scrolledTo(rows, 1400)
    expect(rows.topShowing(55)).toBe(1400)
    scrolledTo(rows, rows.topShowing(500, true))
    expect(rows.topOf(500) - rows.top).toBe(286)
  })

  it.each([1000, 2_000_000])('keep a visible row of %i in place when others are inserted before it', (count) => {
    const rows = madeOf(count)
    scrolledTo(rows, rows.topShowing(300, true))
    const before = rows.topOf(300) - rows.top
    scrolledTo(rows, rows.topInPlaceOf(300, 340))
    expect(Math.abs(rows.topOf(340) - rows.top - before)).toBeLessThan(8)
  })

  it("print from the first up to the printer's limit, and count the rest", () => {
    const [few, many, onScreen] = [300, maxPrinted + 7, maxPrinted + 7].map((count, at) => {
      const rows = new VirtualRows(() => count, { rowHeight: () => rowHeight, printed: at < 2 })
      rows.height = 600
      return rows
    }) as [VirtualRows, VirtualRows, VirtualRows]
    scrolledTo(many, many.topShowing(4_000))
    expect(many.leftOut).toBe(0)
    onPaper.on = true
    try {
      expect([few.first, few.last, few.leftOut]).toEqual([0, 300, 0])
      expect([many.first, many.last, many.leftOut]).toEqual([0, maxPrinted, 7])
      expect([onScreen.last, onScreen.leftOut]).toEqual([30, 0])
    } finally {
      onPaper.on = false
    }
  })

  it('move by arrows, pages, and to the ends', () => {
    const rows = madeOf(1000)
    const keys = ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', 'x']
    expect(keys.map((key) => rows.goal(key, 10))).toEqual([11, 9, 30, 0, 0, 999, undefined])
    expect([rows.goal('ArrowUp', 0), rows.goal('ArrowDown', 999)]).toEqual([0, 999])
  })
})
