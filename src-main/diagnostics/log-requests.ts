import { collections, type CollectionName } from '#shared/domain/collections'
import { isJsonObject } from '#shared/json'
import type { Fault, FaultCode } from '#shared/fault'
import type { Answering } from '../ipc/answering'
import { troubleOf, type LogEvent } from './events'
import type { LocalLog } from './local-log'

/** Ordinary ends of requests, which aren't failures. */
const ordinary: ReadonlySet<FaultCode> = new Set(['aborted', 'offline'])

/**
 * Logs the ends of the window's requests: failures, the outcome of each sent change, and each time a service begins or stops
 * answering checks for changes.
 * @param position position of an account in the list
 */
export function logRequests(
  answer: Answering,
  log: Pick<LocalLog, 'add'>,
  position: (accountId: string) => number,
): Answering {
  const lastPull = new Map<string, string>()
  return async (name, args) => {
    const answered = await answer(name, args)
    const event = eventOf(name, args, answered.ok ? { value: answered.value } : { fault: answered.fault }, position)
    if (event?.what === 'pull') {
      const key = `${event.account} ${event.service}`
      const text = JSON.stringify(event)
      if (lastPull.get(key) === text) return answered
      lastPull.set(key, text)
    }
    if (event) log.add(event)
    return answered
  }
}

type Ended = { value: unknown; fault?: undefined } | { value?: undefined; fault: Fault }

function eventOf(
  name: string,
  args: unknown,
  ended: Ended,
  position: (accountId: string) => number,
): LogEvent | undefined {
  const { fault } = ended
  if (fault && ordinary.has(fault.code)) return undefined
  if (name === 'sync/pull' || name === 'sync/push') {
    const about = aboutSync(name, args, position)
    if (about && name === 'sync/pull') return { what: 'pull', ...about, ok: !fault, ...(fault && troubleOf(fault)) }
    if (about && isJsonObject(ended.value)) {
      const { kind, fault: refused } = ended.value as unknown as { kind: never; fault?: Fault }
      return { what: 'push', ...about, outcome: kind, ...(refused && troubleOf(refused)) }
    }
  }
  return fault && { what: 'request', request: name as never, ...troubleOf(fault) }
}

function aboutSync(
  name: string,
  args: unknown,
  position: (accountId: string) => number,
): Pick<LogEvent & { what: 'pull' }, 'account' | 'service'> | undefined {
  // Refused arguments may have any shape.
  if (!isJsonObject(args)) return undefined
  const about = name === 'sync/push' ? args['entry'] : args
  if (!isJsonObject(about)) return undefined
  const { accountId } = args
  const { collection } = about
  if (typeof accountId !== 'string' || typeof collection !== 'string') return undefined
  const known = Object.hasOwn(collections, collection) ? collections[collection as CollectionName] : undefined
  return known && { account: position(accountId), service: known.service }
}
