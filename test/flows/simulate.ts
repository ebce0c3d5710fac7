import { parseArgs } from 'node:util'
import { systemClock } from '#shared/time/clock'
import { defaultSteps, Simulation, type People } from './model/simulation'
import { Tally } from './model/tally'

const usage =
  'simulate --seeds N --from S|new [--steps K] [--quarrel] [--even] [--campaigns] [--json]\n       simulate --seed S [--steps K] [--quarrel] [--even] [--campaigns] [--trace]\n' +
  'Seeds and steps are whole numbers from 1 (a seed may be 0) to 4294967295.'

function wholeNumber(name: string, text: string | undefined, least = 1): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < least || number > 4_294_967_295) throw new RangeError(`--${name}: ${text}`)
  return number
}

/** Tries one seed after the other and prints each that fails as it turns up. Whether all held. */
async function trySeeds(from: number, seeds: number, steps: number, people: People, json: boolean): Promise<boolean> {
  const tally = new Tally(from, steps)
  const began = systemClock.elapsed()
  for (let seed = from; seed < from + seeds; seed++) {
    const { problems } = await new Simulation(seed, steps, people).run()
    tally.add(seed, problems)
    if (problems.length > 0) process.stderr.write(`seed ${seed}: ${problems.join(' · ')}\n`)
  }
  const result = tally.result((systemClock.elapsed() - began) / 1_000)
  const { failed, ...counts } = result
  process.stdout.write(
    json
      ? `${JSON.stringify(result)}\n`
      : `${seeds} seeds from ${from} of ${steps} steps: ${failed.length} failed ${JSON.stringify(counts)}\n`,
  )
  return failed.length === 0
}

/** Tells what happened in one. Whether it held. */
async function tellSeed(seed: number, steps: number, people: People, trace: boolean): Promise<boolean> {
  const verdict = await new Simulation(seed, steps, people).run()
  if (trace) process.stdout.write(`${verdict.trace.join('\n')}\n`)
  const { problems } = verdict
  process.stdout.write(problems.length === 0 ? `seed ${seed} holds\n` : `seed ${seed}\n${problems.join('\n')}\n`)
  return problems.length === 0
}

async function main(): Promise<number> {
  let seed, seeds, from, steps
  let flags
  try {
    flags = parseArgs({
      options: {
        seeds: { type: 'string' },
        from: { type: 'string' },
        steps: { type: 'string' },
        seed: { type: 'string' },
        quarrel: { type: 'boolean', default: false },
        even: { type: 'boolean', default: false },
        campaigns: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        trace: { type: 'boolean', default: false },
      },
    }).values
    seed = wholeNumber('seed', flags.seed, 0)
    seeds = wholeNumber('seeds', flags.seeds) ?? 1_000
    steps = wholeNumber('steps', flags.steps) ?? defaultSteps
    from = flags.from === 'new' ? Math.floor(Math.random() * 2_000_000_000) : (wholeNumber('from', flags.from, 0) ?? 1)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nusage: ${usage}\n`)
    return 2
  }
  if (seed !== undefined) return (await tellSeed(seed, steps, flags, flags.trace)) ? 0 : 1
  if (flags.from === 'new') process.stderr.write(`from seed ${from}\n`)
  return (await trySeeds(from, seeds, steps, flags, flags.json)) ? 0 : 1
}

process.exitCode = await main()
