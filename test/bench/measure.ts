/** One comparison: how long ours takes, how long the least that could be done takes, in the same run. */
export interface Comparison {
  name: string
  /** Milliseconds. */
  ours: number
  floor: number
  ratio: number
  floorIs: string
  /** What was done, in numbers. */
  detail: Record<string, number | string>
}

export function comparison(
  name: string,
  floorIs: string,
  ours: number,
  floor: number,
  detail: Comparison['detail'] = {},
): Comparison {
  const round = (value: number): number => Math.round(value * 1000) / 1000
  return { name, ours: round(ours), floor: round(floor), ratio: round(ours / floor), floorIs, detail }
}

/**
 * The same work at two scales, each counted in what its own floor cost: memory near and far is as far for both, and another
 * window or minute of the machine is no part of it.
 */
export function againstFew(
  name: string,
  fewIs: string,
  many: Pick<Comparison, 'ours' | 'floor'>,
  few: Pick<Comparison, 'ours' | 'floor'>,
): Comparison {
  const floor = (few.ours * many.floor) / few.floor
  const tenth = (value: number): number => Math.round(value * 10) / 10
  return comparison(`${name}, against ${fewIs}`, 'that, by what the floor cost at each scale', many.ours, floor, {
    few: tenth(few.ours),
    fewFloor: tenth(few.floor),
  })
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Milliseconds that work takes. */
export async function time(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
