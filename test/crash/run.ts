// Runs the suites of `npm run crash` in order. Exits with 1 if a count isn't 0.
import { parseArgs } from 'node:util'
import { copies } from './copies'
import { disk } from './disk'
import { journal } from './journal'
import { kills } from './kills'
import { soak } from './soak'
import { faults, noCounts, type Suite } from './suite'

const suites: Record<string, Suite> = { journal, kills, copies, disk, soak }

const option = { type: 'string' } as const
const { values } = parseArgs({ options: { only: option, rounds: option, minutes: option, seed: option } })
const names = values.only?.split(',') ?? Object.keys(suites)
const wrong = names.filter((name) => !(name in suites))
if (wrong.length > 0) {
  console.error(`--only: choose from ${Object.keys(suites).join(', ')}: ${wrong.join(', ')}`)
  process.exit(2)
}

const number = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))
const order = { seed: Number(values.seed), rounds: number(values.rounds), minutes: number(values.minutes) }
const total = noCounts()
for (const name of names) {
  const counts = await suites[name]!({ ...order, say: (text) => process.stderr.write(`${name}: ${text}\n`) })
  for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += counts[key]
  const said = Object.entries(counts).map(([key, count]) => `${key} ${count}`)
  console.log(`${name}: ${said.join(', ')}`)
}
console.log(JSON.stringify({ seed: order.seed, suites: names, ...total }))
process.exit(faults(total) > 0 ? 1 : 0)
