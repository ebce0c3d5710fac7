import { expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { AppContext } from '../../../../../src-renderer/context/context'
import type { Change } from '../../../../../src-renderer/replica/api'
import { BuilderModel } from '../../../../../src-renderer/views/reports/builder/builder.svelte'
import { ReplicaState } from '../../../../helpers/replica-state'

const profile = '7'
const key = recordKey('reports', profile, '5')
const spring: JsonObject = { id: '5', name: 'Spring', format: 'CSV', type: 'STANDARD' }

it('a step is based on what its author saw when they began it', async () => {
  const state = await ReplicaState.open('builder')
  const pull = (value: JsonObject): Promise<void> =>
    state.pull([{ collection: 'reports', parent: profile, id: '5', value }])
  const app = {
    replica: {
      facts: state.memory.facts,
      peek: () => state.memory.row(key),
      read: () => Promise.resolve(state.memory.row(key)),
    },
    accounts: { edits: { begin: () => ({ end: () => undefined }) } },
    edit: (changes: Change[]) => state.edit(...changes),
  }
  await pull(spring)
  const model = new BuilderModel(app as unknown as AppContext, profile, key)
  const upon = model.seen
  await pull({ ...spring, name: 'Summer' })
  await model.step('name', (report) => ({ ...report, name: 'Autumn' }), upon)
  expect(state.entry).toMatchObject({ base: { name: 'Spring', format: 'CSV' }, patch: { name: 'Autumn' } })
})
