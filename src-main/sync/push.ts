import { FaultError, faultOf, faults, type Fault } from '#shared/fault'
import { untilDayRenews } from '#shared/wire/quotas'
import type { ServiceName } from '#shared/wire/services'
import type { OutboxEntry, Outcome } from '#shared/mutation/entry'
import type { ActionReplays, Ending, Meter, PushDeps } from './replay'
import { replayChange } from './replay-change'
import { replayCreate } from './replay-create'
import { replayDelete } from './replay-delete'

/** Replays one outbox entry. Never throws, because every result is an Outcome. */
export async function push(deps: PushDeps, entry: OutboxEntry): Promise<Outcome> {
  const meter: Meter = { units: 0 }
  try {
    const outcome = await replay(deps, entry, meter)
    return { ...outcome, units: meter.units } as Outcome
  } catch (error) {
    const outcome = outcomeOfFault(faultOf(error), deps.now())
    // A bug of ours after a call may be in reading the answer, so the write may have arrived.
    const after = !(error instanceof FaultError) && meter.units > 0
    const unknown = after || (entry.unknownOutcome && meter.looked !== true)
    return {
      ...outcome,
      ...(outcome.kind === 'refused' && unknown && { unknown }),
      ...(outcome.kind === 'retry' && meter.restored !== undefined && { etag: meter.restored }),
      units: meter.units,
    }
  }
}

function replay(deps: PushDeps, entry: OutboxEntry, meter: Meter): Promise<Ending> {
  switch (entry.kind) {
    case 'create':
      return replayCreate(deps, entry, meter)
    case 'change':
      return replayChange(deps, entry, meter)
    case 'delete':
      return replayDelete(deps, entry, meter)
    case 'action':
      return replayAction(deps, entry, meter)
  }
}

function replayAction(deps: PushDeps, entry: OutboxEntry, meter: Meter): Promise<Ending> {
  const { action } = entry
  if (!action) throw new RangeError('An action entry names its action')
  // The table maps each name to the replay of that action.
  const replayOf = deps.actions[action.name] as ActionReplays[keyof ActionReplays]
  return replayOf(deps, entry, action as never, meter)
}

/** Converts an error to an outcome of an entry: freeze, retry, or needs attention. */
export function outcomeOfFault(fault: Fault, now: number): Ending {
  if (fault.code === 'signInExpired') return { kind: 'frozen', fault: { ...fault } }
  // A search continues from page to page, so an expired token restarts it.
  const { retry, mayHaveArrived } = faults[fault.code]
  const again = retry || fault.code === 'cursorExpired'
  if (!again) return { kind: 'refused', fault: { ...fault } }
  const wait = fault.retryAfter ?? (fault.code === 'quotaSpent' ? untilDayRenews(serviceOf(fault), now) : 0)
  return { kind: 'retry', fault: { ...fault }, wait, unknown: mayHaveArrived }
}

const serviceOf = ({ operation = '' }: Fault): ServiceName => operation.split('.')[0] as ServiceName
