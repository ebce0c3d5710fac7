import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { systemClock } from '#shared/time/clock'
import { share } from './jobs'
import { defaultSteps, Simulation, type People } from './model/simulation'
import { Tally } from './model/tally'
import { shrink } from './shrink'

// By default, V8 spends a tenth of such a short run on optimizing functions that hardly run again.
setFlagsFromString('--interrupt-budget=600000')

const usage =
  'simulate --seeds N --from S|new [--steps K] [--quarrel] [--even] [--basic] [--strict] [--campaigns] [--typing] [--restoring] [--reverting] [--jobs J] [--json]\n       simulate --minutes M [--from S|new] [--steps K] [--even]\n       simulate --seed S [--steps K] [--quarrel] [--even] [--basic] [--strict] [--campaigns] [--typing] [--restoring] [--reverting] [--trace | --shrink] [--only STEP,…]\n' +
  'Seeds and steps are whole numbers from 1 (a seed may be 0) to 4294967295.'

function wholeNumber(name: string, text: string | undefined, least = 1): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < least || number > 4_294_967_295) throw new RangeError(`--${name}: ${text}`)
  return number
}

interface Trial {
  from: number
  seeds: number
  steps: number
  people: People
  jobs: number
}

/** Tries seeds in order, or shares them among processes, and prints failures as they occur. @returns whether all passed */
async function trySeeds({ from, seeds, steps, people, jobs }: Trial, json: boolean): Promise<boolean> {
  const tally = new Tally(from, steps)
  const began = systemClock.elapsed()
  if (jobs > 1 && seeds > 1)
    for (const result of await share(jobs, from, seeds, ['--steps', String(steps), ...flagsOf(people)]))
      tally.join(result)
  else for (let seed = from; seed < from + seeds; seed++) await trySeed(tally, seed, steps, people)
  const result = tally.result((systemClock.elapsed() - began) / 1_000)
  const { failed, ...counts } = result
  process.stdout.write(
    json
      ? `${JSON.stringify(result)}\n`
      : `${seeds} seeds from ${from} of ${steps} steps: ${failed.length} failed ${JSON.stringify(counts)}\n`,
  )
  return failed.length === 0
}

async function trySeed(tally: Tally, seed: number, steps: number, people: People): Promise<void> {
  const verdict = await new Simulation(seed, steps, people).run()
  const { problems, unjudged } = verdict
  tally.add(seed, verdict)
  if (problems.length > 0) process.stderr.write(`seed ${seed}: ${problems.join(' · ')}\n`)
  if (unjudged.length > 0) process.stderr.write(`seed ${seed}, not judged: ${unjudged.join(' · ')}\n`)
}

const kindsOfPeople = ['quarrel', 'even', 'basic', 'strict', 'campaigns', 'typing', 'restoring', 'reverting'] as const

const flagsOf = (people: People): string[] => kindsOfPeople.flatMap((kind) => (people[kind] ? [`--${kind}`] : []))

/** The types of users, and their flags. */
const everyone: readonly { people: People; flags: string }[] = [
  { people: {}, flags: '' },
  { people: { quarrel: true }, flags: ' --quarrel' },
  { people: { campaigns: true }, flags: ' --campaigns' },
  { people: { campaigns: true, typing: true }, flags: ' --campaigns --typing' },
  { people: { restoring: true }, flags: ' --restoring' },
  { people: { quarrel: true, reverting: true }, flags: ' --quarrel --reverting' },
]

/** Seeds between the first ones of two types of users, so that a slower machine tries a part of the same seeds. */
const apart = 100_000

/** Tries seeds until time is up, with an equal share for each type of users. @returns whether all passed */
async function trySeedsFor(minutes: number, from: number, steps: number, even: boolean): Promise<boolean> {
  let held = true
  for (const [at, { people, flags }] of everyone.entries()) {
    const end = systemClock.elapsed() + (minutes * 60_000) / everyone.length
    const first = from + at * apart
    const failed: number[] = []
    let seed = first
    for (; systemClock.elapsed() < end; seed++) {
      const { problems } = await new Simulation(seed, steps, { ...people, even }).run()
      if (problems.length === 0) continue
      failed.push(seed)
      const options = `${flags}${even ? ' --even' : ''} --steps ${steps}`
      process.stderr.write(
        `seed ${seed}: ${problems.join(' · ')}\nRepeat it: npm run -s simulate -- --seed ${seed}${options} --trace\n`,
      )
    }
    process.stdout.write(
      `${seed - first} seeds from ${first} of ${steps} steps${flags}: ${failed.length} failed ${failed.join(' ')}\n`.replace(
        / \n$/,
        '\n',
      ),
    )
    held &&= failed.length === 0
  }
  return held
}

/** Prints what happened with a seed. @returns whether it passed */
async function printSeed(seed: number, steps: number, people: People, only: string, trace: boolean): Promise<boolean> {
  const simulation = new Simulation(seed, steps, people)
  if (trace) simulation.withTrace()
  const verdict = await simulation.run(only ? new Set(only.split(',').map(Number)) : undefined)
  if (trace) process.stdout.write(`${verdict.trace.join('\n')}\n`)
  const { problems, unjudged } = verdict
  if (unjudged.length > 0) process.stdout.write(`not judged\n${unjudged.join('\n')}\n`)
  process.stdout.write(problems.length === 0 ? `seed ${seed} holds\n` : `seed ${seed}\n${problems.join('\n')}\n`)
  return problems.length === 0
}

/** Prints the shortest steps that fail like a seed. @returns whether there were none */
async function shrinkSeed(seed: number, steps: number, people: People): Promise<boolean> {
  const shrunk = await shrink(seed, steps, people)
  if (!shrunk) {
    process.stdout.write(`seed ${seed} holds\n`)
    return true
  }
  const { only, verdict, runs } = shrunk
  const story = [...verdict.trace, ...verdict.problems]
  process.stdout.write(
    `${story.join('\n')}\nSeed ${seed} fails in ${only.length} of ${steps} steps (${runs} runs): --only ${only.join(',')}\n`,
  )
  return false
}

async function main(): Promise<number> {
  if (process.argv.includes('--help')) {
    process.stdout.write(`usage: ${usage}\n`)
    return 0
  }
  let seed, seeds, from, steps, minutes, jobs
  let flags
  try {
    flags = parseArgs({
      options: {
        seeds: { type: 'string' },
        from: { type: 'string' },
        steps: { type: 'string' },
        minutes: { type: 'string' },
        seed: { type: 'string' },
        quarrel: { type: 'boolean', default: false },
        even: { type: 'boolean', default: false },
        basic: { type: 'boolean', default: false },
        strict: { type: 'boolean', default: false },
        shrink: { type: 'boolean', default: false },
        only: { type: 'string' },
        jobs: { type: 'string' },
        campaigns: { type: 'boolean', default: false },
        typing: { type: 'boolean', default: false },
        restoring: { type: 'boolean', default: false },
        reverting: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        trace: { type: 'boolean', default: false },
      },
    }).values
    seed = wholeNumber('seed', flags.seed, 0)
    seeds = wholeNumber('seeds', flags.seeds) ?? 1_000
    steps = wholeNumber('steps', flags.steps) ?? defaultSteps
    minutes = wholeNumber('minutes', flags.minutes)
    jobs = wholeNumber('jobs', flags.jobs) ?? availableParallelism()
    if (minutes !== undefined) flags.from ??= 'new'
    from = flags.from === 'new' ? Math.floor(Math.random() * 2_000_000_000) : (wholeNumber('from', flags.from, 0) ?? 1)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nusage: ${usage}\n`)
    return 2
  }
  if (seed !== undefined && flags.shrink) return (await shrinkSeed(seed, steps, flags)) ? 0 : 1
  if (seed !== undefined) return (await printSeed(seed, steps, flags, flags.only ?? '', flags.trace)) ? 0 : 1
  if (flags.from === 'new') process.stderr.write(`from seed ${from}\n`)
  if (minutes !== undefined) return (await trySeedsFor(minutes, from, steps, flags.even)) ? 0 : 1
  return (await trySeeds({ from, seeds, steps, people: flags, jobs }, flags.json)) ? 0 : 1
}

process.exitCode = await main()
