import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { offsetTo } from '#shared/time/clock'
import { startSandbox, type Sandbox } from '../../../src-main/sandbox/start'
import { decide } from '../../helpers/browser'
import { bundled } from '../../helpers/bundled'
import { cases, drawn } from '../../helpers/ring'
import { clientOf, events, timedEvent } from './client'

const folders: string[] = []
const children: ChildProcess[] = []
const sandboxes: Sandbox[] = []

afterEach(async () => {
  for (const sandbox of sandboxes.splice(0)) await sandbox.stop()
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'flightplan-sandbox-'))
  folders.push(made)
  return made
}

interface Started {
  child: ChildProcess
  ready: { baseUrl: string; token: string; ids: Record<string, string> }
  lines: () => number
}

function spawnCli(...flags: string[]): ChildProcess {
  const child = spawn(process.execPath, [bundled('src-main/sandbox/cli.ts'), ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  return child
}

function startCli(...flags: string[]): Promise<Started> {
  const child = spawnCli(...flags)
  let out = ''
  let error = ''
  return new Promise((resolve, reject) => {
    child.stderr!.on('data', (chunk: Buffer) => (error += chunk.toString()))
    child.stdout!.on('data', (chunk: Buffer) => {
      out += chunk.toString()
      const [line] = out.split('\n')
      if (out.includes('\n'))
        resolve({ child, ready: JSON.parse(line!) as Started['ready'], lines: () => out.trim().split('\n').length })
    })
    child.on('exit', (code) => reject(new Error(`exit ${code}: ${error}`)))
  })
}

const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('exit', (code) => resolve(code)))

const reach = (started: Started) => clientOf({ ...started.ready, port: 0, stop: () => Promise.resolve() })

describe('stored data', () => {
  it('returns with its IDs but not its token, and the seed applies only to an empty folder', async () => {
    const dataDir = folder()
    const first = await startSandbox({ seed: 'empty', dataDir })
    const { body: event } = await clientOf(first).post(events, timedEvent())
    const { body: list } = await clientOf(first).get(events)
    await first.stop()
    const second = await startSandbox({ seed: 'demo', dataDir })
    sandboxes.push(second)
    expect(second.ids).toEqual(first.ids)
    expect((await clientOf({ ...second, token: first.token }).get(events)).status).toBe(401)
    const client = clientOf(second)
    expect((await client.get(`${events}/${event.id}`)).body.summary).toBe('Plan')
    expect((await client.get(`${events}?syncToken=${list.nextSyncToken}`)).body.items).toEqual([])
    const changed = await client.patch(`${events}/${event.id}`, { summary: 'x' }, { 'if-match': event.etag })
    expect(changed.status).toBe(200)
  })

  it('keeps sign-ins, and only hashes of tokens', async () => {
    const dataDir = folder()
    const first = await startSandbox({ seed: 'empty', signIn: true, dataDir })
    const verifier = 'v'.repeat(43)
    const answer = await decide(
      `${first.baseUrl}/oauth/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: 'A test',
        redirect_uri: 'http://127.0.0.1:49999/callback',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      })}`,
    )
    const code = new URL(answer).searchParams.get('code')!
    const tokens = (await fetch(`${first.baseUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: 'http://127.0.0.1:49999/callback',
        client_id: 'A test',
        code_verifier: verifier,
      }),
    }).then((reply) => reply.json())) as { access_token: string; refresh_token: string }
    const { body } = await clientOf(first).get('/sandbox/v1/people')
    const secrets: string[] = [code, tokens.access_token, tokens.refresh_token]
    for (const { token } of body.people) secrets.push(token as string)
    await first.stop()
    for (const name of readdirSync(dataDir)) {
      const bytes = readFileSync(join(dataDir, name))
      expect(secrets.filter((secret) => bytes.includes(secret))).toEqual([])
    }
    const second = await startSandbox({ seed: 'empty', dataDir })
    sandboxes.push(second)
    expect((await clientOf({ ...second, token: tokens.access_token }).get(events)).status).toBe(200)
  })

  it('is locked by one process at a time', async () => {
    const dataDir = folder()
    sandboxes.push(await startSandbox({ seed: 'empty', dataDir }))
    await expect(startSandbox({ seed: 'empty', dataDir })).rejects.toThrow(/in use/)
  })

  it('closes despite open connections and running requests', async () => {
    const sandbox = await startSandbox({ seed: 'empty' })
    await clientOf(sandbox).get(events)
    // An endless header: waiting for it would take five minutes.
    const socket = connect(sandbox.port, '127.0.0.1')
    await new Promise<void>((done) => socket.write(`GET ${events} HTTP/1.1\r\nHost: 127.0.0.1\r\n`, () => done()))
    const ended = new Promise((done) => socket.on('error', () => undefined).once('close', done))
    await Promise.all([sandbox.stop(), sandbox.stop()])
    await ended
    await expect(fetch(sandbox.baseUrl)).rejects.toThrow()
  })
})

describe('the command line', () => {
  it('prints one line when ready and exits with 0 on SIGTERM and SIGINT', async () => {
    const ends = async (signal: 'SIGTERM' | 'SIGINT'): Promise<void> => {
      const started = await startCli('--port', '0', '--seed', 'empty')
      expect(Object.keys(started.ready)).toEqual(['baseUrl', 'token', 'ids'])
      expect(started.ready.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
      expect((await reach(started).get(events)).status).toBe(200)
      const exit = exitOf(started.child)
      started.child.kill(signal)
      expect([signal, await exit, started.lines()]).toEqual([signal, 0, 1])
    }
    await Promise.all([ends('SIGTERM'), ends('SIGINT')])
  })

  it('starts at another time and continues from there', async () => {
    const moments = [
      ['--now', '2028-02-29T12:00:00+01:00'],
      [`--clock-offset=${offsetTo(Date.parse('2028-02-29T12:00:00+01:00'))}`],
    ]
    for (const flags of moments) {
      const { body } = await reach(await startCli('--seed', 'empty', ...flags)).post(events, timedEvent())
      const late = Date.parse(body.created) - Date.parse('2028-02-29T12:00:00+01:00')
      expect(late).toBeGreaterThanOrEqual(-1_000)
      expect(late).toBeLessThan(300_000)
    }
  })

  it('exits with 2 and a message for invalid flags', async () => {
    const wrong = [
      ['--port', 'x'],
      ['--seed', 'full'],
      ['--scale', '0'],
      ['--campaign-scale', '501'],
      ['--nope'],
      ['--now', 'noon'],
      ['--clock-offset=much'],
    ]
    await Promise.all(
      drawn(wrong, 2).map(async (flags) => {
        const child = spawnCli(...flags)
        let error = ''
        child.stderr!.on('data', (chunk: Buffer) => (error += chunk.toString()))
        expect([flags, await exitOf(child)]).toEqual([flags, 2])
        expect(error).toContain('usage: sandbox')
      }),
    )
  })

  it('loses no acknowledged write when killed', async () => {
    const dataDir = folder()
    const rounds = cases(2, 3)
    let answered = 0
    for (let round = 0; round < rounds; round++) {
      const started = await startCli('--data', dataDir, '--seed', 'empty')
      const client = reach(started)
      expect((await client.get(`${events}?maxResults=2500`)).body.items.length).toBeGreaterThanOrEqual(answered)
      const exit = exitOf(started.child)
      const enough = answered + 20 + round
      try {
        for (;;) {
          const writing = client.post(events, timedEvent())
          if (answered === enough) started.child.kill('SIGKILL')
          if ((await writing).status === 200) answered++
        }
      } catch {
        await exit
      }
    }
    const sandbox = await startSandbox({ seed: 'empty', dataDir })
    sandboxes.push(sandbox)
    const { body } = await clientOf(sandbox).get(`${events}?maxResults=2500`)
    // An insert without a response may have been committed.
    expect(answered).toBeGreaterThan(20 * rounds)
    expect(body.items.length - answered).toBeGreaterThanOrEqual(0)
    expect(body.items.length - answered).toBeLessThanOrEqual(rounds)
  })
})
