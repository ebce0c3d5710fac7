// `npm run -s crash -- [options]`: kills, damages, and soak-tests the real app.
//   --only SUITES    journal, kills, copies, disk, soak, separated by commas (default: all)
//   --rounds N       number of kills, of restored copies of each kind, and of full disks (default: 100, 3, and 10)
//   --minutes N      length of the soak test (default: 30)
//   --seed N         repeat a run with the same seed
import { readOptions, text } from './help.mjs'
import { freshSeed, takeNumber } from './options.mjs'
import { runOnDisplay } from './run-on-display.mjs'

readOptions({ only: text, rounds: text, minutes: text, seed: text })
const args = process.argv.slice(2)
const rounds = takeNumber(args, '--rounds')
const minutes = takeNumber(args, '--minutes')
const seed = takeNumber(args, '--seed') ?? freshSeed()

const given = [`--seed=${seed}`]
if (rounds !== undefined) given.push(`--rounds=${rounds}`)
if (minutes !== undefined) given.push(`--minutes=${minutes}`)
await runOnDisplay('test/crash/run.ts', [...given, ...args], { own: true })
