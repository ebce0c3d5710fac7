// `npm run bench`: measures speed as ratios within one run, each with its goal.
//   --only PART,PART    run only these parts, such as storage,exports
//   --all               also run the long ones
//   --against FILE      compare with an earlier run
//   --json              print one JSON document, and messages to stderr
import './help.mjs'
import { runOnDisplay } from './run-on-display.mjs'

await runOnDisplay('test/bench/run.ts', process.argv.slice(2))
