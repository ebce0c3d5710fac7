import { expect, it } from 'vitest'
import { TaskActions } from '../../../../src-renderer/views/tasks/actions'
import type { TasksModel } from '../../../../src-renderer/views/tasks/model.svelte'
import type { TaskLine } from '../../../../src-renderer/views/tasks/tree'

it('says that notes have no room for how a task repeats or that it is important', async () => {
  const said: string[] = []
  const edit = (changes: unknown[]): Promise<void> => Promise.resolve(void said.push(`${changes.length} changed`))
  const replica = { peek: () => undefined, inTurn: (work: (turn: object) => unknown) => work({}) }
  const app = { replica, edit, toasts: { show: (text: string) => void said.push(text) } }
  const actions = new TaskActions({ app, today: 0 } as unknown as TasksModel)
  const line = (length: number): TaskLine =>
    ({ key: 'a', title: 'Plan', notes: 'x'.repeat(length), extras: {}, due: 0 }) as unknown as TaskLine
  const refusal = 'Nothing changed, because the notes of “Plan” are too long. Shorten the notes, then try again.'
  await actions.setRepeat(line(8_190), { every: 1, unit: 'day' })
  await actions.toggleImportant([line(0), line(8_190)])
  expect(said).toEqual([refusal, refusal])
  await actions.setRepeat(line(8_000), { every: 1, unit: 'day' })
  await actions.toggleImportant([line(0), line(8_000)])
  expect(said.slice(2)).toEqual(['1 changed', '2 changed'])
})
