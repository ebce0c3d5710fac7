import { beforeEach, describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry, RemoteRecord } from '#shared/mutation/entry'
import type { ConflictChoice, Work } from '../../../src-renderer/replica/api'
import { settle } from '../../../src-renderer/replica/settle'
import { ReplicaState } from '../../helpers/replica-state'

const profile = '7'
const count = 260
const ids = Array.from({ length: count }, (_unused, at) => String(at + 1))
const keyOf = (id: string): string => recordKey('placements', profile, id)
const placement = (id: string, name: string): RemoteRecord & { value: JsonObject } => ({
  collection: 'placements',
  parent: profile,
  id,
  value: { id, name, comment: 'None' },
})
const keep = (side: 'mine' | 'theirs'): ConflictChoice => ({ fields: { name: side } })

let made = 0
let state: ReplicaState

const entries = (): readonly OutboxEntry[] => state.memory.entries()
const entryOf = (id: string): OutboxEntry | undefined => entries().find(({ recordId }) => recordId === id)
/** Names that people see, whether the records are in memory or on disk. */
async function names(...some: readonly string[]): Promise<unknown[]> {
  const rows = await state.store.get('rows', some.map(keyOf))
  for (const row of rows) if (row) state.memory.hold(row)
  return some.map((id) => state.memory.row(keyOf(id))?.value?.['name'])
}
/** What the queue holds, without what counts attempts and versions. */
const queue = (): unknown[] => entries().map(({ id: _id, revision: _revision, ...entry }) => entry)
const inConflict = (): number => entries().filter(({ conflict }) => conflict).length
async function resolveAll(
  seen: readonly OutboxEntry[],
  choice: ConflictChoice | ((at: number) => ConflictChoice),
  work?: Work,
): Promise<readonly string[]> {
  const conflicts = seen.map((entry, at) => ({ entry, choice: typeof choice === 'function' ? choice(at) : choice }))
  const { left } = await state.steps.resolve(conflicts, { label: 'Resolve conflicts' }, work)
  await state.commits.settled()
  return left
}
async function undo(): Promise<void> {
  await state.steps.back('undo', 'redo')
  await state.commits.settled()
}

/** Placements that were renamed here and by someone else. */
async function conflicts(some: readonly string[]): Promise<void> {
  state = await ReplicaState.open(`resolve-many-${++made}`)
  await state.pull(some.map((id) => placement(id, 'Original')))
  await state.edit(...some.map((id) => ({ kind: 'change' as const, key: keyOf(id), patch: { name: 'Mine' } })))
  await state.commits.run('sync', (tx) => {
    for (const id of some) {
      const remote = placement(id, 'Theirs')
      settle({ tx, ...state.context }, entryOf(id)!.id, {
        kind: 'conflict',
        remote,
        fields: ['name'],
        merged: {},
        units: 1,
      })
    }
  }).saved
  expect(inConflict()).toBe(some.length)
}

describe('a few conflicts resolved together', () => {
  beforeEach(() => conflicts(ids.slice(0, 4)))

  it('wait again with mine, or end with theirs, and one undo asks about all of them again', async () => {
    const before = queue()
    const steps = state.memory.undo.parts('undo').length
    expect(await resolveAll(entries(), (at) => keep(at % 2 === 0 ? 'mine' : 'theirs'))).toEqual([])
    expect(entries().map(({ recordId, state, patch }) => [recordId, state, patch])).toEqual([
      ['1', 'waiting', { name: 'Mine' }],
      ['3', 'waiting', { name: 'Mine' }],
    ])
    expect(await names(...ids.slice(0, 4))).toEqual(['Mine', 'Theirs', 'Mine', 'Theirs'])
    expect(state.memory.undo.parts('undo')).toHaveLength(steps + 1)
    await undo()
    expect(queue()).toHaveLength(before.length)
    expect(new Set(queue().map((one) => JSON.stringify(one)))).toEqual(
      new Set(before.map((one) => JSON.stringify(one))),
    )
    expect(await names(...ids.slice(0, 4))).toEqual(['Mine', 'Mine', 'Mine', 'Mine'])
    // Redo decides them as before.
    await state.steps.back('redo', 'undo')
    expect(await names(...ids.slice(0, 4))).toEqual(['Mine', 'Theirs', 'Mine', 'Theirs'])
    await undo()
    expect(inConflict()).toBe(4)
  })

  it('stay open and show the newer value if the other side changed after people saw it', async () => {
    const seen = entries()
    await state.pull([placement('2', 'Newer')])
    expect(await resolveAll(seen, keep('theirs'))).toEqual([entryOf('2')!.id])
    expect(entries().map(({ recordId, conflict }) => [recordId, conflict?.remote?.['name']])).toEqual([['2', 'Newer']])
    // Seen now, it can be decided.
    expect(await resolveAll(entries(), keep('theirs'))).toEqual([])
    expect([inConflict(), ...(await names('2'))]).toEqual([0, 'Newer'])
  })

  it('stay open if their own side changed after people saw it, or if they were resolved before', async () => {
    const seen = entries()
    await state.edit({ kind: 'change', key: keyOf('1'), patch: { name: 'Mine again' } })
    await resolveAll(seen.slice(1, 2), keep('mine'))
    expect(await resolveAll(seen, keep('theirs'))).toEqual([seen[0]!.id, seen[1]!.id])
    expect(await names('1', '2')).toEqual(['Mine again', 'Mine'])
  })

  it('merge if the other side no longer differs', async () => {
    const seen = entries()
    await state.pull([placement('1', 'Original')])
    expect(await resolveAll(seen.slice(0, 1), keep('theirs'))).toEqual([seen[0]!.id])
    expect(entryOf('1')).toMatchObject({ state: 'waiting', patch: { name: 'Mine' } })
    expect(entryOf('1')).not.toHaveProperty('conflict')
  })

  it('get the other side back by undo once mine was sent', async () => {
    await resolveAll(entries(), keep('mine'))
    const sent = { ...placement('1', 'Mine') }
    await state.settle({ kind: 'confirmed', records: [sent], units: 1 }, entryOf('1'))
    expect(entryOf('1')).toBeUndefined()
    await undo()
    expect(entryOf('1')).toMatchObject({ kind: 'change', patch: { name: 'Theirs' }, base: { name: 'Mine' } })
    expect(inConflict()).toBe(3)
    await state.steps.back('redo', 'undo')
    expect([...(await names('1')), inConflict()]).toEqual(['Mine', 0])
  })

  it('keep an edit that was made after they were resolved', async () => {
    await resolveAll(entries(), keep('mine'))
    await state.edit({ kind: 'change', key: keyOf('1'), patch: { comment: 'Later' } })
    // The later step is undone first. If it can’t be, it’s dropped.
    const [last] = state.memory.undo.parts('undo').at(-1)!
    await state.commits.run('edit', (tx) => tx.removeUndo(last!.id)).saved
    await undo()
    expect(entryOf('1')).toMatchObject({
      patch: { name: 'Mine', comment: 'Later' },
      base: { name: 'Original', comment: 'None' },
    })
    expect(inConflict()).toBe(4)
  })
})

describe('many conflicts', () => {
  it('are resolved in slices, and all or none of them', async () => {
    await conflicts(ids)
    const before = queue()
    const control = new AbortController()
    const progress: number[] = []
    const stop = (done: number): void => {
      progress.push(done)
      control.abort(new Error('Stopped'))
    }
    await expect(resolveAll(entries(), keep('theirs'), { signal: control.signal, onprogress: stop })).rejects.toThrow(
      'Stopped',
    )
    expect(progress[0]).toBeLessThan(count)
    expect(queue()).toEqual(before)
    expect(await resolveAll(entries(), keep('theirs'))).toEqual([])
    expect(entries()).toEqual([])
    await undo()
    expect(inConflict()).toBe(count)
  })
})
