/** The mean of values with a sum, rounded to a multiple of `step`. */
export function meanOf(sum: bigint, count: number, step = 1n): bigint {
  const [least, half] = [BigInt(count) * step, sum < 0n ? -1n : 1n]
  return ((2n * sum + half * least) / (2n * least)) * step
}
