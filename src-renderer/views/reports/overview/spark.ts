interface Spark {
  /** Width in pixels. */
  width: number
  height: number
  /** Number of values at the end that may still change. They get their own path. */
  open: number
}

/** Paths of a sparkline: settled values, values that may still change, the area below, and the end point. */
export function sparkPaths(
  values: readonly number[],
  { width, height, open }: Spark,
): { settled: string; open: string; ground: string; end: { x: number; y: number } } {
  const max = Math.max(1, ...values)
  const edge = 3
  const points = values.map((value, at) => ({
    x: rounded(edge + (values.length < 2 ? 0 : (at / (values.length - 1)) * (width - 2 * edge))),
    y: rounded(height - 1 - (value / max) * (height - edge - 1)),
  }))
  const line = (some: typeof points): string => some.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x},${y}`).join('')
  const last = Math.max(1, points.length - open)
  const end = points.at(-1) ?? { x: edge, y: height - 1 }
  return {
    settled: line(points.slice(0, last)),
    open: line(points.slice(last - 1)),
    ground: points.length === 0 ? '' : `${line(points)}L${end.x},${height}L${points[0]!.x},${height}Z`,
    end,
  }
}

const rounded = (value: number): number => Math.round(value * 10) / 10
