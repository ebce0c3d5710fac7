import { parseArgs } from 'node:util'
import type { Comparison } from './measure'

/** The options of `npm run bench`. */
export interface Order {
  parts: readonly string[]
  json: boolean
  long: boolean
  /** The file of an earlier run, as printed by `--json`. */
  against?: string
}

/** The output of `--json`. */
export interface Printed {
  node: string
  /** True if the run included the long sizes. */
  long: boolean
  comparisons: readonly Comparison[]
}

/** How much a ratio may grow between two runs before it counts as worse: runs of the same code differ this much. */
export const noise = 0.2

/** @throws Error with a message for the user */
export function orderOf(args: readonly string[], parts: readonly string[]): Order {
  const { values } = parseArgs({
    args: [...args],
    options: {
      all: { type: 'boolean' },
      against: { type: 'string' },
      json: { type: 'boolean' },
      only: { type: 'string', multiple: true },
    },
  })
  const wanted = values.only?.flatMap((names) => names.split(',')).map((name) => name.trim())
  const unknown = wanted?.filter((name) => !parts.includes(name)) ?? []
  if (unknown.length > 0) throw new Error(`--only takes some of ${parts.join(', ')}, not ${unknown.join(', ')}`)
  return {
    parts: parts.filter((name) => wanted?.includes(name) ?? true),
    json: values.json ?? false,
    long: values.all ?? false,
    ...(values.against !== undefined && { against: values.against }),
  }
}

/** Parses an earlier run's output. @throws Error if the text isn't that */
export function printedOf(text: string): Printed {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    throw new Error("The file of the earlier run isn't JSON. Print it with `npm run -s bench -- --json`.")
  }
  const comparisons = (read as Partial<Printed> | null)?.comparisons
  if (!Array.isArray(comparisons)) throw new Error('The file of the earlier run has no figures.')
  return read as Printed
}

export const missesGoal = ({ ratio, goal }: Comparison): boolean => goal !== undefined && ratio > goal

/** The relative growth of a measurement's ratio since an earlier run: 0.1 is a tenth. Null if that run doesn't have it. */
export function growth(figure: Comparison, earlier: readonly Comparison[]): number | null {
  const before = earlier.find(({ name }) => name === figure.name)
  return before === undefined ? null : figure.ratio / before.ratio - 1
}

export const isWorse = (figure: Comparison, earlier: readonly Comparison[]): boolean =>
  (growth(figure, earlier) ?? 0) > noise

/** A measurement as a line. `earlier`: the measurements of the run to compare with. */
export function lineOf(figure: Comparison, earlier?: readonly Comparison[]): string {
  const { name, ours, floor, unit, ratio, floorIs, goal } = figure
  const words = [
    `${ratio.toFixed(2).padStart(8)} ×  ${name}: ${amount(ours, unit)}, ${amount(floor, unit)} for ${floorIs}`,
  ]
  if (goal !== undefined) words.push(missesGoal(figure) ? `MISSES ITS GOAL of ${goal} ×` : `goal ${goal} ×`)
  if (earlier !== undefined) {
    const grown = growth(figure, earlier)
    words.push(grown === null ? 'new' : `${percent(grown)}${isWorse(figure, earlier) ? ' WORSE' : ''}`)
  }
  return words.join('; ')
}

/** A run's last line. */
export function summaryOf(
  figures: readonly Comparison[],
  { failed = [], earlier }: { failed?: readonly string[]; earlier?: readonly Comparison[] | undefined } = {},
): string {
  const missed = figures
    .filter(missesGoal)
    .map(({ name, ratio, goal }) => `${name} (${ratio.toFixed(2)}, goal ${goal})`)
  const words = [
    counted(figures.length, 'figure'),
    missed.length === 0
      ? 'none misses its goal'
      : `${missed.length} ${missed.length === 1 ? 'misses its' : 'miss their'} goal: ${missed.join('; ')}`,
  ]
  if (earlier !== undefined) {
    const worse = figures.filter((figure) => isWorse(figure, earlier))
    const names = worse.map((figure) => `${figure.name} (${percent(growth(figure, earlier)!)})`)
    words.push(
      worse.length === 0
        ? `none is worse by more than the noise of ${noise * 100}%`
        : `${worse.length} worse by more than the noise of ${noise * 100}%: ${names.join('; ')}`,
    )
  }
  if (failed.length > 0) words.push(`${counted(failed.length, 'part')} failed: ${failed.join(', ')}`)
  return words.join(', ')
}

const amount = (value: number, unit: Comparison['unit']): string =>
  `${value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1)} ${unit}`
const percent = (part: number): string => `${part > 0 ? '+' : ''}${(part * 100).toFixed(0)}%`
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
