import { faults, type Fault } from '#shared/fault'
import type { OutboxEntry, Outcome, RemoteRecord } from '#shared/mutation/entry'
import { otherPlaces } from '../replica/carried'
import type { Memory } from '../replica/memory'
import type { Engine } from './engine'
import { targetOf } from './targets'

/** Neither: it is nowhere, or somewhere where it may not be read. */
interface Elsewhere {
  found?: RemoteRecord
  /** Nobody knows yet: how the attempt ends instead. */
  trouble?: Outcome
}

/**
 * A record that its place has no more, looked for by its id in the others of the account: somebody may have carried it there,
 * and this computer not have read of it yet.
 */
export async function lookElsewhere(engine: Engine, entry: OutboxEntry, outcome: Outcome): Promise<Elsewhere> {
  if (outcome.kind !== 'conflict' || outcome.remote.value !== null) return {}
  const { carried } = engine.memory.habits.of(entry.collection)
  if (!knowsPlaces(engine.memory, entry)) return { trouble: later(entry, unread) }
  for (const parent of otherPlaces(engine.memory, entry)) {
    const { record, fault } = await look(engine, entry, parent)
    if (fault?.code === 'signInExpired') return { trouble: { kind: 'frozen', fault, units: 0 } }
    if (fault && faults[fault.code].retry) return { trouble: later(entry, fault) }
    if (record?.value && carried?.(entry.base, record.value)) return { found: record }
  }
  return {}
}

/** After a cache was lost, what there is besides this one place has yet to be read. */
function knowsPlaces(memory: Memory, { collection, kind }: OutboxEntry): boolean {
  const places = memory.facts.of(collection).parent
  if (kind !== 'change' || !places || !memory.habits.of(collection).carried) return true
  return memory.cursors.has(targetOf(places.collection).key)
}

const unread: Fault = {
  code: 'aborted',
  message: 'It is gone from its place. Whether it lies in another one is looked for once those have been read again.',
}

const later = ({ unknownOutcome }: OutboxEntry, fault: Fault): Outcome => ({
  kind: 'retry',
  fault,
  wait: 0,
  unknown: unknownOutcome,
  units: 0,
})

async function look(
  { bridge, account, spend }: Engine,
  { collection, recordId }: OutboxEntry,
  parent: string,
): Promise<{ record?: RemoteRecord | undefined; fault?: Fault }> {
  try {
    const answer = await bridge.ask('sync/read-many', { accountId: account.id, collection, parent, ids: [recordId] })
    if (!answer.ok) return { fault: answer.fault }
    spend(answer.value.units)
    return { record: answer.value.records[0] }
  } catch (error) {
    return { fault: { code: 'answerLost', message: error instanceof Error ? error.message : String(error) } }
  }
}
