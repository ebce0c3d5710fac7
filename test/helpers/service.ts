import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '#shared/json'
import { systemClock } from '#shared/time/clock'
import { startSandbox, type Sandbox } from '../../src-main/sandbox/start'
import { createClient, type Client } from '../../src-main/services/client'
import type { RehearsalService } from '../../src-main/app/rehearsals'
import { SandboxAdmin } from '../../src-main/app/sandbox-admin'
import { copySeeded, SandboxService } from './sandbox-service'

export interface TestService {
  sandbox: Sandbox
  client: Client
  /** Sends an admin request. */
  order(method: string, path: string, body?: JsonObject): Promise<JsonObject>
  /** Requests since a point in the log, as `METHOD operation status`. */
  requests(since?: number): Promise<Array<{ operation: string; method: string; status: number }>>
  /** Number of requests of an operation. */
  calls(operation: string): Promise<number>
  /** Simulates an error of the next request of an operation, or of `count`. */
  fail(operation: string, how: JsonObject): Promise<JsonObject>
  /** Runs an operation as the second user. */
  asMina(operation: string, params: JsonObject, body?: JsonObject): Promise<JsonObject>
  /** Creates the sandbox of a rehearsal. */
  rehearsalService(dataDir: string): RehearsalService
  stop(): Promise<void>
}

/** Starts a real sandbox on a free local port with a client. The demo is a copy of one seeded before. */
export async function startService(
  options: { seed?: 'demo' | 'empty'; campaignScale?: number; dataDir?: string; now?: () => number } = {},
): Promise<TestService> {
  const { now = systemClock.now } = options
  const seed = options.seed ?? 'empty'
  const copy =
    seed === 'demo' && options.dataDir === undefined ? await mkdtemp(join(tmpdir(), 'flightplan-service-')) : undefined
  if (copy !== undefined) await copySeeded(copy, { seed, campaignScale: options.campaignScale, now })
  const sandbox = await startSandbox({ ...options, seed, dataDir: copy ?? options.dataDir })
  const client = createClient({ baseUrl: () => sandbox.baseUrl, token: () => sandbox.token, fetch, now })
  const admin = new SandboxAdmin(fetch, () => sandbox, now)
  const order: TestService['order'] = (method, path, body) => admin.order(method, path, body)
  const requests: TestService['requests'] = async (since = 0) =>
    (await order('GET', `/log?since=${since}`))['entries'] as never
  return {
    sandbox,
    client,
    order,
    requests,
    calls: async (operation) => (await requests()).filter((one) => one.operation === operation).length,
    fail: (operation, how) => order('POST', '/trouble', { operation, count: 1, ...how }),
    asMina: (operation, params, body) => order('POST', '/as/mina', { operation, params, ...(body ? { body } : {}) }),
    rehearsalService: (dataDir) => new SandboxService({ dataDir, clock: systemClock, seed: 'empty', scale: 1 }),
    stop: async () => {
      await sandbox.stop()
      if (copy !== undefined) await rm(copy, { recursive: true, force: true })
    },
  }
}
