import { spawn, type ChildProcess } from 'node:child_process'
import { resolve } from 'node:path'
import { runInNode } from '../../src-main/command/run-in-node'

const program = resolve(import.meta.dirname, '../../scripts/report.mjs')

export interface Ended {
  code: number | null
  out: string
  err: string
}

/** The report command in an output folder, with a service's token. */
export function reportCommand(folder: string, token: string) {
  const { INIT_CWD: _cwd, ...others } = process.env
  const env = { ...others, FLIGHTPLAN_SERVICE_TOKEN: token }
  return {
    /** Runs the command in this process, ten times as fast as in a new one. */
    async run(args: readonly string[], heard?: (err: string) => void): Promise<Ended> {
      let [out, err] = ['', '']
      const cwd = process.cwd()
      process.chdir(folder)
      try {
        const code = await runInNode(args, {
          out: (text) => (out += `${text}\n`),
          err: (text) => {
            err += `${text}\n`
            heard?.(err)
          },
          version: '',
          env,
          signal: new AbortController().signal,
        })
        return { code, out, err }
      } finally {
        process.chdir(cwd)
      }
    },
    /** Starts the command as `npm run -s report` does. */
    start(args: readonly string[], heard?: (child: ChildProcess, err: string) => void): Promise<Ended> {
      const child = spawn(process.execPath, [program, ...args], { cwd: folder, env })
      let [out, err] = ['', '']
      child.stdout.on('data', (data: Buffer) => (out += data.toString()))
      child.stderr.on('data', (data: Buffer) => {
        err += data.toString()
        heard?.(child, err)
      })
      return new Promise((done) => child.once('close', (code) => done({ code, out, err })))
    },
  }
}
