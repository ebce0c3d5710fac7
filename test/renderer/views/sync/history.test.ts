import { expect, it } from 'vitest'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { AppContext } from '../../../../src-renderer/context/context'
import type { HistoryItem } from '../../../../src-renderer/replica/api'
import { SyncModel } from '../../../../src-renderer/views/sync/model.svelte'

const count = 4_500
const signal = new AbortController().signal

/** The model of an account with many finished changes, and with some that wait. */
function modelWith(waiting: readonly Partial<OutboxEntry>[]): SyncModel {
  const item = (id: number): HistoryItem => ({ id: String(id), entry: { collection: 'events' } }) as HistoryItem
  const replica = {
    outbox: () => waiting,
    history: (limit: number) => Promise.resolve(Array.from({ length: Math.min(limit, count) }, (_one, at) => item(at))),
  }
  return new SyncModel({ replica } as unknown as AppContext)
}

it('recent activity says that older changes aren’t listed, and lists them on request', async () => {
  const model = modelWith([])
  const listed: unknown[] = []
  for (let times = 0; times < 3; times++) {
    await model.readHistory(signal)
    listed.push([model.history.length, model.hasOlder, model.stepsAfter(1)])
    model.showOlder()
  }
  expect(listed).toEqual([
    [2_000, true, undefined],
    [4_000, true, undefined],
    [count, false, count - 1],
  ])
})

it('recent activity lists fewer changes while others wait', async () => {
  const model = modelWith([{ id: '1', state: 'waiting', collection: 'events', group: 'g' }])
  model.showOlder()
  await model.readHistory(signal)
  expect([model.history.length, model.hasOlder]).toEqual([200, true])
})

it('changes that depend on one are counted with those that depend on them', () => {
  const entry = (id: string, ...dependsOn: string[]): Partial<OutboxEntry> => ({ id, dependsOn })
  const model = modelWith([entry('1'), entry('3', '2'), entry('2', '1'), entry('4')])
  expect(['1', '2', '4'].map((id) => model.dependants(id))).toEqual([2, 1, 0])
})
