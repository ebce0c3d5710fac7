// `node scripts/ci-rest.mjs --elapsed S --tests S --commit HASH`: the end of `.ci/run`. Tries new seeds of the simulation and
// files of the outer ring at the same time, as many as fit, and says what it left out. Fails where a file fails.
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

const [seeds, outer] = await Promise.all([
  minutes > 0 ? npmRun('simulate', '--minutes', String(minutes), '--from', 'new') : undefined,
  files.length > 0 ? npmRun('test:all', ...files) : undefined,
])
if (seeds) {
  process.stdout.write(seeds.output)
  if (seeds.status !== 0) console.log('Some new seeds failed. Repeat each with the command shown above.')
}
if (outer) process.stdout.write(outer.output)
console.log(
  `Skipped: ${[...(minutes < 2 ? [`${2 - minutes} min of new seeds`] : []), ...leftOut].join(', ') || 'nothing'}`,
)
process.exit(outer?.status ?? 0)

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
