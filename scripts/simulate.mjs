// `npm run -s simulate -- --seeds N --from S [--steps K] --json`: random schedules of devices, one service and trouble of
// every kind, judged by an auditor. `--from new` begins at a seed nobody has tried. Ends with 1 when a seed failed.
// `--minutes M` tries new seeds of all kinds of people that long, with an equal share for each.
// `--quarrel`: they write to the same few records and decide about them. `--campaigns`: they traffic, too.
// `npm run -s simulate -- --seed S [--steps K] --trace` tells the story of one.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureModules, root } from './setup.mjs'

ensureModules()
const args = ['--import', 'tsx', join(root, 'test/flows/simulate.ts'), ...process.argv.slice(2)]
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
