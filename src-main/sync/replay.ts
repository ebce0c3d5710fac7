import type { Collection } from '#shared/facts/collection'
import { factsOf } from '#shared/facts/facts'
import { placeParams } from '#shared/facts/ids'
import { FaultError, type Fault } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { Action, OutboxEntry, Outcome, RemoteRecord } from '#shared/mutation/entry'
import { operation, type OperationId } from '#shared/wire/services'
import type { Client } from '../services/client'

/** Dependencies of every replay. */
export interface PushDeps {
  client: Client
  actions: ActionReplays
  now: () => number
  /** The record that was just read, if any. */
  seen?: RemoteRecord
}

/** Measures a replay's cost in quota units, and its progress. */
export interface Meter {
  units: number
  /** True if the outcome of an earlier attempt was looked up. */
  looked?: boolean
  /** Version of the deleted record that the replay restores. */
  restored?: string
}

/** An outcome before its cost is known. */
export type Ending = Outcome extends infer O ? (O extends Outcome ? Omit<O, 'units'> : never) : never

/** Replays of actions that aren't field edits, by name. */
export type ActionReplays = {
  [Name in Action['name']]: (
    deps: PushDeps,
    entry: OutboxEntry,
    action: Extract<Action, { name: Name }>,
    meter: Meter,
  ) => Promise<Ending>
}

/** Facts about an entry's collection, in the version that the service speaks. */
export const factsFor = ({ client }: PushDeps, entry: OutboxEntry): Collection =>
  factsOf(client.versions).of(entry.collection)

/** Parameters of a write: the record's path, those of every write of its kind, and whom to email. */
export function writeParams(
  deps: PushDeps,
  id: OperationId,
  entry: OutboxEntry,
  more: { record?: string; place?: OutboxEntry['place'] } = {},
): JsonObject {
  const facts = factsFor(deps, entry)
  const { sendUpdates } = entry
  const wanted = { ...facts.writeParams, ...(sendUpdates && { sendUpdates }), ...more.place }
  return {
    ...accepted(deps, id, wanted),
    ...placeParams(facts, id, entry.parent, more.record, deps.client.versions),
  }
}

/** Only the parameters that the operation supports. */
function accepted({ client }: PushDeps, id: OperationId, params: JsonObject): JsonObject {
  const { queryParams } = operation(id, client.versions).method
  return Object.fromEntries(Object.entries(params).filter(([name]) => name in queryParams))
}

/** Time within which an attempt may read a changed record and write again, in milliseconds. */
const oneAttempt = 30_000

/**
 * True if a write found its record changed and may read it and write again. If the computer slept since, the whole attempt is
 * retried, because the other records that the entry removes must be checked again.
 * @param began start of the attempt
 * @throws FaultError
 */
export function mayWriteAgain(error: unknown, { now }: PushDeps, began: number): boolean {
  if (!isFault(error, 'preconditionFailed', 'conflict')) return false
  if (now() - began <= oneAttempt) return true
  throw new FaultError({ code: 'conflict', message: 'The record changed while this was being sent' }, { cause: error })
}

export function isFault(error: unknown, ...codes: Fault['code'][]): boolean {
  return error instanceof FaultError && codes.includes(error.fault.code)
}
