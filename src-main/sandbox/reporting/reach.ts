/**
 * People behind impressions. Reach isn't additive: it grows ever more slowly, so that a total's reach is never above
 * the sum of its parts, nor below any of them.
 */
const population = 9_000_000

export const uniqueReach = (impressions: number): number =>
  Math.round(population * -Math.expm1((-0.62 * impressions) / population))

export const averageFrequency = (impressions: number): number => {
  const reach = uniqueReach(impressions)
  return reach === 0 ? 0 : impressions / reach
}

/** Number of people reached 1, 2, … 9, and 10 or more times. Their sum is the reach. */
export function reachByFrequency(impressions: number): number[] {
  const reach = uniqueReach(impressions)
  const once = 1 / Math.max(1, averageFrequency(impressions))
  let left = reach
  return Array.from({ length: 10 }, (_, index) => {
    const people = index === 9 ? left : Math.min(left, Math.round(reach * once * (1 - once) ** index))
    left -= people
    return people
  })
}
