import { faults } from '#shared/fault'
import type { LaneStatus, SyncPhase, SyncProgress, SyncStatus } from '../replica/api'

/** Combined phase if services differ, most severe first. `idle` only if all are. */
const gravest: readonly SyncPhase[] = [
  'offline',
  'signIn',
  'firstSync',
  'pushing',
  'pulling',
  'waiting',
  'paused',
  'starting',
]

type Whole = Pick<
  SyncStatus,
  'offline' | 'paused' | 'unsent' | 'needsYou' | 'notUnderstood' | 'drafts' | 'unitsLastMinute'
>

/** State of the account from those of its services. */
export function accountStatus(lanes: readonly LaneStatus[], whole: Whole): SyncStatus {
  const phase = gravest.find((one) => lanes.some((lane) => lane.phase === one)) ?? 'idle'
  const tries = lanes.flatMap(({ nextTry }) => nextTry ?? [])
  const met = lanes.flatMap(({ fault }) => fault ?? [])
  const fault = met.find(({ code }) => faults[code].concerns === 'everything') ?? met[0]
  const progress = lanes.flatMap(({ progress }) => progress ?? []).reduce<SyncProgress | undefined>(added, undefined)
  const read = lanes.map(({ lastPull }) => lastPull)
  return {
    ...whole,
    phase,
    lastPull: read.length === 0 || read.includes(null) ? null : Math.min(...(read as number[])),
    ...(tries.length > 0 && { nextTry: Math.min(...tries) }),
    ...(fault && { fault }),
    ...(progress && { progress }),
    lanes,
  }
}

const added = (sum: SyncProgress | undefined, one: SyncProgress): SyncProgress =>
  sum ? { done: sum.done + one.done, total: sum.total + one.total, records: sum.records + one.records } : one
