import { collections } from '#shared/domain/collections'
import { FaultError, type Fault } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry, Outcome } from '#shared/mutation/entry'
import { operation } from '#shared/wire/services'
import type { Client } from '../services/client'

/** What every replay of an entry shares. */
export interface PushDeps {
  client: Client
  now: () => number
}

/** Counts what one replay costs in quota units, and remembers how far it came. */
export interface Meter {
  units: number
  /** It was seen whether an earlier attempt had got through. */
  looked?: boolean
}

/** An outcome before its cost is known. */
export type Ending = Outcome extends infer O ? (O extends Outcome ? Omit<O, 'units'> : never) : never

/** Query parameters that every write of this entry's collection carries, with the choice whom to mail. */
export function writeParams(entry: OutboxEntry): Record<string, string | number | boolean> {
  const facts = collections[entry.collection]
  return {
    ...facts.writeParams,
    ...(entry.collection === 'events' && entry.sendUpdates ? { sendUpdates: entry.sendUpdates } : {}),
  }
}

/** Only those parameters that the operation has. */
export function accepted(id: Parameters<typeof operation>[0], params: JsonObject): JsonObject {
  const { queryParams } = operation(id).method
  return Object.fromEntries(Object.entries(params).filter(([name]) => name in queryParams))
}

export function isFault(error: unknown, ...codes: Fault['code'][]): boolean {
  return error instanceof FaultError && codes.includes(error.fault.code)
}
