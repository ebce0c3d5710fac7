import { expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { AppContext } from '../../../../../src-renderer/context/context'
import type { Change } from '../../../../../src-renderer/replica/api'
import { BuilderModel } from '../../../../../src-renderer/views/reports/builder/builder.svelte'
import { newSchedule } from '../../../../../src-renderer/views/reports/builder/definition'
import { ReplicaState } from '../../../../helpers/replica-state'

const profile = '7'
const key = recordKey('reports', profile, '5')
const spring: JsonObject = { id: '5', name: 'Spring', format: 'CSV', type: 'STANDARD' }

/** A builder of a report of a real replica's memory. */
async function open(): Promise<{
  model: BuilderModel
  state: ReplicaState
  pull: (value: JsonObject) => Promise<void>
}> {
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
  return { model: new BuilderModel(app as unknown as AppContext, profile, key), state, pull }
}

it('a schedule that is turned off and on, or repeats in another way for a while, is as it was', async () => {
  const { model } = await open()
  const usual = newSchedule('2026-06-11', '2027-06-11')
  await model.setSchedule(usual)
  await model.setSchedule({ every: 2, repeatsOnWeekDays: ['TUESDAY', 'FRIDAY'], expirationDate: '2026-12-24' })
  const typed = { ...usual, every: 2, repeatsOnWeekDays: ['TUESDAY', 'FRIDAY'], expirationDate: '2026-12-24' }
  await model.setSchedule(null)
  expect(model.report).not.toHaveProperty('schedule')
  await model.setSchedule(usual)
  expect(model.report['schedule']).toEqual(typed)
  await model.setSchedule({ repeats: 'TWICE_A_MONTH' })
  expect(model.report['schedule']).not.toHaveProperty('every')
  await model.setSchedule({ repeats: 'WEEKLY' })
  expect(model.report['schedule']).toEqual(typed)
})

it('a step is based on what its author saw when they began it', async () => {
  const { model, state, pull } = await open()
  const upon = model.seen
  await pull({ ...spring, name: 'Summer' })
  await model.step('name', (report) => ({ ...report, name: 'Autumn' }), upon)
  expect(state.entry).toMatchObject({ base: { name: 'Spring', format: 'CSV' }, patch: { name: 'Autumn' } })
})
