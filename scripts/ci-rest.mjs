// `node scripts/ci-rest.mjs --elapsed S --tests S`: the end of `.ci/run`. Runs a part of the window tests that `npm test` didn't
// draw, two minutes of new seeds of the simulation, and the files of the outer ring that fit, and says what it left out. Fails
// where a test or a seed fails.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { parts, planRest } from './ci-plan.mjs'
import { commitSeed } from './options.mjs'
import { root } from './setup.mjs'

const { values } = parseArgs({ options: { elapsed: { type: 'string' }, tests: { type: 'string' } } })
const seed = commitSeed(root)
const { part, files, leftOut } = planRest({ elapsed: Number(values.elapsed), tests: Number(values.tests), seed })

const windows = npmRun('test', '--others', '--shard', `${part}/${parts}`, '--slowest', '10')
const ran = await Promise.all([
  npmRun('simulate', '--minutes', '2', '--from', String(seed)),
  windows,
  ...(files.length > 0 ? [windows.then(() => npmRun('test:all', ...files))] : []),
])
for (const { output } of ran) process.stdout.write(output)
if (ran[0].status !== 0) console.log('Some new seeds failed. Repeat each with the command shown above.')
console.log(
  `Skipped: ${parts - 1} of ${parts} parts of the window tests that npm test didn’t draw${leftOut.map((file) => `, ${file}`).join('')}`,
)
process.exit(ran.some(({ status }) => status !== 0) ? 1 : 0)

/** The output arrives as one piece, because two commands run at once. */
function npmRun(...args) {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '-s', args[0], '--', ...args.slice(1)], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
    child.on('error', (error) => resolve({ status: 1, output: `${error.message}\n` }))
    child.on('close', (status) => resolve({ status: status ?? 1, output }))
  })
}
