import { isJsonObject, type JsonObject } from '#shared/json'
import { invalid } from '../problems'
import type { Store } from '../store'

/** Simulated behavior of report runs of both services: set by the admin path, stored with the data. */
export interface RunOrders {
  /** Duration of a run. */
  milliseconds: number
  /** Number of next runs that fail, and that are canceled. */
  fail: number
  cancel: number
  /** Reason for failures of the search service's reports. */
  reason: string
  /** Rows of a fragment, overriding a search report's own size. 0: the report's size. */
  rowsPerFile: number
}

export const failureReasons = [
  'reportUnavailableInternalServerError',
  'reportUnavailableRequestTooLarge',
  'reportUnavailableRateLimitExceeded',
  'reportUnavailableQuotaExceeded',
  'reportUnavailableInvalidRequest',
] as const

const standard: RunOrders = { milliseconds: 300, fail: 0, cancel: 0, reason: failureReasons[0], rowsPerFile: 0 }
const key = 'reportRuns'

export function runOrders(store: Store): RunOrders {
  const kept: unknown = JSON.parse(store.meta(key) ?? '{}')
  return { ...standard, ...(isJsonObject(kept) ? kept : {}) } as RunOrders
}

/** `POST /sandbox/v1/reports`. @throws Problem 400 */
export function orderRuns(store: Store, body: JsonObject): RunOrders {
  const orders = runOrders(store)
  for (const name of ['milliseconds', 'fail', 'cancel', 'rowsPerFile'] as const) {
    const value = body[name]
    if (value === undefined) continue
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
      throw invalid(`${name} must be a whole number, 0 or above`, name)
    orders[name] = value
  }
  if (body.reason !== undefined) {
    if (!failureReasons.some((known) => known === body.reason))
      throw invalid(`reason must be one of ${failureReasons.join(', ')}`, 'reason')
    orders.reason = String(body.reason as string)
  }
  store.setMeta(key, JSON.stringify(orders))
  return orders
}

/** Outcome of the run that starts now. Uses up one simulated failure or cancellation. */
export function nextOutcome(store: Store): { outcome: 'ready' | 'failed' | 'cancelled'; orders: RunOrders } {
  const orders = runOrders(store)
  const outcome = orders.fail > 0 ? 'failed' : orders.cancel > 0 ? 'cancelled' : 'ready'
  if (outcome !== 'ready') {
    const name = outcome === 'failed' ? 'fail' : 'cancel'
    store.setMeta(key, JSON.stringify({ ...orders, [name]: orders[name] - 1 }))
  }
  return { outcome, orders }
}
