import { describe, expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import type { RemoteRecord } from '#shared/mutation/entry'
import { layoutsFor } from '../../../src-renderer/replica/blocks/layouts'
import { resolve } from '../../../src-renderer/replica/resolve'
import { ReplicaState } from '../../helpers/replica-state'

const profile = '7'
const remote = (collection: CollectionName, value: JsonObject): RemoteRecord => ({
  collection,
  parent: profile,
  id: String(value['id']),
  value,
})

let made = 0
const open = (trafficking: string): Promise<ReplicaState> =>
  ReplicaState.open(`versions-${++made}`, factsOf({ trafficking }))

/** A difference between versions: an activity is hidden in one and has a state in the other. */
const activity: JsonObject = { id: '11', name: 'Sale', hidden: true, status: 'ARCHIVED', advertiserId: '1' }
const key = recordKey('trackingActivities', profile, '11')

describe.each([
  ['v3.3', 'hidden', 'status'],
  ['v3.4', 'status', 'hidden'],
])('an account with campaigns API %s', (version, own, foreign) => {
  it("recreates a deleted record with its version's writable fields", async () => {
    const rooms = await open(version)
    await rooms.pull([remote('trackingActivities', activity)])
    await rooms.edit({ kind: 'delete', key })
    await rooms.settle({ kind: 'confirmed', records: [], units: 1 })
    await rooms.steps.back('undo', 'redo')
    expect(rooms.entry).toMatchObject({ kind: 'create', patch: { name: 'Sale', [own]: activity[own] } })
    expect(rooms.entry.patch).not.toHaveProperty(foreign)
  })

  it('keeps an edit of a deleted record the same way', async () => {
    const rooms = await open(version)
    await rooms.pull([remote('trackingActivities', activity)])
    await rooms.edit({ kind: 'change', key, patch: { name: 'Sales' } })
    const gone = { ...remote('trackingActivities', activity), value: null }
    await rooms.settle({ kind: 'conflict', remote: gone, fields: [], merged: {}, units: 1 })
    await rooms.commits.run('edit', (tx) => resolve({ tx, ...rooms.context }, rooms.entry.id, { keep: 'mine' })).saved
    expect(rooms.entry).toMatchObject({ kind: 'create', patch: { name: 'Sales', [own]: activity[own] } })
    expect(rooms.entry.patch).not.toHaveProperty(foreign)
  })

  it("shows its version's columns", async () => {
    const rooms = await open(version)
    const { columns } = rooms.memory.facts.of('trackingActivities')
    expect(columns).toContain(own)
    expect(columns).not.toContain(foreign)
    expect(rooms.store.layouts.windows).toEqual(layoutsFor(factsOf()).windows)
  })
})

it("a pending edit is compared with new data by its version's rules", async () => {
  // Only one version merges these criteria by field, so an added one may be someone else's.
  const before = { id: '5', name: 'Paths', pathCriteria: { kind: 'path' } }
  const after = {
    ...before,
    name: 'Ways',
    pathCriteria: { kind: 'path', reportName: 'Own' },
  }
  const bases = ['v3.3', 'v3.4'].map(async (version) => {
    const rooms = await open(version)
    await rooms.pull([remote('reports', before)])
    const report = recordKey('reports', profile, '5')
    await rooms.edit({ kind: 'change', key: report, patch: { name: 'Ways' } })
    const first = rooms.entry
    await rooms.commits.run('sync', (tx) => tx.putEntry({ ...first, state: 'sending' })).saved
    await rooms.edit({ kind: 'change', key: report, patch: { pathCriteria: { kind: 'other' } } })
    await rooms.settle({ kind: 'confirmed', records: [remote('reports', after)], units: 1 }, first)
    return rooms.entry.base!['pathCriteria']
  })
  expect(await Promise.all(bases)).toEqual([after.pathCriteria, before.pathCriteria])
})
