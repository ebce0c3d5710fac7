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
    start: (args: readonly string[], heard?: Heard): Promise<Ended> => startProgram([program, ...args], heard),
    /** Starts it, and kills it as it writes these words to stderr, before it can do anything else. */
    startUntil: (words: string, args: readonly string[]): Promise<Ended> =>
      startProgram(['--import', killingAt(words), program, ...args]),
  }

  function startProgram(args: readonly string[], heard?: Heard): Promise<Ended> {
    const child = spawn(process.execPath, args, { cwd: folder, env })
    let [out, err] = ['', '']
    child.stdout.on('data', (data: Buffer) => (out += data.toString()))
    child.stderr.on('data', (data: Buffer) => {
      err += data.toString()
      heard?.(child, err)
    })
    return new Promise((done) => child.once('close', (code) => done({ code, out, err })))
  }
}

type Heard = (child: ChildProcess, err: string) => void

/** A module for Node's `--import`. */
const killingAt = (words: string): string =>
  `data:text/javascript,${encodeURIComponent(`
    const { write } = process.stderr
    process.stderr.write = function (text, ...more) {
      const written = write.call(this, text, ...more)
      if (String(text).includes(${JSON.stringify(words)})) process.kill(process.pid, 'SIGKILL')
      return written
    }`)}`
