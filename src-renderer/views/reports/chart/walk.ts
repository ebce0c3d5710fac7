import type { Drawing, Point } from './drawing'

const page = 7

/**
 * The next point for a key, starting from another one or, with `from` -1, from none. Undefined for other keys. With a
 * single row, up and down act like left and right, and vice versa.
 */
export function walked(points: readonly Point[], from: number, key: string): number | undefined {
  const along = { ArrowRight: 1, ArrowLeft: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[key]
  const across = { ArrowDown: 1, ArrowUp: -1 }[key]
  if ((along === undefined && across === undefined) || points.length === 0) return undefined
  const here = points[from]
  if (!here) return key === 'End' || key === 'ArrowLeft' || key === 'ArrowUp' ? points.length - 1 : 0
  const rows = new Set(points.map(({ row }) => row))
  const columns = new Set(points.map(({ column }) => column))
  if (along !== undefined) return columns.size === 1 ? inColumn(points, from, along) : inRow(points, from, along)
  return rows.size === 1 ? inRow(points, from, across!) : inColumn(points, from, across!)
}

const order = (points: readonly Point[], which: (point: Point) => boolean, by: (point: Point) => number): number[] =>
  points.flatMap((point, at) => (which(point) ? [at] : [])).sort((a, b) => by(points[a]!) - by(points[b]!))

const stepped = (places: readonly number[], from: number, by: number): number =>
  places[Math.max(0, Math.min(places.length - 1, places.indexOf(from) + by))]!

const inRow = (points: readonly Point[], from: number, by: number): number =>
  stepped(
    order(
      points,
      ({ row }) => row === points[from]!.row,
      ({ column }) => column,
    ),
    from,
    by,
  )

/** Moves to the nearest column of the next row, because rows may have gaps. */
function inColumn(points: readonly Point[], from: number, by: number): number {
  const here = points[from]!
  const rows = [...new Set(points.map(({ row }) => row))].sort((a, b) => a - b)
  const row = rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(here.row) + by))]!
  if (row === here.row) return from
  let nearest = -1
  points.forEach((point, at) => {
    if (point.row !== row) return
    const far = Math.abs(point.column - here.column)
    if (nearest < 0 || far < Math.abs(points[nearest]!.column - here.column)) nearest = at
  })
  return nearest
}

/** The point nearest to the pointer within its panel. -1 if none is close. */
export function pointedAt({ points, panels, seek }: Drawing, x: number, y: number): number {
  const panel = panels.findIndex((box) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height)
  if (panel < 0) return -1
  let [nearest, least, leastAlong] = [-1, Infinity, Infinity]
  points.forEach((point, at) => {
    if (point.panel !== panel) return
    const along = Math.abs(point.x - x)
    const far = point.box ? distance(point.box, x, y) : Math.hypot(along, point.y - y)
    if (seek === 'column' && !sameSpot(along, leastAlong)) {
      if (along < leastAlong) [nearest, least, leastAlong] = [at, far, along]
      return
    }
    if (far < least) [nearest, least, leastAlong] = [at, far, Math.min(along, leastAlong)]
  })
  return seek === 'point' && least > 40 ? -1 : nearest
}

const sameSpot = (a: number, b: number): boolean => Math.abs(a - b) < 0.5

const distance = (box: { x: number; y: number; width: number; height: number }, x: number, y: number): number =>
  Math.hypot(Math.max(box.x - x, 0, x - box.x - box.width), Math.max(box.y - y, 0, y - box.y - box.height))

/** Points in the same panel and column, which share a tooltip. */
export const besides = ({ points, seek }: Drawing, at: number): number[] =>
  seek === 'point'
    ? [at]
    : points.flatMap(({ panel, column }, other) =>
        panel === points[at]!.panel && column === points[at]!.column ? [other] : [],
      )
