import { afterEach } from 'vitest'
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src-main/sandbox/start'
import { clockFromMoment } from '../../helpers/moment'

export interface Reply {
  status: number
  headers: Headers
  /** Parsed JSON, checked by the tests. */
  body: ReturnType<typeof JSON.parse>
  reason: string | undefined
  location: string | undefined
}

export interface Client {
  sandbox: Sandbox
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  del(path: string, headers?: Record<string, string>): Promise<Reply>
  as(person: string, operation: string, params: Record<string, unknown>, body?: unknown): Promise<Reply>
}

/** The default clock of sandboxes. */
export const clock = clockFromMoment()

const open: Sandbox[] = []

afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.stop()
})

/** A separate sandbox over real HTTP, stopped after the test. */
export async function connect(options: Partial<SandboxOptions> = {}): Promise<Client> {
  const sandbox = await startSandbox({ seed: 'empty', now: clock.now, ...options })
  open.push(sandbox)
  return clientOf(sandbox)
}

export function clientOf(sandbox: Sandbox): Client {
  const call: Client['call'] = async (method, path, body, headers = {}) => {
    const answer = await fetch(sandbox.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${sandbox.token}`, ...headers },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    })
    return reply(answer.status, answer.headers, await answer.text())
  }
  return {
    sandbox,
    call,
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body, headers),
    put: (path, body, headers) => call('PUT', path, body, headers),
    patch: (path, body, headers) => call('PATCH', path, body, headers),
    del: (path, headers) => call('DELETE', path, undefined, headers),
    as: async (person, operation, params, body) => {
      const answer = await call('POST', `/sandbox/v1/as/${person}`, { operation, params, body })
      if (answer.status !== 200) return answer
      return reply(answer.body.status, answer.headers, JSON.stringify(answer.body.body))
    },
  }
}

function reply(status: number, headers: Headers, text: string): Reply {
  const body = text.startsWith('{') ? JSON.parse(text) : undefined
  const error = body?.error?.errors?.[0]
  return { status, headers, body, reason: error?.reason, location: error?.location }
}

export const events = '/calendar/v3/calendars/primary/events'
export const tasks = '/tasks/v1/lists/@default/tasks'

/** A timed event on 5 January 2026 in Berlin. */
export function timedEvent(extra: Record<string, unknown> = {}, hour = 9): Record<string, unknown> {
  const at = (value: number) => ({
    dateTime: `2026-01-05T${String(value).padStart(2, '0')}:00:00+01:00`,
    timeZone: 'Europe/Berlin',
  })
  return { summary: 'Plan', start: at(hour), end: at(hour + 1), ...extra }
}

export const allDayEvent = (
  date: string,
  end: string,
  extra: Record<string, unknown> = {},
): Record<string, unknown> => ({
  summary: 'Flight',
  start: { date },
  end: { date: end },
  ...extra,
})

/** A query string without undefined values. */
export function query(params: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined)
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)] as [string, string])).toString()}`
}

/** Polls until `look` returns something. The timeout is for what never arrives, however busy the machine is. */
export async function eventually<T>(look: () => Promise<T | undefined> | T | undefined, withinMs = 30_000): Promise<T> {
  const end = clock.elapsed() + withinMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (clock.elapsed() > end) throw new Error('It did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
