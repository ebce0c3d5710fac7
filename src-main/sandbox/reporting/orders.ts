import { isJsonObject, type JsonObject } from '#shared/json'
import { invalid } from '../problems'
import type { Store } from '../store'

/** How report runs of both services go: set by the admin path, kept with the data. */
export interface RunOrders {
  /** How long a run takes. */
  milliseconds: number
  /** How many of the next runs fail, and how many are cancelled. */
  fail: number
  cancel: number
  /** Why reports of the search service fail. */
  reason: string
  /** Rows of a fragment, in place of what a search report asks for; 0: what it asks for. */
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

/** How the run that starts now will end; uses up one of the orders. */
export function nextOutcome(store: Store): { outcome: 'ready' | 'failed' | 'cancelled'; orders: RunOrders } {
  const orders = runOrders(store)
  const outcome = orders.fail > 0 ? 'failed' : orders.cancel > 0 ? 'cancelled' : 'ready'
  if (outcome !== 'ready') {
    const name = outcome === 'failed' ? 'fail' : 'cancel'
    store.setMeta(key, JSON.stringify({ ...orders, [name]: orders[name] - 1 }))
  }
  return { outcome, orders }
}
