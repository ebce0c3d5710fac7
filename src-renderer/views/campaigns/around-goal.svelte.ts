import { untrack } from 'svelte'
import { recordKey } from '#shared/domain/collections'
import { activityOf } from '#shared/pacing/pacing'
import { goalOf, type PacedRecord } from '#shared/pacing/record-pacing'
import type { JsonObject } from '#shared/json'
import type { Replica, Row } from '../../replica/api'

type Around = Omit<PacedRecord, 'record'>
type Records = Pick<Replica, 'read' | 'readAll' | 'table' | 'subscribe'>

/**
 * Records that affect the goal of a placement or group: its group, its placements, and the activity it pays for. Create
 * it during component initialization.
 */
export class AroundGoal {
  /** Null while loading. */
  found = $state.raw<Around | null>(null)

  constructor(replica: Records, row: () => Row) {
    let last = ''
    $effect(() => {
      const shown = row()
      const control = new AbortController()
      if (last !== shown.key) this.found = null
      last = shown.key
      const look = (): void =>
        void aroundOf(replica, shown, control.signal).then(
          (found) => !control.signal.aborted && (this.found = found),
          () => !control.signal.aborted && (this.found = {}),
        )
      untrack(look)
      const unsubscribe = replica.subscribe((topics) => {
        if (topics.has('placements') || topics.has('placementGroups') || topics.has('trackingActivities')) look()
      })
      return () => {
        control.abort()
        unsubscribe()
      }
    })
  }
}

async function aroundOf(replica: Records, row: Row, signal: AbortSignal): Promise<Around> {
  const profile = row.parent ?? ''
  const valueOf = async (
    collection: 'placementGroups' | 'trackingActivities',
    id: unknown,
  ): Promise<JsonObject | undefined> =>
    typeof id === 'string' && id !== ''
      ? ((await replica.read(recordKey(collection, profile, id)))?.value ?? undefined)
      : undefined
  const record = row.value ?? {}
  const group =
    row.collection === 'placements' ? await valueOf('placementGroups', record['placementGroupId']) : undefined
  const activity = await valueOf('trackingActivities', activityOf(goalOf({ record, ...(group && { group }) })))
  const name = activity?.['name']
  return {
    ...(row.collection === 'placementGroups' && { children: await childrenOf(replica, row, profile, signal) }),
    ...(group && { group }),
    ...(typeof name === 'string' && { activityName: name }),
  }
}

/** All placements of a group, including pending edits. For those that aren't downloaded, only their IDs. */
async function childrenOf(replica: Records, row: Row, profile: string, signal: AbortSignal): Promise<JsonObject[]> {
  const query = { parent: profile, columns: [], only: { placementGroupId: [row.id] } }
  const table = await replica.table('placements', query, signal)
  const keys = Array.from({ length: table.length }, (_, at) => table.key(at))
  const childIds = row.base?.['childPlacementIds']
  const ids = Array.isArray(childIds) ? childIds.filter((id) => typeof id === 'string') : []
  const keyOf = (id: string): string => recordKey('placements', profile, id)
  const found = await replica.readAll([...new Set([...keys, ...ids.map(keyOf)])])
  return [
    ...keys.flatMap((key): JsonObject[] => {
      const value = found.get(key)?.value
      return value ? [value] : []
    }),
    ...ids.filter((id) => !found.has(keyOf(id))).map((id) => ({ id })),
  ]
}
