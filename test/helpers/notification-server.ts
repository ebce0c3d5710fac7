import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A session bus with a real notification server. */
export interface NotificationServer {
  /** Environment of apps that should notify there. */
  env: Record<string, string>
  /** Titles of all notifications so far, oldest first. */
  titles(): Promise<string[]>
  /** Removes what is on screen. */
  clear(): Promise<void>
  /** Clicks the notification that is on screen. */
  click(): Promise<void>
  /** Ends the server. The bus stays. */
  endServer(): Promise<void>
  stop(): Promise<void>
}

const needed = ['dbus-run-session', 'dunst', 'dunstctl', 'dbus-send']

/** A bus that starts no programs on its own: a server that ended stays away. */
const busConfig = `<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`

/**
 * Starts a bus and dunst on this worker's display.
 * @throws Error with the command that installs them, if they're missing
 */
export async function startNotificationServer(): Promise<NotificationServer> {
  const missing = needed.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0)
  if (missing.length > 0)
    throw new Error(`This test needs ${missing.join(', ')}. Run: sudo apt-get install -y dbus dunst`)
  const folder = await mkdtemp(join(tmpdir(), 'flightplan-notes-'))
  const log = join(folder, 'titles')
  const config = join(folder, 'dunstrc')
  const script = join(folder, 'log.sh')
  await writeFile(log, '')
  await writeFile(script, `#!/bin/sh\nprintf '%s\\n' "$DUNST_SUMMARY" >> '${log}'\n`, { mode: 0o755 })
  await writeFile(join(folder, 'bus.conf'), busConfig)
  await writeFile(config, `[global]\nfollow = none\n\n[log]\nsummary = "*"\nscript = ${script}\n`)
  const bus = spawn(
    'dbus-run-session',
    [
      `--config-file=${join(folder, 'bus.conf')}`,
      '--',
      'sh',
      '-c',
      `echo "$DBUS_SESSION_BUS_ADDRESS"; dunst -config '${config}' & echo $!; wait; exec sleep infinity`,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'], detached: true },
  )
  const [address, pid] = await new Promise<string[]>((done, fail) => {
    let text = ''
    bus.stdout.on('data', (data: Buffer) => {
      text += data.toString()
      const lines = text.split('\n')
      if (lines.length > 2) done(lines)
    })
    bus.once('exit', (code) => fail(new Error(`dbus-run-session ended with ${code}`)))
  })
  const env = { DBUS_SESSION_BUS_ADDRESS: address! }
  const control = (...args: string[]): Promise<{ stdout: string }> =>
    promisify(execFile)('dunstctl', args, { env: { ...process.env, ...env } })
  // Ready once it answers.
  while (!(await control('count').catch(() => undefined))) await new Promise((done) => setTimeout(done, 50))
  const end = (signal: number | NodeJS.Signals, target: number): void => {
    try {
      process.kill(target, signal)
    } catch {
      // It has already ended.
    }
  }
  return {
    env,
    titles: async () => (await readFile(log, 'utf8')).split('\n').filter(Boolean),
    clear: async () => void (await control('close-all')),
    click: async () => void (await control('action')),
    endServer: async () => {
      end('SIGTERM', Number(pid))
      while (await control('count').catch(() => undefined)) await new Promise((done) => setTimeout(done, 50))
    },
    stop: async () => {
      const gone = new Promise((done) => bus.once('exit', done))
      end('SIGTERM', -bus.pid!)
      await gone
    },
  }
}
