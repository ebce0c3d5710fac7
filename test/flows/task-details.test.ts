import { afterEach, expect, it } from 'vitest'
import { readNotes } from '#shared/domain/task-notes'
import type { Change, EditOptions } from '../../src-renderer/replica/api'
import { TaskActions } from '../../src-renderer/views/tasks/actions'
import type { TasksModel } from '../../src-renderer/views/tasks/model.svelte'
import { linesOf } from '../../src-renderer/views/tasks/tree'
import { deviceOf, type Device } from '../helpers/device'
import { serviceForEach } from '../helpers/for-file'

const service = serviceForEach()
let device: Device
afterEach(() => device?.close())

it('a time and tags set before the first of them is shown are both kept', async () => {
  device = await deviceOf(service)
  await device.settled()
  const { replica } = device
  const edit = (changes: readonly Change[], options: EditOptions) => replica.edit(changes, options)
  const app = { replica, edit, preferences: { hour12: false } }
  const actions = new TaskActions({ app, today: 0 } as unknown as TasksModel)
  const value = { title: 'Call Jo', notes: 'About the invoice', status: 'needsAction' }
  const parent = replica.rows('tasklists')[0]!.id
  const { keys } = await replica.edit([{ kind: 'create', collection: 'tasks', parent, value }], { label: 'Add' })
  const [shown] = linesOf([replica.peek(keys[0]!)!])
  await Promise.all([
    actions.setTime(shown!, 495),
    actions.setTags(shown!, ['#phone']),
    actions.toggleImportant([shown!]),
    actions.setNotes(shown!, 'About two invoices', { text: shown!.notes, upon: {} }),
  ])
  expect(readNotes(String(replica.peek(keys[0]!)!.value!['notes']))).toEqual({
    text: 'About two invoices',
    extras: { time: 495, tags: ['#phone'], important: true },
  })
})
