import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AppInfo, Bridge } from '#shared/ipc/contract'
import { storageFault } from '#shared/storage-words'
import { saveWhenClosing } from '../../../src-renderer/app/save-when-closing'
import { startSession } from '../../../src-renderer/app/session.svelte'
import { Accounts } from '../../../src-renderer/context/accounts.svelte'
import type { AppContext } from '../../../src-renderer/context/context'
import { DexieStore } from '../../../src-renderer/replica/dexie-store'
import type { Change } from '../../../src-renderer/replica/api'
import { deviceOf, type Device } from '../../helpers/device'
import { startService, type TestService } from '../../helpers/service'

let full = false
/** What writing waits for. */
let held: Promise<void> | undefined
/** What the window does when it closes. */
let closing: (() => void)[] = []
/** Number of times that the window said that everything typed is saved. */
let saved = 0
class FullStore extends DexieStore {
  override async write(...args: Parameters<DexieStore['write']>): Promise<void> {
    await held
    if (!full) return super.write(...args)
    throw storageFault({ name: 'QuotaExceededError' }, 'Nothing changed.')
  }
}

let service: TestService
let device: Device
let accounts: Accounts
let session: AppContext
let devices = 0

const newSession = (): AppContext => startSession(accounts, { getItem: () => null } as unknown as Storage, ['calendar'])

beforeEach(async () => {
  full = false
  held = undefined
  closing = []
  saved = 0
  // Nothing renders views here.
  vi.stubGlobal('document', { hidden: true })
  service = await startService()
  const name = `session-${++devices}`
  device = await deviceOf(service, { store: () => new FullStore(name) })
  await device.settled()
  await device.replica.setOffline(true)
  const { account } = device.replica
  const bridge = {
    ask: (_name: string, args: { saved?: true }) => {
      if (args.saved) saved++
      return Promise.resolve({ ok: true, value: [account] })
    },
    on: (name: string, listener: () => void) => {
      if (name === 'app/closing') closing.push(listener)
      return () => undefined
    },
  }
  const info = { timeZone: 'Europe/Berlin' } as AppInfo
  const kept = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
  const open = () => Promise.resolve(device.replica)
  accounts = new Accounts({
    owns: true,
    bridge: bridge as unknown as Bridge,
    info,
    open,
    destroy: async () => {},
    storage: kept,
  })
  await accounts.start()
  session = newSession()
})
afterEach(async () => {
  full = false
  await device.close()
  await service.stop()
  vi.unstubAllGlobals()
})

const newTask = (title: string): Change[] => {
  const parent = device.replica.rows('tasklists')[0]!.id
  return [{ kind: 'create', collection: 'tasks', parent, value: { title } }]
}
const texts = ({ toasts }: AppContext): string[] => toasts.list.map(({ text }) => text)

describe('a save that fails after switching accounts', () => {
  const said = (what: string): string[] => [expect.stringMatching(new RegExp(`${what}.*Your disk is full`)) as string]

  it('is reported in the current account: an edit', async () => {
    full = true
    const edited = session.edit(newTask('Lost'), { label: 'Lost' })
    const other = newSession()
    expect(await edited).toBeNull()
    expect(texts(other)).toEqual(said('Couldn’t save “Lost”\\. '))
  })

  it('is reported in the current account: an undo', async () => {
    await session.edit(newTask('Kept'), { label: 'Kept' })
    full = true
    const undone = session.undo()
    const other = newSession()
    await undone
    expect(texts(other)).toEqual(said('Couldn’t undo\\. '))
    expect(device.replica.undoable.undo).toBe('Kept')
  })
})

it('a message says that there’s nothing to undo or redo', async () => {
  await session.undo()
  await session.redo()
  expect(texts(session)).toEqual(['Nothing to undo', 'Nothing to redo'])
})

describe('a bulk edit', () => {
  it('shows its progress, can be stopped, and then says that nothing changed', async () => {
    const { length } = device.replica.rows('tasks')
    const changes = Array.from({ length: 500 }, (_, at) => newTask(`Task ${at}`)).flat()
    let release = (): void => undefined
    held = new Promise((resolve) => (release = resolve))
    const edited = session.edit(changes, { label: 'Import 500 tasks' })
    await expect.poll(() => accounts.edits.shown?.of).toBe(500)
    accounts.edits.shown!.stop()
    expect(accounts.edits.shown!.stopping).toBe(true)
    release()
    expect(await edited).toBeNull()
    expect(texts(session)).toEqual(['Stopped: Import 500 tasks. Nothing changed.'])
    expect(accounts.edits.shown).toBeNull()
    expect(device.replica.rows('tasks')).toHaveLength(length)
  })
})

it('its settings forget an account that is removed', async () => {
  const { id } = device.replica.account
  session.settings.set({ continuedTasks: { [id]: ['a'], other: ['b'] } })
  await accounts.remove(id)
  expect(session.settings.values.continuedTasks).toEqual({ other: ['b'] })
})

it('says when settings can’t be saved, in the current account', () => {
  const setItem = (): void => {
    throw new Error('full')
  }
  session = startSession(accounts, { getItem: () => null, setItem } as unknown as Storage, ['calendar'])
  session.settings.set({ theme: 'dark' })
  session.settings.set({ theme: 'light' })
  const words = expect.stringMatching(/^Couldn’t save your settings.*lost when you quit/) as string
  expect(texts(session)).toEqual([words])
  expect(texts(newSession())).toEqual([words])
})

it('a window that closes saves the text of the focused field before it says that everything is saved', async () => {
  class Focused {
    blur(): void {
      void session.edit(newTask('Half typed'), { label: 'Half typed' })
    }
  }
  vi.stubGlobal('HTMLElement', Focused)
  vi.stubGlobal('document', { hidden: true, activeElement: new Focused() })
  saveWhenClosing(accounts, session.replica)
  for (const close of closing) close()
  await expect.poll(() => saved).toBe(1)
  expect(device.replica.undoable.undo).toBe('Half typed')
})
