import { spawn } from 'node:child_process'
import type { TallyResult } from './model/tally'

/** Runs this command with other arguments in a separate process. @throws Error if it returns no result */
function run(args: readonly string[]): Promise<TallyResult> {
  const command = [...process.execArgv, process.argv[1]!, ...args, '--json', '--jobs', '1']
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => {
      try {
        resolve(JSON.parse(text) as TallyResult)
      } catch {
        reject(new Error(`No result of ${args.join(' ')}: ${text}`))
      }
    })
  })
}

/** The results of this many processes, each with a share of the seeds. */
export async function share(
  jobs: number,
  from: number,
  seeds: number,
  args: readonly string[],
): Promise<TallyResult[]> {
  const size = Math.ceil(seeds / jobs)
  const starts = Array.from({ length: Math.ceil(seeds / size) }, (_, job) => job * size)
  return Promise.all(
    starts.map((start) =>
      run(['--from', String(from + start), '--seeds', String(Math.min(size, seeds - start)), ...args]),
    ),
  )
}
