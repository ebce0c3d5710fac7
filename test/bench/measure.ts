/** One figure: how long ours takes, how long the least that could be done takes, in the same run. */
export interface Comparison {
  name: string
  /** In `unit`. */
  ours: number
  floor: number
  unit: 'ms' | 'MB'
  ratio: number
  floorIs: string
  /** The highest ratio that is good enough. A figure without a goal is only watched. */
  goal?: number
  /** What was done, in numbers. */
  detail: Record<string, number | string>
}

/** How a part runs and reports. It yields each figure as soon as it's known. */
export interface Bench {
  /** True for the sizes that take long. */
  long: boolean
  /** Says what happens now, for whoever waits. */
  step(words: string): void
}

export type Part = (bench: Bench) => AsyncGenerator<Comparison, void, void>

/** The goals that several figures share. */
export const goals = {
  /** A table or a grid, against what nobody can do without. */
  overFloor: 1.5,
  /** The same work on a hundred times as many rows, per row: it must not grow. */
  linear: 1.1,
  /** A start with much data against a start with little. */
  startOverFew: 1.05,
  /** A start against an empty window. */
  startOverEmpty: 1.3,
}

/** An app may take a third more than an empty window, and 150 MB. */
export const memoryGoal = (emptyMegabytes: number): number => round(1.35 + 150 / emptyMegabytes)

interface Extras {
  goal?: number
  unit?: Comparison['unit']
  detail?: Comparison['detail']
}

export function comparison(
  name: string,
  floorIs: string,
  ours: number,
  floor: number,
  { goal, unit = 'ms', detail = {} }: Extras = {},
): Comparison {
  return {
    ...{ name, ours: round(ours), floor: round(floor), unit, ratio: round(ours / floor), floorIs },
    ...(goal !== undefined && { goal }),
    detail,
  }
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
    goal: goals.linear,
    detail: { few: tenth(few.ours), fewFloor: tenth(few.floor) },
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

/** A count as people read it: 100,000. */
export const digits = (count: number): string => count.toLocaleString('en')

const round = (value: number): number => Math.round(value * 1_000) / 1_000
