import { mkdtemp, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Fault } from '#shared/fault'
import { diagnosticsText, type DiagnosticsFacts } from '../../../src-main/diagnostics/diagnostics-text'
import { errorEvent, eventSchema, type LogEvent } from '../../../src-main/diagnostics/events'
import { LocalLog } from '../../../src-main/diagnostics/local-log'
import { logRequests } from '../../../src-main/diagnostics/log-requests'
import { someAccount } from '../../helpers/account'

const folder = (): Promise<string> => mkdtemp(join(tmpdir(), 'flightplan-log-'))
const at = Date.UTC(2026, 5, 10, 6)
const newLog = async (maxBytes?: number): Promise<LocalLog & { userData: string }> => {
  const userData = await folder()
  return Object.assign(new LocalLog({ userData, now: () => at, ...(maxBytes && { maxBytes }) }), { userData })
}
const lines = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** What must never get into a log: content, people, sign-ins. */
const secrets = [
  'Surprise party for Mina',
  'mina.ito@flightplan.example',
  'ya29.a0AfH6SMBx-long-access-token',
  'GOCSPX-client-secret',
  'https://calendar.internal.example/feed?key=abc',
  '/home/mina/private',
]

describe('the log', () => {
  it('has one line per event, and counts repeated ones', async () => {
    const log = await newLog()
    log.add({ what: 'resume' })
    log.add({ what: 'request', request: 'sync/read', code: 'unreachable' })
    log.add({ what: 'request', request: 'sync/read', code: 'unreachable' })
    log.add({ what: 'request', request: 'sync/read', code: 'unreachable' })
    log.add({ what: 'quit' })
    await log.close()
    const time = '2026-06-10T06:00:00.000Z'
    expect(lines(await log.read())).toEqual([
      { at: time, what: 'resume' },
      { at: time, what: 'request', request: 'sync/read', code: 'unreachable' },
      { at: time, what: 'repeated', times: 2 },
      { at: time, what: 'quit' },
    ])
  })

  it('stays small, keeps the newest lines, and belongs to its owner only', async () => {
    const log = await newLog(2_000)
    for (let count = 0; count < 200; count++) log.add({ what: 'journal', pending: count, unknown: 0, damaged: 0 })
    await log.close()
    const places = (await readdir(join(log.userData, 'logs'))).map((name) => join(log.userData, 'logs', name))
    const found = await Promise.all(places.map((path) => stat(path)))
    expect(found.map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o600])
    for (const { size } of found) expect(size).toBeLessThanOrEqual(2_000)
    const kept = lines(await log.read()).map((line) => (line as { pending: number }).pending)
    expect(kept.at(-1)).toBe(199)
    expect(kept).toEqual(kept.map((_, index) => 200 - kept.length + index))
  })

  it('continues the file of an earlier start', async () => {
    const log = await newLog()
    log.add({ what: 'quit' })
    await log.close()
    const next = new LocalLog({ userData: log.userData, now: () => at })
    next.add({ what: 'resume' })
    expect(lines(await next.read())).toMatchObject([{ what: 'quit' }, { what: 'resume' }])
  })

  it('never fails its caller when the folder can’t be written', async () => {
    const file = join(await folder(), 'file')
    await writeFile(file, '')
    const log = new LocalLog({ userData: file, now: () => at })
    log.add({ what: 'quit' })
    await log.close()
    expect(await log.read()).toBe('')
  })

  it('takes no text into any place of any event', async () => {
    const log = await newLog()
    const templates = eventSchema.options.map(({ shape }) => shape as Record<string, unknown>)
    for (const shape of templates)
      for (const field of Object.keys(shape))
        for (const secret of secrets) {
          const what = (shape['what'] as { value: string }).value
          log.add({ ...whole(what), [field]: secret } as never)
          log.add({ ...whole(what), [field]: [secret] } as never)
          log.add({ ...whole(what), [secret]: 1, more: secret } as never)
        }
    const text = await log.read()
    for (const secret of secrets) expect(text).not.toContain(secret)
  })

  it('takes every kind of event as it should be', async () => {
    const log = await newLog()
    const kinds = eventSchema.options.map(({ shape }) => shape.what.value)
    for (const what of kinds) log.add(whole(what))
    expect(lines(await log.read()).map((line) => (line as { what: string }).what)).toEqual(kinds)
  })
})

/** A complete event of each kind. */
function whole(what: string): LogEvent {
  const events: LogEvent[] = [
    { what: 'start', version: '0.1.0', electron: '25.1.1', platform: 'linux', arch: 'x64', safeMode: false },
    { what: 'account', account: 0, kind: 'service', services: ['calendar', 'tasks'], signIn: 'in' },
    { what: 'journal', pending: 1, unknown: 0, damaged: 0 },
    { what: 'pull', account: 0, service: 'tasks', ok: false, code: 'unavailable', status: 503, reason: 'backendError' },
    { what: 'push', account: 0, service: 'calendar', outcome: 'refused', code: 'invalid', status: 400 },
    { what: 'request', request: 'account/check', code: 'unreachable', reason: 'ECONNREFUSED' },
    { what: 'error', where: 'main', name: 'TypeError', frames: ['main.cjs:1:20'] },
    { what: 'window', happened: 'crashed', reason: 'oom' },
    { what: 'helper process', type: 'gpu', reason: 'crashed' },
    { what: 'offline mode', on: true },
    { what: 'backup', ok: false, code: 'ENOSPC' },
    { what: 'update', happened: 'failed', code: 'badAnswer' },
    { what: 'resume' },
    { what: 'quit' },
  ]
  return events.find((event) => event.what === what)!
}

describe('requests', () => {
  const [title, person, token, secret, address, path] = secrets as [string, string, string, string, string, string]
  const faults: Fault[] = [
    { code: 'invalid', message: title, reason: person, location: token, operation: secret, status: 400 },
    { code: 'forbidden', message: address, reason: 'insufficientPermissions', parts: [{ message: path }] },
    { code: 'storage', message: `${path}: no space`, reason: 'ENOSPC' },
  ]
  const ask = async (log: LocalLog, steps: { name: string; args: unknown; answer: unknown }[]): Promise<void> => {
    const left = [...steps]
    const answering = logRequests(
      () => Promise.resolve(left.shift()!.answer as never),
      log,
      (accountId) => ['a', 'b'].indexOf(accountId),
    )
    for (const { name, args } of steps) await answering(name, args)
  }
  const pull = (service: string, answer: unknown) => ({
    name: 'sync/pull',
    args: { accountId: 'b', collection: service === 'tasks' ? 'tasks' : 'events', parent: person, cursor: token },
    answer,
  })
  const ok = { ok: true, value: JSON.stringify({ records: [{ summary: title }] }) }
  const failed = { ok: false, fault: { code: 'unavailable', message: title, status: 503 } }

  it('that fail are logged by name and code, without what they said', async () => {
    const log = await newLog()
    const entry = { collection: 'events', value: { summary: title, attendees: [{ email: person }] }, label: title }
    await ask(log, [
      ...faults.flatMap((fault) => [
        { name: 'account/add', args: { clientSecret: secret, address }, answer: { ok: false, fault } },
        { name: 'sync/push', args: { accountId: 'a', entry }, answer: { ok: true, value: { kind: 'refused', fault } } },
        { name: title, args: title, answer: { ok: false, fault } },
        { name: 'sync/pull', args: { accountId: person, collection: title }, answer: { ok: false, fault } },
      ]),
      {
        name: 'sync/push',
        args: { accountId: 'a', entry },
        answer: { ok: true, value: { kind: 'confirmed', record: entry } },
      },
    ])
    const text = await log.read()
    for (const one of secrets) expect(text).not.toContain(one)
    expect(lines(text)).toMatchObject([
      { what: 'request', request: 'account/add', code: 'invalid', status: 400 },
      { what: 'push', account: 0, service: 'calendar', outcome: 'refused', code: 'invalid', status: 400 },
      { what: 'request', request: 'sync/pull', code: 'invalid', status: 400 },
      { what: 'request', request: 'account/add', code: 'forbidden', reason: 'insufficientPermissions' },
      { what: 'push', code: 'forbidden' },
      { what: 'request', request: 'sync/pull', code: 'forbidden' },
      { what: 'request', request: 'account/add', code: 'storage', reason: 'ENOSPC' },
      { what: 'push', code: 'storage' },
      { what: 'request', request: 'sync/pull', code: 'storage' },
      { what: 'push', outcome: 'confirmed' },
    ])
  })

  it('of any shape are answered, and refusals are logged', async () => {
    const log = await newLog()
    const answer = { ok: false, fault: { code: 'invalid', message: title } }
    const shapes: unknown[] = [
      undefined,
      null,
      7,
      title,
      [],
      {},
      { entry: null },
      { accountId: { toString: 1 }, collection: { toString: 1 } },
      { entry: 7, collection: {} },
      { collection: title },
    ]
    for (const name of ['sync/push', 'sync/pull', 'no/request', '__proto__'])
      await ask(
        log,
        shapes.map((args) => ({ name, args, answer })),
      )
    expect(new Set(lines(await log.read()).map((line) => (line as { request?: string }).request))).toEqual(
      new Set(['sync/push', 'sync/pull', undefined]),
    )
  })

  it('for changes are logged when a service begins to fail, and when it answers again', async () => {
    const log = await newLog()
    await ask(log, [
      pull('events', ok),
      pull('tasks', ok),
      pull('events', ok),
      pull('events', failed),
      pull('tasks', ok),
      pull('events', failed),
      pull('events', { ok: false, fault: { code: 'offline', message: '' } }),
      pull('events', ok),
    ])
    expect(lines(await log.read()).map((line) => ({ ...(line as object), at: '' }))).toEqual([
      { at: '', what: 'pull', account: 1, service: 'calendar', ok: true },
      { at: '', what: 'pull', account: 1, service: 'tasks', ok: true },
      { at: '', what: 'pull', account: 1, service: 'calendar', ok: false, code: 'unavailable', status: 503 },
      { at: '', what: 'pull', account: 1, service: 'calendar', ok: true },
    ])
  })
})

describe('an unexpected error', () => {
  it('is logged by its kind and place, without its message or folders', () => {
    const error = new TypeError(`${secrets[0]}\n    at ${secrets[1]} (${secrets[5]}/notes.txt:1:1)`)
    const event = errorEvent('main', {
      name: error.name,
      stack: `TypeError: ${error.message}\n    at openBackend (/home/mina/private/main.cjs:12:7)\n    at app://flightplan/assets/index-a1b2.js:1:99`,
    })
    expect(event).toEqual({
      what: 'error',
      where: 'main',
      name: 'TypeError',
      frames: ['main.cjs:12:7', 'index-a1b2.js:1:99'],
    })
    expect(errorEvent('window', { name: secrets[0], stack: secrets[2] })).toMatchObject({ name: 'Error', frames: [] })
  })
})

describe('the diagnostics file', () => {
  it('has facts and the log, and numbers accounts', async () => {
    const log = await newLog()
    log.add({ what: 'resume' })
    const facts: DiagnosticsFacts = {
      now: at,
      ...{ version: '0.1.0', electron: '25.1.1', platform: 'linux', arch: 'x64', system: '6.1.0', locale: 'en-US' },
      ...{ timeZone: 'Europe/Berlin', safeMode: false, offline: true, keepsSignIns: 'memory' },
      accounts: [
        someAccount({ email: secrets[1]!, label: secrets[0]! }),
        someAccount({ id: secrets[2]!, kind: 'service', signIn: 'expired', services: { tasks: secrets[4]! } }),
      ],
      journal: { pending: 3, unknown: 1, damaged: 0 },
      ...{ crashDumps: 0, freeBytes: 12_345_678_901, log: await log.read() },
    }
    const text = diagnosticsText(facts)
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(text).toContain('Pending changes        3\n')
    expect(text).toContain('Free disk space        12345 MB\n')
    expect(text).toContain('  2: services, session expired: tasks\n')
    expect(text).toContain('\nLog\n{"at":"2026-06-10T06:00:00.000Z","what":"resume"}\n')
    expect(await readFile(join(log.userData, 'logs', 'log.jsonl'), 'utf8')).toBe(facts.log)
  })
})
