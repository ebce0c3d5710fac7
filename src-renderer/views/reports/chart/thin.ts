/**
 * Indexes that preserve the shape of a long series: minimum and maximum of each stretch, plus the first and last. At
 * most about `most`.
 */
export function thinned(values: readonly (number | null)[], most: number): number[] {
  const all = values.map((_, at) => at)
  if (values.length <= most) return all
  const stretches = Math.max(1, Math.floor((most - 2) / 2))
  const kept = new Set<number>([0, values.length - 1])
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((values.length * stretch) / stretches)
    const to = Math.floor((values.length * (stretch + 1)) / stretches)
    let [least, largest] = [-1, -1]
    for (let at = from; at < to; at++) {
      const value = values[at]!
      if (value === null) continue
      if (least < 0 || value < values[least]!) least = at
      if (largest < 0 || value > values[largest]!) largest = at
    }
    kept.add(least < 0 ? from : least)
    if (largest >= 0) kept.add(largest)
  }
  return [...kept].sort((a, b) => a - b)
}
