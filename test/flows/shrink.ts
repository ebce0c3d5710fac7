import { Simulation, type People, type Verdict } from './model/simulation'
import { kindOf } from './model/tally'

export interface Shrunk {
  /** The remaining steps. */
  only: number[]
  verdict: Verdict
  /** The number of runs it took. */
  runs: number
}

/** Removes steps while a seed fails the same way: first everything after a prefix, then one at a time. */
export async function shrink(seed: number, steps: number, people: People): Promise<Shrunk | null> {
  let runs = 0
  const run = (only: readonly number[]): Promise<Verdict> => {
    runs++
    return new Simulation(seed, steps, people).withTrace().run(new Set(only))
  }
  const all = Array.from({ length: steps }, (_, step) => step)
  const whole = await run(all)
  const [first] = whole.problems
  if (first === undefined) return null
  const kind = kindOf(first)
  const fails = (verdict: Verdict): boolean => verdict.problems.some((problem) => kindOf(problem) === kind)
  let best: Pick<Shrunk, 'only' | 'verdict'> = { only: all, verdict: whole }
  for (let length = 1; length < steps; length++) {
    const only = all.slice(0, length)
    const verdict = await run(only)
    if (!fails(verdict)) continue
    best = { only, verdict }
    break
  }
  for (let isLess = true; isLess;) {
    isLess = false
    for (const step of [...best.only].reverse()) {
      const only = best.only.filter((other) => other !== step)
      const verdict = await run(only)
      if (!fails(verdict)) continue
      best = { only, verdict }
      isLess = true
    }
  }
  return { ...best, runs }
}
