import type { JsonObject } from '#shared/json'
import type { OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import { tableCall } from '../sync/pull'
import { readRecord } from '../sync/read'
import { goneRecord, recordOf } from '../sync/record'
import {
  factsFor,
  isFault,
  writeParams,
  type ActionReplays,
  type Ending,
  type Meter,
  type PushDeps,
} from '../sync/replay'

/** Replays each action: one operation of a service, preceded by a lookup if an earlier outcome is unknown. */
export const actions: ActionReplays = {
  moveEvent: (deps, entry, { destination }, meter) => moveEvent(deps, entry, destination, meter),
  moveTask,
  clearCompleted: (deps, { recordId }, _action, meter) =>
    done(meter, deps.client.call('tasks.tasks.clear', { tasklist: recordId })),
  clearCalendar: (deps, { recordId }, _action, meter) =>
    done(meter, deps.client.call('calendar.calendars.clear', { calendarId: recordId })),
  transferOwnership: (deps, { recordId }, { newDataOwner }, meter) =>
    done(
      meter,
      deps.client.call('calendar.calendars.transferOwnership', {
        calendarId: recordId,
        newDataOwner,
        useAdminAccess: true as never,
      }),
    ),
  importEvent: (deps, entry, _action, meter) => importEvent(deps, entry, meter),
}

async function done(meter: Meter, call: Promise<unknown>): Promise<Ending> {
  meter.units += 1
  await call
  return { kind: 'confirmed', records: [] }
}

async function moveEvent(deps: PushDeps, entry: OutboxEntry, destination: string, meter: Meter): Promise<Ending> {
  const from = goneRecord(entry.collection, entry.parent, entry.recordId)
  try {
    meter.units += 1
    const answer = await tableCall(deps.client)('calendar.events.move', {
      ...writeParams(deps, 'calendar.events.move', entry, { record: entry.recordId }),
      destination,
    })
    return { kind: 'confirmed', records: moved(from, recordOf(factsFor(deps, entry), destination, answer.body)) }
  } catch (error) {
    if (!isFault(error, 'notFound', 'gone', 'duplicate')) throw error
    // An earlier attempt may have succeeded. The event is then at the destination and gone here.
    const read = (calendar: string | null): Promise<RemoteRecord> => {
      meter.units += 1
      return readRecord(deps.client, entry.collection, calendar, entry.recordId)
    }
    const there = await read(destination)
    if (there.value === null) throw error
    // Another event there may have the same ID.
    if (isFault(error, 'duplicate') && (await read(entry.parent)).value !== null) throw error
    return { kind: 'confirmed', records: moved(from, there) }
  }
}

type TaskMove = { destination?: string; parent?: string; previous?: string }

async function moveTask(deps: PushDeps, entry: OutboxEntry, move: TaskMove, meter: Meter): Promise<Ending> {
  const list = move.destination ?? entry.parent!
  const from =
    move.destination && move.destination !== entry.parent
      ? goneRecord(entry.collection, entry.parent, entry.recordId)
      : undefined
  const arrived = entry.unknownOutcome && !from ? await movedBefore(deps, entry, move, meter) : undefined
  if (arrived) return arrived
  try {
    meter.units += 1
    const answer = await deps.client.call('tasks.tasks.move', {
      tasklist: entry.parent!,
      task: entry.recordId,
      ...(move.parent === undefined ? {} : { parent: move.parent }),
      ...(move.previous === undefined ? {} : { previous: move.previous }),
      ...(from ? { destinationTasklist: list } : {}),
    })
    return { kind: 'confirmed', records: moved(from, recordOf(factsFor(deps, entry), list, answer.body as JsonObject)) }
  } catch (error) {
    if (!from || !isFault(error, 'notFound')) throw error
    meter.units += 1
    const there = await readRecord(deps.client, entry.collection, list, entry.recordId)
    if (there.value === null) throw error
    return { kind: 'confirmed', records: moved(from, there) }
  }
}

/**
 * Confirms a move whose answer was lost if the task is no longer in the parent that its author saw: it arrived, and a repeat
 * could undo someone's later move. Within one parent, a new position proves nothing, because inserting another task changes it,
 * too.
 */
async function movedBefore(
  deps: PushDeps,
  entry: OutboxEntry,
  move: TaskMove,
  meter: Meter,
): Promise<Ending | undefined> {
  meter.units += 1
  const there = await readRecord(deps.client, entry.collection, entry.parent, entry.recordId)
  meter.looked = true
  const parent = there.value?.['parent']
  if (!there.value || !entry.base || parent === (entry.base['parent'] ?? undefined)) return undefined
  if (parent === move.parent) return { kind: 'confirmed', records: [there] }
  return { kind: 'merged', records: [there], receipt: { mine: [], theirs: ['position'], combined: [] } }
}

async function importEvent(deps: PushDeps, entry: OutboxEntry, meter: Meter): Promise<Ending> {
  const iCalUID = entry.patch['iCalUID']
  if (entry.unknownOutcome && typeof iCalUID === 'string') {
    meter.units += 1
    const found = await deps.client.call('calendar.events.list', { calendarId: entry.parent!, iCalUID })
    meter.looked = true
    const [earlier] = found.body.items ?? []
    if (earlier)
      return {
        kind: 'confirmed',
        records: moved(undefined, recordOf(factsFor(deps, entry), entry.parent, earlier as JsonObject)),
      }
  }
  meter.units += 1
  const answer = await tableCall(deps.client)(
    'calendar.events.import',
    writeParams(deps, 'calendar.events.import', entry),
    { body: entry.patch as never },
  )
  return { kind: 'confirmed', records: moved(undefined, recordOf(factsFor(deps, entry), entry.parent, answer.body)) }
}

const moved = (from: RemoteRecord | undefined, to: RemoteRecord | undefined): RemoteRecord[] =>
  [from, to].filter((record) => record !== undefined)
