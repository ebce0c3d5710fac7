import { expect } from 'vitest'
import type { Cases, World } from './world'

export function tasksCases(world: World): Cases<'tasks'> {
  const { call, caller } = world
  const newList = async (): Promise<string> =>
    (await caller.call('tasks.tasklists.insert', {}, { body: { title: world.unique() } })).body.id!
  const newTask = async (tasklist: string, more: object = {}): Promise<string> =>
    (await caller.call('tasks.tasks.insert', { tasklist }, { body: { title: world.unique(), ...more } })).body.id!
  return {
    'tasks.tasklists.insert': async () =>
      expect((await call('tasks.tasklists.insert', {}, { body: { title: 'Launch' } })).body.title).toBe('Launch'),
    'tasks.tasklists.list': async () =>
      expect((await call('tasks.tasklists.list', {})).body.items!.map(({ title }) => title)).toContain('Launch'),
    'tasks.tasklists.get': async () => {
      const tasklist = await newList()
      expect((await call('tasks.tasklists.get', { tasklist })).body.id).toBe(tasklist)
    },
    'tasks.tasklists.patch': async () => {
      const tasklist = await newList()
      await call('tasks.tasklists.patch', { tasklist }, { body: { title: 'Patched' } })
      expect((await caller.call('tasks.tasklists.get', { tasklist })).body.title).toBe('Patched')
    },
    'tasks.tasklists.update': async () => {
      const tasklist = await newList()
      await call('tasks.tasklists.update', { tasklist }, { body: { id: tasklist, title: 'Updated' } })
      expect((await caller.call('tasks.tasklists.get', { tasklist })).body.title).toBe('Updated')
    },
    'tasks.tasklists.delete': async () => {
      const tasklist = await newList()
      await call('tasks.tasklists.delete', { tasklist })
      expect(await world.gone(caller.call('tasks.tasklists.get', { tasklist }))).toBe(true)
    },
    'tasks.tasks.insert': async () => {
      const tasklist = await newList()
      const parent = await newTask(tasklist)
      const { body } = await call(
        'tasks.tasks.insert',
        { tasklist, parent },
        { body: { title: 'Child', due: '2026-05-04T13:00:00.000Z' } },
      )
      expect(body).toMatchObject({ parent, due: '2026-05-04T00:00:00.000Z' })
    },
    'tasks.tasks.get': async () => {
      const tasklist = await newList()
      const task = await newTask(tasklist)
      expect((await call('tasks.tasks.get', { tasklist, task })).body.id).toBe(task)
    },
    'tasks.tasks.list': async () => {
      const tasklist = await newList()
      const task = await newTask(tasklist)
      expect((await call('tasks.tasks.list', { tasklist })).body.items!.map(({ id }) => id)).toEqual([task])
    },
    'tasks.tasks.patch': async () => {
      const tasklist = await newList()
      const task = await newTask(tasklist, { notes: 'kept' })
      await call('tasks.tasks.patch', { tasklist, task }, { body: { status: 'completed' } })
      const { body } = await caller.call('tasks.tasks.get', { tasklist, task })
      expect(body).toMatchObject({ status: 'completed', notes: 'kept', completed: expect.any(String) as string })
    },
    'tasks.tasks.update': async () => {
      const tasklist = await newList()
      const task = await newTask(tasklist, { notes: 'lost' })
      await call(
        'tasks.tasks.update',
        { tasklist, task },
        { body: { id: task, title: 'Whole', status: 'needsAction' } },
      )
      expect((await caller.call('tasks.tasks.get', { tasklist, task })).body.notes).toBeUndefined()
    },
    'tasks.tasks.delete': async () => {
      const tasklist = await newList()
      const task = await newTask(tasklist)
      await call('tasks.tasks.delete', { tasklist, task })
      expect((await caller.call('tasks.tasks.list', { tasklist })).body.items ?? []).toEqual([])
    },
    'tasks.tasks.move': async () => {
      const [tasklist, destinationTasklist] = [await newList(), await newList()]
      const [first, second] = [await newTask(tasklist), await newTask(tasklist)]
      await call('tasks.tasks.move', { tasklist, task: second, parent: first })
      const { body } = await call('tasks.tasks.move', { tasklist, task: first, destinationTasklist })
      expect(body.id).toBe(first)
      expect(
        (await caller.call('tasks.tasks.list', { tasklist: destinationTasklist })).body
          .items!.map(({ id }) => id)
          .sort(),
      ).toEqual([first, second].sort())
    },
    'tasks.tasks.clear': async () => {
      const tasklist = await newList()
      await newTask(tasklist, { status: 'completed' })
      await call('tasks.tasks.clear', { tasklist })
      expect((await caller.call('tasks.tasks.list', { tasklist })).body.items ?? []).toEqual([])
      expect((await caller.call('tasks.tasks.list', { tasklist, showHidden: true })).body.items).toHaveLength(1)
    },
  }
}
