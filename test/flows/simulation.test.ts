import { describe, expect, it } from 'vitest'
import { Simulation } from './model/simulation'

/** Seeds that failed once, with what they found and in how many steps where it was not 40; each stays. */
const corpus: readonly (readonly [number, string, number?])[] = [
  [126, 'a row shown before was written over the one the service had given'],
  [271, 'a restored creation took the record it had made for a twin'],
  [741, 'a lost creation was edited before it was recognised'],
  [993, 'ids of two lives within one millisecond did not sort'],
  [1556, 'a task carried to another list had been deleted elsewhere'],
  [1760, 'an edit of a moved task made a copy of it'],
  [5833, 'a cancelled occurrence was copied instead of brought back'],
  [7236, 'a creation that was carried to another list left its place behind'],
  [7726, 'a task hidden with its parent had been moved out of it elsewhere'],
  [765424736, 'two new tasks were put behind one another'],
  [765427059, 'a new task was put into one that had been put behind it'],
  [1678867289, 'a new task had left one that was withdrawn', 120],
  [2152033038, 'a new task was moved to another list and back, and deleted', 120],
  [2152033610, 'a new task followed its parent to another list, and was deleted there', 120],
]
const count = Number(process.env.FLIGHTPLAN_SEEDS ?? 2_000)

async function problemsOf(seed: number, steps?: number): Promise<string[]> {
  const { problems, trace } = await new Simulation(seed, steps).run()
  if (problems.length === 0) return []
  return [`seed ${seed}`, ...problems, ...(process.env.FLIGHTPLAN_TRACE ? trace : [])]
}

describe('devices, a quarrelling service and every kind of trouble', () => {
  const named = corpus.map(([seed, found, steps = 40]) => [seed, found, steps] as const)
  it.each(named)('holds for seed %i, where %s', async (seed, _found, steps) => {
    expect(await problemsOf(seed, steps)).toEqual([])
  })

  it(
    'loses nothing, doubles nothing, leaves nothing stuck, and ends equal',
    async () => {
      const first = Number(process.env.FLIGHTPLAN_SEED ?? 1)
      const failed: string[][] = []
      for (let seed = first; seed < first + count && failed.length < 3; seed++) {
        const problems = await problemsOf(seed)
        if (problems.length > 0) failed.push(problems)
      }
      expect(failed).toEqual([])
    },
    120_000 + count * 100,
  )
})
