import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { FaultError } from '#shared/fault'

const readySchema = z.object({ baseUrl: z.string().url(), token: z.string().min(1) })

export interface SandboxChild {
  baseUrl: string
  token: string
  stop(): Promise<void>
}

/**
 * Starts the sandbox as a Node process.
 * @param command Node's arguments before those of the service
 * @throws FaultError `storage` if its folder is in use or it doesn't start, `aborted` if it was stopped before it was
 * ready
 */
export async function startSandboxChild(
  command: readonly string[],
  dataDir: string,
  signal: AbortSignal,
): Promise<SandboxChild> {
  const token = randomBytes(24).toString('base64url')
  // Its stdin stays open as long as this process lives. If this process is killed, the sandbox exits and frees the folder.
  const child = spawn(process.execPath, [...command, '--attended', '--data', dataDir], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, FLIGHTPLAN_SANDBOX_TOKEN: token },
    // Ctrl+C reaches the whole group: the sandbox would exit before its clients were stopped.
    detached: true,
    windowsHide: true,
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = (): Promise<void> => {
    child.kill('SIGTERM')
    return ended
  }
  let errors = ''
  child.stderr.on('data', (data: Buffer) => (errors = (errors + data.toString()).slice(-2_000)))
  const stopped = (): void => void stop()
  signal.addEventListener('abort', stopped, { once: true })
  if (signal.aborted) stopped()
  const line = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (data: Buffer) => {
      text += data.toString()
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    child.once('error', reject)
    child.once('exit', () => {
      if (signal.aborted) return reject(new FaultError({ code: 'aborted', message: 'Stopped.' }))
      const why = errors.trim().split('\n')[0] ?? ''
      reject(new FaultError({ code: 'storage', message: `The sandbox didn’t start. ${why}`.trim() }))
    })
  }).finally(() => signal.removeEventListener('abort', stopped))
  return { ...readySchema.parse(JSON.parse(line)), stop }
}
