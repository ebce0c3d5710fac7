import { describe, expect, it } from 'vitest'
import type { Replica } from '../../src-renderer/replica/api'
import { modelForEach } from './model/for-each'

const { clock, service, replica } = modelForEach(2_000)

const titles = (list: string): unknown[] => service.living(`tasks ${list}`).map(({ title }) => title)
const newList = (): string => String(service.callAs('x', 'tasks.tasklists.insert', {}, { title: 'Trip' })!.id)
const create = (parent: string, title: string): ReturnType<Replica['edit']> =>
  replica.edit([{ kind: 'create', collection: 'tasks', parent, value: { title, notes: 'For the trip' } }], {
    label: 'New task',
  })
function moveAll(destination: string): ReturnType<Replica['edit']> {
  const rows = replica.rows('tasks').filter(({ value }) => value?.['notes'] === 'For the trip')
  const action = { name: 'moveTask' as const, destination }
  return replica.edit(
    rows.map(({ key }) => ({ kind: 'action', key, action })),
    { label: 'Move' },
  )
}
async function read(): Promise<void> {
  replica.syncNow()
  await clock.pass(60_000)
}
const open = () => replica.outbox().map(({ kind, parent, state, fault }) => [kind, parent, state, fault?.code])
/** Loses the response to the next creation of a task. */
function loseAnswer(then: () => void, moment: 'before' | 'after'): void {
  service.trouble = ({ id }, at) => {
    if (id !== 'tasks.tasks.insert' || at !== moment) return undefined
    service.trouble = () => undefined
    then()
    return 'answerLost'
  }
}

describe('new tasks in a list that answers that it doesn’t exist', () => {
  it('are reported, and created in the list that they’re moved to', async () => {
    const list = newList()
    service.trouble = ({ id, params }, moment) =>
      id.startsWith('tasks.tasks.') && params['tasklist'] === list && moment === 'before' ? 'notFound' : undefined
    await read()
    await create(list, 'Tent')
    await create(list, 'Stove')
    await read()
    expect(open()).toEqual([
      ['create', list, 'needsYou', 'notFound'],
      ['create', list, 'needsYou', 'notFound'],
    ])
    expect(replica.status.lanes.flatMap(({ unread = [] }) => unread)).toMatchObject([{ parent: list }])
    await moveAll('inbox')
    await read()
    expect(titles('inbox').sort()).toEqual(['Stove', 'Tent'])
    expect(open()).toEqual([])
  })

  it.each(['before', 'after'] as const)(
    'can be moved after a response was lost: %s the service took it',
    async (moment) => {
      const list = newList()
      await read()
      loseAnswer(() => service.callAs('x', 'tasks.tasklists.delete', { tasklist: list }), moment)
      await create(list, 'Tent')
      await clock.pass(120_000)
      expect(open()).toEqual([['create', list, 'needsYou', 'notFound']])
      await moveAll('inbox')
      await read()
      expect(titles('inbox')).toEqual(['Tent'])
      expect(open()).toEqual([])
    },
  )

  it('are asked about if someone moved and changed them before', async () => {
    const list = newList()
    await read()
    loseAnswer(() => undefined, 'after')
    await create(list, 'Tent')
    await clock.pass(400)
    const task = String(service.living(`tasks ${list}`)[0]!.id)
    service.callAs('x', 'tasks.tasks.move', { tasklist: list, task, destinationTasklist: 'inbox' })
    service.callAs('x', 'tasks.tasks.patch', { tasklist: 'inbox', task }, { title: 'Big tent' })
    service.callAs('x', 'tasks.tasklists.delete', { tasklist: list })
    await clock.pass(120_000)
    expect(replica.outbox()).toMatchObject([
      { conflict: { made: `tasks\ninbox\n${task}`, remote: { title: 'Big tent' } } },
    ])
    await replica.resolve(replica.outbox()[0]!.id, { keep: 'theirs' })
    await read()
    expect(titles('inbox')).toEqual(['Big tent'])
    expect(open()).toEqual([])
  })
})
