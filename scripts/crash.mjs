// `npm run -s crash -- [--only SUITES] [--rounds N] [--minutes N] [--seed N]`: kills, older copies, a full disk, and long use
// of the real app, and a damaged journal.
//   --only     journal, kills, copies, disk, soak, separated by commas (default: all)
//   --rounds   number of kills, of exchanged copies of each kind, and of full disks (default: 100, 3, and 10)
//   --minutes  length of the soak (default: 30)
//   --seed     repeat a run with the same seed
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
