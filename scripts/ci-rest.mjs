// `node scripts/ci-rest.mjs --elapsed S --tests S --commit HASH`: the end of `.ci/run`. Runs the window tests that `npm test`
// didn't draw, and as many new seeds of the simulation and files of the outer ring as fit, and says what it left out. Fails
// where a test fails.
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { planRest } from './ci-plan.mjs'
import { root } from './setup.mjs'

const { values } = parseArgs({
  options: { elapsed: { type: 'string' }, tests: { type: 'string' }, commit: { type: 'string' } },
})
const { minutes, files, leftOut } = planRest({
  elapsed: Number(values.elapsed),
  tests: Number(values.tests),
  commit: values.commit,
})

const windows = npmRun('test', '--others', '--slowest', '10')
const [seeds, others, outer] = await Promise.all([
  minutes > 0 ? npmRun('simulate', '--minutes', String(minutes), '--from', 'new') : undefined,
  windows,
  files.length > 0 ? windows.then(() => npmRun('test:all', ...files)) : undefined,
])
if (seeds) {
  process.stdout.write(seeds.output)
  if (seeds.status !== 0) console.log('Some new seeds failed. Repeat each with the command shown above.')
}
for (const ran of [others, outer]) if (ran) process.stdout.write(ran.output)
console.log(
  `Skipped: ${[...(minutes < 2 ? [`${2 - minutes} min of new seeds`] : []), ...leftOut].join(', ') || 'nothing'}`,
)
process.exit(others.status || (outer?.status ?? 0))

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
