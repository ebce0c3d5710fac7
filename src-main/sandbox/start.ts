import { systemClock } from '#shared/time/clock'
import type { Vocabulary } from '#shared/wire/vocabulary'
import { answerAdmin } from './admin'
import { Channels } from './channels'
import { Conferences } from './calendar/conferences'
import { handlers } from './handlers'
import { RequestLog } from './log'
import type { PartOf, Service } from './operation'
import { Bearers } from './oauth/bearers'
import { people } from './people'
import { addTrafficking, seedSandbox, type Scale } from './seed/seed'
import { close, listen } from './server'
import { Store } from './store'
import { Tokens } from './tokens'
import { Troubles } from './trouble'
import { Uploads } from './uploads'

export interface SandboxOptions {
  /** 0 or absent: any free port. */
  port?: number
  /** Folder of the data. In memory if absent. */
  dataDir?: string
  /** Content of an empty database. Existing data stays unchanged. */
  seed: 'demo' | 'empty'
  /** Multiple of the demo. 1 is about 1,000 events and 400 placements. */
  scale?: number
  /** Multiple of the demo's campaigns, if different. */
  campaignScale?: number
  /** The caller's bearer token. By default, a new one at every start. Never written anywhere. */
  token?: string
  /**
   * Lets apps sign in with a browser. Any program that reaches the port can then answer the consent page, so this is off by
   * default, and always in the app's sandbox.
   */
  signIn?: boolean
  /** Vocabulary on the wire. Default: `neutral`. */
  words?: Vocabulary
  /** Epoch milliseconds. */
  now?: () => number
  /** 0 up to 1. */
  random?: () => number
}

export interface Sandbox {
  baseUrl: string
  /** The caller's bearer token. */
  token: string
  port: number
  /** IDs for a client to start with: `email`, `primaryCalendarId`, `taskListId`, and more with the demo. */
  ids: Record<string, string>
  stop(): Promise<void>
}

function partOf<Part extends object>(parts: readonly object[], kind: PartOf<Part>): Part {
  const part = parts.find((one): one is Part => one instanceof kind)
  if (!part) throw new Error(`The service has no ${kind.name}`)
  return part
}

/**
 * Starts the sandbox services on a loopback port.
 * @throws Error if the port or the data folder is in use
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { now = systemClock.now, random = Math.random } = options
  const store = new Store(options.dataDir, now)
  let baseUrl = ''
  try {
    const channels = new Channels(store, fetch)
    const service: Service = {
      store,
      tokens: new Tokens(store.secret('tokens')),
      of: (kind) => partOf(parts, kind),
      random,
      vocabulary: options.words ?? 'neutral',
      baseUrl: () => baseUrl,
    }
    const parts = [channels, new Conferences(() => service), new Uploads(options.dataDir)]
    const bearers = new Bearers(store, options.token)
    const scaleOf = (scale = 1): Scale => ({ events: scale, campaigns: options.campaignScale ?? scale })
    const reset = (seed: 'demo' | 'empty', scale?: number): Record<string, string> =>
      store.transaction(() => {
        store.wipe()
        service.of(Uploads).clear()
        const ids = seedSandbox(service, seed, scaleOf(scale))
        store.setMeta('ids', JSON.stringify(ids))
        return ids
      })
    const known = JSON.parse(store.meta('ids') ?? 'null') as Record<string, string> | null
    const ids = known
      ? addTrafficking(service, known, options.seed, scaleOf(options.scale))
      : reset(options.seed, options.scale)
    const { signIn = false } = options
    const context = { service, handlers, bearers, signIn, troubles: new Troubles(), log: new RequestLog(), reset }
    const { server, port } = await listen(
      { ...context, admin: (method, path, query, body) => answerAdmin(context, method, path, query, body) },
      options.port ?? 0,
    )
    baseUrl = `http://127.0.0.1:${port}`
    service.of(Conferences).resume()
    let stopped: Promise<void> | undefined
    const stop = async (): Promise<void> => {
      channels.stop()
      service.of(Conferences).stop()
      await close(server)
      store.close()
    }
    return { baseUrl, token: bearers.tokenOf(people[0]!), port, ids, stop: () => (stopped ??= stop()) }
  } catch (error) {
    store.close()
    throw error
  }
}
