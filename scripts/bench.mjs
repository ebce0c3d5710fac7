// `npm run bench`: speed as ratios against floors measured in the same run. `--json` prints one JSON document on stdout.
import './help.mjs'
import { runOnDisplay } from './run-on-display.mjs'

await runOnDisplay('test/bench/run.ts', process.argv.slice(2))
