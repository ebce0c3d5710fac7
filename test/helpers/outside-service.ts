import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { bundled } from './bundled'

const root = resolve(import.meta.dirname, '../..')

export interface OutsideService {
  baseUrl: string
  token: string
  stop(): Promise<void>
}

/** The sandbox in a separate process, as `npm run sandbox` has it. */
export async function startOutsideService(
  options: {
    seed?: 'demo' | 'empty'
    scale?: number
    campaignScale?: number
    dataDir?: string
    port?: number
    now?: () => number
  } = {},
): Promise<OutsideService> {
  const args = [
    '--port',
    String(options.port ?? 0),
    '--seed',
    options.seed ?? 'demo',
    '--scale',
    String(options.scale ?? 1),
    ...(options.campaignScale === undefined ? [] : ['--campaign-scale', String(options.campaignScale)]),
    ...(options.now ? ['--now', new Date(options.now()).toISOString()] : []),
    ...(options.dataDir ? ['--data', options.dataDir] : []),
  ]
  const child = spawn(process.execPath, [bundled('src-main/sandbox/cli.ts'), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<number | null>((done) => child.once('exit', done))
  const line = await new Promise<string>((done, fail) => {
    let text = ''
    child.stdout.on('data', (data: Buffer) => {
      text += data.toString()
      if (text.includes('\n')) done(text.slice(0, text.indexOf('\n')))
    })
    void exited.then((code) => fail(new Error(`The sandbox ended with ${code}`)))
  })
  const { baseUrl, token } = JSON.parse(line) as { baseUrl: string; token: string }
  return {
    baseUrl,
    token,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
