/** One measurement: our time and the lower bound's, in the same run. */
export interface Comparison {
  name: string
  /** In `unit`. */
  ours: number
  floor: number
  unit: 'ms' | 'MB'
  ratio: number
  floorIs: string
  /** The maximum acceptable ratio. A measurement without a goal is only recorded. */
  goal?: number
  /** What was measured, in numbers. */
  detail: Record<string, number | string>
}

/** A part's function, which yields each measurement as soon as it's known. */
export interface Bench {
  /** True for the long sizes. */
  long: boolean
  /** Reports the current step. */
  step(words: string): void
}

export type Part = (bench: Bench) => AsyncGenerator<Comparison, void, void>

/** Goals shared by several measurements. */
export const goals = {
  /** A table or a grid, compared with the lower bound. */
  overFloor: 1.5,
  /** The same work per row on a hundred times as many rows: must not grow. */
  linear: 1.1,
  /** A start with much data, compared with little. */
  startOverFew: 1.05,
  /** A start, compared with an empty window. */
  startOverEmpty: 1.3,
  /** Quick add from any app, compared with an empty window. */
  quickAdd: 1.5,
}

/** An app may take a third more than an empty window, plus 150 MB. */
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
 * The same work at two scales, each relative to its own baseline, so that memory distance and the machine's current state
 * cancel out.
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

/** A formatted count: 100,000. */
export const digits = (count: number): string => count.toLocaleString('en')

const round = (value: number): number => Math.round(value * 1_000) / 1_000
