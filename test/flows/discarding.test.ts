import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AppContext } from '../../src-renderer/context/context'
import { discard } from '../../src-renderer/context/discarding'
import type { Change } from '../../src-renderer/replica/api'
import type { Toast } from '../../src-renderer/ui/toasts.svelte'
import { deviceOf, type Device } from '../helpers/device'
import { serviceForEach } from '../helpers/for-file'

const service = serviceForEach()
let device: Device
let button: Toast['action']
let messages: string[]

beforeEach(async () => {
  device = await deviceOf(service)
  await device.settled()
  await device.replica.setOffline(true)
  messages = []
  button = undefined
})
afterEach(() => device?.close())

const app = (): AppContext =>
  ({
    replica: device.replica,
    announce: () => undefined,
    undoNext: () => undefined,
    edit: (changes: readonly Change[], { label }: { label: string }) => device.replica.edit(changes, { label }),
    toasts: {
      show: (text: string, { action }: Partial<Toast> = {}) => {
        messages.push(text)
        button = action
      },
    },
  }) as unknown as AppContext
const queued = (): unknown[] => device.replica.outbox().map(({ kind, patch }) => [kind, patch['title']])

it('discarding a new record says what goes along, and Undo queues all of it again', async () => {
  const { replica } = device
  const list = replica.newLocalId()
  await replica.edit(
    [
      { kind: 'create', collection: 'tasklists', parent: null, id: list, value: { title: 'Move house' } },
      { kind: 'create', collection: 'tasks', parent: list, value: { title: 'Boxes', status: 'needsAction' } },
    ],
    { label: 'Add a list' },
  )
  const before = queued()
  expect(await discard(app(), replica.outbox()[0]!)).toBe(true)
  expect(queued()).toEqual([])
  expect(messages).toEqual(['Discarded “Add a list” and 1 dependent change'])
  button!.run()
  await device.until('both again', () => replica.outbox().length === 2)
  expect(queued()).toEqual(before)
})

it('a change that can’t be discarded stays, and a message says why', async () => {
  const lost = {
    ...app(),
    replica: { ...device.replica, outbox: () => [], withdraw: () => Promise.reject(new Error()) },
  }
  expect(await discard(lost as unknown as AppContext, { label: '' } as never)).toBe(false)
  expect(messages[0]).toMatch(/^Couldn’t discard this change\./)
})
