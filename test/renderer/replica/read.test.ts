import { describe, expect, it } from 'vitest'
import { FaultError } from '#shared/fault'
import type { JsonObject } from '#shared/json'
import type { RemoteRecord } from '#shared/mutation/entry'
import { applyRecords } from '../../../src-renderer/replica/apply'
import { Commits } from '../../../src-renderer/replica/commits'
import { behaviors } from '../../../src-renderer/behaviors'
import { Memory } from '../../../src-renderer/replica/memory'
import { MemoryStore } from '../../../src-renderer/replica/memory-store'
import { readStored } from '../../../src-renderer/replica/read-stored'
import { someEntry } from '../../helpers/some-entry'
import { silentBridge } from '../../helpers/silent-bridge'

describe('event bodies', () => {
  it('are always in memory or in the store, never in neither', async () => {
    const memory = new Memory(behaviors)
    const store = new MemoryStore()
    await store.open()
    const commits = new Commits(memory, store, silentBridge, () => undefined)
    const record = (n: number): RemoteRecord => ({
      collection: 'events',
      parent: 'c',
      id: `event${n}`,
      etag: `"${n}"`,
      value: {
        id: `event${n}`,
        summary: `Event ${n}`,
        start: { dateTime: '2026-05-04T09:00:00Z' },
        end: { dateTime: '2026-05-04T10:00:00Z' },
      },
    })
    const key = 'events\nc\nevent1'
    const deps = { memory, commits, store, now: () => 0, setTimer: setTimeout }
    const applied = applyRecords(deps, [record(1)])
    // Another step starts while the first is on its way to the store.
    commits.run('sync', () => undefined)
    let looks = 0
    for (let done = false; !done; looks++) {
      const held = memory.row(key)
      const [stored] = await store.get('rows', [key])
      expect(held ?? stored, `look ${looks}`).toBeDefined()
      done = stored !== undefined
    }
    await applied
    await commits.settled()
    expect(memory.row(key), 'and it does not stay in memory').toBeUndefined()

    // Someone deletes it, and a view reads it again before the store has heard of that.
    let resume: () => void = () => undefined
    const paused = new Promise<void>((resolve) => (resume = resolve))
    store.beforeWrite = () => paused
    commits.run('sync', (tx) => tx.removeRow(key))
    expect(await store.get('rows', [key])).toEqual([expect.objectContaining({ key })])
    expect(await readStored({ memory, store }, [key]), 'removed, though it may still be on disk').toEqual([undefined])
    resume()
    await commits.settled()
    expect(await readStored({ memory, store }, [key])).toEqual([undefined])
    await applyRecords(deps, [record(1)])
    expect(await readStored({ memory, store }, [key]), 'restored').toEqual([expect.objectContaining({ key })])

    // The disk is full, so the removal is taken back.
    store.failing = new Error('full')
    await expect(commits.run('edit', (tx) => tx.removeRow(key)).saved).rejects.toThrow('full')
    expect(await readStored({ memory, store }, [key])).toEqual([expect.objectContaining({ key })])
  })
})

describe('a full page', () => {
  const task = (n: number): RemoteRecord => ({
    collection: 'tasks',
    parent: 'list',
    id: `t${String(n).padStart(4, '0')}`,
    etag: `"${n}"`,
    value: { id: `t${n}`, title: `Task ${n}` },
  })
  const open = async (): Promise<{
    store: MemoryStore
    take: (records: RemoteRecord[]) => Promise<void>
    batches: number[]
    topicsSeen: string[]
  }> => {
    const memory = new Memory(behaviors)
    const store = new MemoryStore()
    await store.open()
    const [batches, topicsSeen]: [number[], string[]] = [[], []]
    const commits = new Commits(memory, store, silentBridge, (topics) => void topicsSeen.push(...topics))
    store.beforeWrite = (batch) => void batches.push(batch.length)
    const deps = { memory, commits, store, now: () => 0, setTimer: setTimeout }
    return { store, batches, topicsSeen, take: (records) => applyRecords(deps, records, true) }
  }

  it('is loaded into memory in slices, but written and announced at once', async () => {
    const { take, batches, topicsSeen } = await open()
    await take(Array.from({ length: 1_200 }, (_unused, n) => task(n)))
    expect(batches).toEqual([1_200])
    expect(topicsSeen).toEqual(['tasks'])
  })

  it('isn’t taken for written if an edit before it can’t be saved, which takes its first slice back', async () => {
    const memory = new Memory(behaviors)
    const store = new MemoryStore()
    await store.open()
    const commits = new Commits(memory, store, silentBridge, () => undefined)
    let fail: () => void = () => undefined
    store.beforeWrite = () => {
      store.beforeWrite = null
      return new Promise((_, reject) => {
        fail = () => reject(new FaultError({ code: 'storage', message: 'The disk is full' }))
      })
    }
    const { saved } = commits.run('edit', (tx) => tx.putMeta('paused', true))
    const setTimer = (work: () => void, ms: number): void => {
      fail()
      setTimeout(work, ms)
    }
    const records = Array.from({ length: 1_200 }, (_unused, n) => task(n))
    const taken = applyRecords({ memory, commits, store, now: () => 0, setTimer }, records, true)
    await expect(taken).rejects.toMatchObject({ fault: { code: 'storage' } })
    await expect(saved).rejects.toMatchObject({ fault: { code: 'storage' } })
  })

  it('is written even when its last records are unchanged', async () => {
    const { store, take } = await open()
    const records = Array.from({ length: 501 }, (_unused, n) => task(n))
    await take(records.slice(500))
    await take(records)
    expect(await store.rowKeys('tasks', 'list')).toHaveLength(501)
  })
})

describe("events that can't be drawn", () => {
  it('are still stored, until their time can be read', async () => {
    const memory = new Memory(behaviors)
    const store = new MemoryStore()
    await store.open()
    const commits = new Commits(memory, store, silentBridge, () => undefined)
    const take = (start: JsonObject | undefined): Promise<void> => {
      const value = { id: 'odd', summary: 'Odd', ...(start && { start, end: start }) }
      const record: RemoteRecord = { collection: 'events', parent: 'c', id: 'odd', etag: JSON.stringify(start), value }
      return applyRecords({ memory, commits, store, now: () => 0, setTimer: setTimeout }, [record])
    }
    await take({ dateTime: 'soon' })
    expect([...memory.undrawn]).toEqual(['events\nc\nodd'])
    await take({ dateTime: '2026-05-04T09:00:00Z' })
    expect([...memory.undrawn]).toEqual([])
    await take(undefined)
    expect([...memory.undrawn]).toEqual(['events\nc\nodd'])
  })
})

describe('a change notification', () => {
  it('comes after the data is readable: history includes each finished entry', async () => {
    const memory = new Memory(behaviors)
    const store = new MemoryStore()
    await store.open()
    const seen: Promise<number>[] = []
    const commits = new Commits(memory, store, silentBridge, (topics) => {
      if (topics.has('history')) seen.push(store.history(50).then(({ length }) => length))
    })
    for (const id of ['a', 'b', 'c']) {
      const entry = { ...listEntry, id }
      memory.setEntry(id, entry)
      await commits.run('sync', (tx) => tx.endEntry(entry, { id, entry, how: 'confirmed', at: 0 })).saved
    }
    await commits.settled()
    expect(await Promise.all(seen)).toEqual([1, 2, 3])
  })
})

const listEntry = someEntry({
  id: '',
  accountId: 'one',
  collection: 'tasklists',
  parent: null,
  recordId: 'list',
  patch: { title: 'Title' },
  complete: false,
  group: '',
  label: 'Change the title',
})
