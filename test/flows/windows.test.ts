import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Replica } from '../../src-renderer/replica/api'
import { DexieStore } from '../../src-renderer/replica/dexie-store'
import { MemoryStore } from '../../src-renderer/replica/memory-store'
import { systemEnvironment } from '../../src-renderer/replica/environment'
import { openFollowing } from '../../src-renderer/sync/open-following'
import { someAccount } from '../helpers/account'
import { localPeers } from '../helpers/local-peers'
import { serviceForEach } from '../helpers/for-file'
import { deviceOf, type Device } from '../helpers/device'
import { event, change, titles, primary, times } from '../helpers/some-event'

const service = serviceForEach()
let device: Device
let windows: Replica[]

beforeEach(async () => {
  device = await deviceOf(service)
  await device.settled()
  windows = [await device.openWindow()]
})
afterEach(async () => {
  for (const window of windows) await window.close()
  await device.close()
})

const shown =
  (replica: Replica): (() => string[]) =>
  () =>
    titles(replica)

describe('two windows of one account', () => {
  it('show the edits of either', async () => {
    const [other] = windows as [Replica]
    const key = await event(other, 'Made there')
    expect(titles(other)).toEqual(['Made there'])
    expect(titles(device.replica)).toEqual(['Made there'])
    await change(device.replica, key, { summary: 'Renamed here' })
    await expect.poll(shown(other)).toEqual(['Renamed here'])
    await device.settled()
    await expect.poll(async () => (await other.read(key))?.mark).toBe('synced')
    expect(other.outbox()).toEqual([])
  })

  it('begin in the middle of a burst of edits', async () => {
    await device.replica.setOffline(true)
    const opening = device.openWindow(5)
    for (let at = 0; at < 40; at++) await event(device.replica, `Event ${at}`)
    const third = await opening
    windows.push(third)
    await expect.poll(shown(third)).toEqual(titles(device.replica))
    expect(titles(third)).toHaveLength(40)
    expect(third.outbox()).toEqual(device.replica.outbox())
  })

  it('forget an edit that was read from disk before it could be taken back', async () => {
    await device.replica.setOffline(true)
    const stores = [MemoryStore.prototype, DexieStore.prototype].map((store) => vi.spyOn(store, 'write'))
    const append = vi.spyOn(device.bridge, 'ask').mockImplementationOnce(() => {
      for (const write of stores) write.mockRejectedValue(new Error('The disk is full'))
      return Promise.reject(new Error('The disk is full'))
    })
    try {
      await expect(event(device.replica, 'Refused')).rejects.toThrow()
      for (const write of stores) write.mockRestore()
      const third = await device.openWindow()
      windows.push(third)
      expect(shown(third)()).toEqual([])
      expect(third.outbox()).toEqual([])
      expect(third.undoable).toEqual(device.replica.undoable)
    } finally {
      for (const spy of [append, ...stores]) spy.mockRestore()
    }
  })

  it('forget a window that can’t read the owner’s database', async () => {
    const before = device.openLines
    const reads = [MemoryStore.prototype, DexieStore.prototype].map((store) => vi.spyOn(store, 'all'))
    try {
      for (const read of reads) read.mockRejectedValue(new Error('The disk is broken'))
      await expect(device.openWindow()).rejects.toThrow('The disk is broken')
      await expect.poll(() => device.openLines).toBe(before)
    } finally {
      for (const read of reads) read.mockRestore()
    }
  })

  it('wait no longer for an owner that never comes', async () => {
    const peers = localPeers()
    const environment = { ...systemEnvironment, setTimer: (work: () => void) => systemEnvironment.setTimer(work, 0) }
    const opening = openFollowing({ account: someAccount(), bridge: device.bridge, environment, peers })
    await expect(opening).rejects.toMatchObject({ fault: { code: 'storage' } })
    expect(peers.open).toBe(0)
  })

  it('know a new record under the ID that it gets', async () => {
    const [other] = windows as [Replica]
    const list = device.replica.rows('tasklists')[0]!.id
    const { keys } = await other.edit(
      [{ kind: 'create', collection: 'tasks', parent: list, value: { title: 'Call' } }],
      { label: 'New task' },
    )
    const [key] = keys as [string]
    await expect.poll(() => other.peek(key)?.mark).toBe('synced')
    expect(other.realKey(key)).not.toBe(key)
    expect(other.realKey(key)).toBe(device.replica.realKey(key))
    expect(other.firstKey(other.realKey(key))).toBe(key)
  })

  it('list what either deleted, and restore it', async () => {
    const [other] = windows as [Replica]
    const key = await event(other, 'Lunch')
    await device.settled()
    await device.replica.edit([{ kind: 'delete', key }], { label: 'Delete' })
    await expect.poll(() => other.deleted().map((one) => one.key)).toEqual([key])
    await other.edit([{ kind: 'restore', key }], { label: 'Restore' })
    expect([titles(other), other.deleted()]).toEqual([['Lunch'], []])
  })

  it('undo and redo the last step of either', async () => {
    const [other] = windows as [Replica]
    const key = await event(device.replica, 'Lunch')
    await change(other, key, { summary: 'Late lunch' })
    expect(other.undoable.undo).toBe('Change')
    expect(await device.replica.undo()).toBe('Change')
    await expect.poll(shown(other)).toEqual(['Lunch'])
    expect(other.undoable).toEqual({ undo: 'New event “Lunch”', redo: 'Change' })
    expect(await other.redo()).toBe('Change')
    expect([titles(other), titles(device.replica)]).toEqual([['Late lunch'], ['Late lunch']])
    await change(device.replica, key, { location: 'Room 2' })
    await expect(other.undo('no such step')).rejects.toMatchObject({ fault: { code: 'conflict' } })
  })

  it('take turns', async () => {
    const [other] = windows as [Replica]
    const key = await event(device.replica, 'Count 0')
    const count = async (replica: Replica): Promise<void> => {
      await replica.inTurn(async (turn) => {
        const { value } = (await replica.read(key))!
        const summary = `Count ${Number(String(value!['summary']).split(' ')[1]) + 1}`
        await replica.edit([{ kind: 'change', key, patch: { summary } }], { label: 'Count', turn })
      })
    }
    await Promise.all(Array.from({ length: 20 }, (_, at) => count(at % 2 === 0 ? other : device.replica)))
    expect(titles(device.replica)).toEqual(['Count 20'])
    expect(titles(other)).toEqual(['Count 20'])
  })

  it.each(['closes', 'crashes'])('free a turn when the window that has it %s', async (how) => {
    const [other] = windows as [Replica]
    let begun!: () => void
    const has = new Promise<void>((resolve) => (begun = resolve))
    void other.inTurn(() => {
      begun()
      return new Promise(() => undefined)
    })
    await has
    const edited = event(device.replica, 'After it')
    if (how === 'crashes') device.crashWindow()
    else await other.close()
    await edited
    windows = []
    expect(titles(device.replica)).toEqual(['After it'])
  })

  it('show progress of a bulk edit, and undo it if it is stopped', async () => {
    const [other] = windows as [Replica]
    const control = new AbortController()
    const changes = Array.from({ length: 1_000 }, (_, at) => ({
      kind: 'create' as const,
      collection: 'events' as const,
      parent: primary,
      value: { summary: `Event ${at}`, ...times },
    }))
    const onprogress = (): void => control.abort()
    const edited = other.edit(changes, { label: 'Many' }, { signal: control.signal, onprogress })
    await expect(edited).rejects.toSatisfy((error) => error === control.signal.reason && control.signal.aborted)
    expect(device.replica.outbox()).toEqual([])
    await expect.poll(() => other.outbox()).toEqual([])
    expect(titles(other)).toEqual([])
  })

  it('fail in the same way', async () => {
    const [other] = windows as [Replica]
    const edit = (replica: Replica): Promise<unknown> =>
      replica
        .edit([{ kind: 'change', key: 'events\nnone\nnone', patch: { summary: 'x' } }], { label: 'Change' })
        .catch((error: unknown) => error)
    expect(await edit(other)).toEqual(await edit(device.replica))
  })

  it('show what sync does, and steer it', async () => {
    const [other] = windows as [Replica]
    await other.setOffline(true)
    expect(other.status).toMatchObject({ offline: true, phase: 'offline' })
    await event(device.replica, 'Waits')
    await expect.poll(() => other.status.unsent).toBe(1)
    await other.setOffline(false)
    other.syncNow()
    await expect.poll(() => other.status.unsent).toBe(0)
    expect((await other.history()).map(({ how }) => how)).toEqual(['confirmed'])
  })

  it('keep what was saved when the owner crashes, and go on with it afterwards', async () => {
    const [other] = windows as [Replica]
    await device.replica.setOffline(true)
    await event(other, 'Saved')
    const under = event(other, 'Under way').catch((error: unknown) => error)
    const crashed = device.crash()
    const failed = await under
    if (failed instanceof Error) expect(failed).toMatchObject({ fault: { code: 'storage' } })
    await crashed
    const there = titles(device.replica)
    expect(there).toContain('Saved')
    await expect.poll(shown(other)).toEqual(there)
    await expect
      .poll(() =>
        event(other, 'Later').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    expect(titles(device.replica)).toEqual([...there, 'Later'].sort())
  })
})
