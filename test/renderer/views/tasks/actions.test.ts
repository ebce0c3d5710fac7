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

it('moves a subtask of a cleared task up from where it is, at the end of the list', async () => {
  const moved: unknown[] = []
  const app = { edit: ([change]: { action: unknown }[]) => Promise.resolve(void moved.push(change!.action)) }
  const line = (id: string, position: string, parent?: string): TaskLine =>
    ({ key: id, id, title: id, level: 1, position, ...(parent && { parent }) }) as unknown as TaskLine
  const left = line('left', '1', 'cleared')
  const open = [line('a', '2'), line('b', '3'), left]
  const model = { app, open, everything: open, focusRow: () => Promise.resolve() }
  await new TaskActions(model as unknown as TasksModel).shift(left, 'up')
  expect(moved).toEqual([{ name: 'moveTask', previous: 'a' }])
})

it('shows why a task isn’t moved, and that nothing is cleared', async () => {
  const said: string[] = []
  const app = { toasts: { show: (text: string) => void said.push(text) } }
  const first = { key: 'a', id: 'a', title: 'First', level: 1, position: '1' } as unknown as TaskLine
  const model = { app, open: [first], everything: [first] }
  const actions = new TaskActions(model as unknown as TasksModel)
  await actions.shift(first, 'up')
  await actions.clearCompleted({ id: 'list', title: 'List' } as Parameters<TaskActions['clearCompleted']>[0])
  expect(said).toEqual(['“First” can’t be moved further', 'No completed tasks to clear'])
})

it('separates the thousands of tasks that are cleared, added, or moved', async () => {
  const said: string[] = []
  const app = {
    edit: (_: unknown, { label }: { label: string }, { text }: { text: string }) =>
      Promise.resolve(void said.push(label, text)),
  }
  const done = (index: number): TaskLine =>
    ({ key: `${index}`, id: `${index}`, title: 'Done', done: true, list: 'list' }) as unknown as TaskLine
  const everything = Array.from({ length: 4_000 }, (_, index) => done(index))
  const actions = new TaskActions({ app, today: 0, everything } as unknown as TasksModel)
  await actions.clearCompleted({ id: 'list', title: 'List', row: { key: 'l' } } as Parameters<
    TaskActions['clearCompleted']
  >[0])
  await actions.addAll(
    Array.from({ length: 1_200 }, () => ({ title: 'New', due: null, list: 'list' })),
    '',
  )
  expect(said).toEqual([
    'Clear 4,000 completed tasks from *List*',
    '4,000 completed tasks cleared',
    'Add 1,200 tasks',
    '1,200 tasks added',
  ])
})
