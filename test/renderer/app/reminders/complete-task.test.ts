import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { AppInfo, Bridge } from '#shared/ipc/contract'
import type { AgendaItem } from '#shared/ipc/reminder-questions'
import { storageFault } from '#shared/storage-words'
import { completeTask } from '../../../../src-renderer/app/reminders/complete-task'
import { showItem } from '../../../../src-renderer/app/reminders/show-item'
import { startSession } from '../../../../src-renderer/app/session.svelte'
import { Accounts } from '../../../../src-renderer/context/accounts.svelte'
import type { AppContext } from '../../../../src-renderer/context/context'
import { DexieStore } from '../../../../src-renderer/replica/dexie-store'
import { deviceOf, type Device } from '../../../helpers/device'
import { startService, type TestService } from '../../../helpers/service'

// Reminders of an account that isn't shown.

let full = false
let closed = false
class FullStore extends DexieStore {
  override write(...args: Parameters<DexieStore['write']>): Promise<void> {
    return full
      ? Promise.reject(storageFault({ name: 'QuotaExceededError' }, 'Nothing changed.'))
      : super.write(...args)
  }
}

let services: TestService[]
let devices: Device[]
let accounts: Accounts
let app: AppContext
let item: AgendaItem
let runs = 0

beforeEach(async () => {
  full = closed = false
  vi.stubGlobal('document', { hidden: true })
  vi.stubGlobal('HTMLElement', class {})
  runs++
  const ids = ['shown', 'other']
  services = await Promise.all(ids.map(() => startService()))
  devices = await Promise.all(
    ids.map((id, at) => deviceOf(services[at]!, { account: { id }, store: () => new FullStore(`${id}-${runs}`) })),
  )
  await Promise.all(devices.map((device) => device.settled()))
  const all = devices.map(({ replica }) => replica.account)
  const bridge = { ask: () => Promise.resolve({ ok: true, value: all }), on: () => () => undefined }
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
  accounts = new Accounts({
    owns: true,
    bridge: bridge as unknown as Bridge,
    info: { timeZone: 'Europe/Berlin' } as AppInfo,
    open: ({ id }) =>
      closed && id === 'other'
        ? Promise.reject(storageFault({ name: 'QuotaExceededError' }, 'Nothing changed.'))
        : Promise.resolve(devices.find(({ replica }) => replica.account.id === id)!.replica),
    destroy: async () => {},
    storage,
  })
  await accounts.start()
  app = startSession(accounts, storage as unknown as Storage, ['calendar'])

  const { replica } = devices[1]!
  const parent = replica.rows('tasklists')[0]!.id
  const value = { title: 'Call', status: 'needsAction' }
  const { keys } = await replica.edit([{ kind: 'create', collection: 'tasks', parent, value }], { label: 'New' })
  const [record] = keys
  await devices[1]!.settled()
  item = { title: 'Call', record: record!, item: '', day: 0 } as AgendaItem
})
afterEach(async () => {
  full = false
  await Promise.all(devices.map((device) => device.close()))
  await Promise.all(services.map((service) => service.stop()))
})

const task = (): unknown => {
  const { replica } = devices[1]!
  return replica.peek(replica.realKey(item.record))?.value?.['status']
}
const texts = (): string[] => app.toasts.list.map(({ text }) => text)

it('completes its task there, which can be undone, and keeps showing the other account', async () => {
  expect(await completeTask(app, 'other', item)).toBe('')
  expect([task(), accounts.shownId, texts()]).toEqual(['completed', 'shown', ['“Call” completed']])
  app.toasts.list[0]!.action!.run()
  await expect.poll(task).toBe('needsAction')
  // A second click finds it done.
  await completeTask(app, 'other', item)
  const steps = devices[1]!.replica.undoSteps
  expect(await completeTask(app, 'other', item)).toBe('')
  expect(devices[1]!.replica.undoSteps).toEqual(steps)
})

it('says so if it can’t be saved', async () => {
  full = true
  expect(await completeTask(app, 'other', item)).toMatch(/Your disk is full/)
  expect([task(), texts()]).toEqual([
    'needsAction',
    [expect.stringMatching(/^Couldn’t complete “Call”\. .*Your disk is full/)],
  ])
})

it('says so if the account doesn’t open, and the next one doesn’t begin at the place of its reminder', async () => {
  closed = true
  const why = await completeTask(app, 'other', item)
  expect(texts()).toEqual([`Couldn’t complete “Call”. ${why}`])
  expect(await showItem(app, 'other', item)).toBe(false)
  expect(accounts.placeNext).toBeNull()
})

it('goes to an event of the other account on its day, without looking for it in the one that’s shown', async () => {
  Object.assign(app, { preferences: { zone: 'Europe/Berlin' } })
  const items = vi.spyOn(app.replica, 'items')
  const day = Date.UTC(2026, 5, 10)
  const event = { ...item, record: recordKey('events', 'work', 'one'), item: 'one', day }
  const shown = vi.spyOn(app, 'showAccount').mockResolvedValue()
  await showItem(app, 'other', event)
  expect(items).not.toHaveBeenCalled()
  expect(accounts.placeNext).toEqual({ view: 'calendar', params: { item: 'one', day } })
  expect(shown).toHaveBeenCalledWith('other', 'calendar')
})

it('needs nothing if its task is gone', async () => {
  expect(await completeTask(app, 'other', { ...item, record: recordKey('tasks', 'x', 'gone') })).toBe('')
  expect(texts()).toEqual([])
})
