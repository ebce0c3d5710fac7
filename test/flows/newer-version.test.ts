import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OutboxEntry } from '#shared/mutation/entry'
import { writeLine } from '../../src-main/journal/line'
import { memoryDisk, MemoryStore } from '../../src-renderer/replica/memory-store'
import { openDevice, type Device } from '../helpers/device'
import { startService, type TestService } from '../helpers/service'

/** A queue with changes from a newer Flightplan version used on this computer before; real journal, real service. */
describe("a newer version's changes", () => {
  let service: TestService
  let folder: string
  let disk = memoryDisk()
  let device: Device | undefined
  let list: string
  const path = (): string => join(folder, 'outbox.journal')
  const open = async (): Promise<Device> =>
    (device = await openDevice({
      baseUrl: () => service.sandbox.baseUrl,
      token: () => service.sandbox.token,
      folder,
      store: () => new MemoryStore(disk),
    }))
  const closed = async (): Promise<void> => {
    await device?.close()
    device = undefined
  }
  /** Rewrites an entry as the newer version would have: in the store, the journal, or both. */
  async function rewritten(
    entry: OutboxEntry,
    more: Record<string, unknown>,
    where: { store?: boolean; journal?: boolean } = { store: true, journal: true },
  ): Promise<void> {
    const strange = { ...entry, ...more }
    if (where.store) disk.data.outbox.set(entry.id, strange as never)
    if (where.journal)
      await writeFile(path(), (await readFile(path(), 'utf8')) + writeLine({ kind: 'entry', entry: strange }))
  }
  /** Restores it as a version that understands it would, wherever it's stored. */
  async function restoreEntry(entry: OutboxEntry): Promise<void> {
    const text = await readFile(path(), 'utf8')
    const lines = text.split('\n').map((line) => (line.includes(`"id":"${entry.id}"`) ? '' : line))
    await writeFile(path(), lines.filter((line) => line !== '').join('\n') + '\n' + writeLine({ kind: 'entry', entry }))
    for (const item of disk.data.unreadable.values())
      if (item.text.includes(entry.id)) disk.data.unreadable.set(item.id, { ...item, text: JSON.stringify(entry) })
  }
  /** A task with a pending change, after the window was closed. */
  async function waiting(): Promise<{ key: string; entry: OutboxEntry }> {
    const { replica } = await open()
    await device!.settled()
    list = replica.rows('tasklists')[0]!.id
    const create = { kind: 'create', collection: 'tasks', parent: list, value: { title: 'Mine' } } as const
    const { keys } = await replica.edit([create], { label: 'New task *Mine*' })
    await device!.settled()
    const key = replica.peek(keys[0]!)!.key
    await replica.setOffline(true)
    await replica.edit([{ kind: 'change', key, patch: { notes: 'first' } }], { label: 'Note *first*' })
    const [entry] = replica.outbox()
    await closed()
    return { key, entry: entry! }
  }
  const notes = async (): Promise<unknown> => {
    const { replica } = device!
    await replica.setOffline(false)
    await device!.settled()
    return replica.rows('tasks', list).find((row) => row.base?.title === 'Mine')?.base?.notes
  }

  beforeEach(async () => {
    service = await startService()
    folder = await mkdtemp(join(tmpdir(), 'flightplan-newer-'))
    disk = memoryDisk()
  })
  afterEach(async () => {
    await closed()
    await service.stop()
  })

  for (const [what, more] of [
    ['a collection', { collection: 'rockets' }],
    ['an action', { kind: 'action', action: { name: 'archive' } }],
    ['a kind', { kind: 'post' }],
  ] as const) {
    it(`with unknown ${what} are kept, counted, reported, and unsent, until they're understood`, async () => {
      const { entry } = await waiting()
      await rewritten(entry, more)
      for (let start = 0; start < 2; start++) {
        const { replica } = await open()
        expect(replica.outbox()).toEqual([])
        expect(replica.status).toMatchObject({ unsent: 1, notUnderstood: 1, needsYou: 0 })
        expect(replica.notices()).toMatchObject([
          {
            title: 'Some changes need a newer version of Flightplan',
            text: expect.stringContaining('1 change'),
          },
        ])
        expect(await notes()).toBeUndefined()
        await closed()
      }
      await restoreEntry(entry)
      const { replica } = await open()
      expect(replica.status).toMatchObject({ unsent: 1, notUnderstood: 0 })
      expect(replica.notices()).toEqual([])
      expect(disk.data.unreadable.size).toBe(0)
      expect(await notes()).toBe('first')
    })
  }

  for (const where of ['store', 'journal'] as const) {
    it(`aren't sent in an older form from the ${where}`, async () => {
      const { entry } = await waiting()
      await rewritten(entry, { kind: 'post' }, { [where]: true })
      const { replica } = await open()
      expect([replica.outbox(), replica.status.notUnderstood]).toEqual([[], 1])
      expect(await notes()).toBeUndefined()
    })
  }

  it('hold back later edits of the record and dependents', async () => {
    const { key, entry } = await waiting()
    await rewritten(entry, { kind: 'post' })
    const { replica } = await open()
    await replica.edit([{ kind: 'change', key, patch: { notes: 'second' } }], { label: 'Note *second*' })
    const other = { kind: 'create', collection: 'tasks', parent: list, value: { title: 'Other' } } as const
    await replica.edit([other], { label: 'New task *Other*' })
    const [second, created] = replica.outbox()
    await closed()
    await rewritten({ ...created!, dependsOn: [entry.id] }, {})
    const again = (await open()).replica
    await again.setOffline(false)
    again.syncNow()
    const before = again.status.lastPull
    await device!.until('a pull', ({ status }) => status.phase === 'idle' && status.lastPull !== before)
    expect(again.outbox().map(({ id, state }) => [id, state])).toEqual([
      [second!.id, 'waiting'],
      [created!.id, 'waiting'],
    ])
  })

  it('survive losing the database or the journal', async () => {
    const { entry } = await waiting()
    await rewritten(entry, { kind: 'post' })
    await open()
    await closed()
    const inJournal = await readFile(path(), 'utf8')
    await writeFile(path(), '')
    expect((await open()).replica.status).toMatchObject({ notUnderstood: 1 })
    await closed()
    expect(disk.data.unreadable.size).toBe(1)
    await writeFile(path(), inJournal)
    disk = memoryDisk()
    expect((await open()).replica.status).toMatchObject({ notUnderstood: 1 })
  })

  it("finished elsewhere don't return once they're readable", async () => {
    const { entry } = await waiting()
    await open()
    expect(await notes()).toBe('first')
    await closed()
    disk.data.unreadable.set(entry.id, { id: entry.id, table: 'outbox', text: JSON.stringify(entry), at: 1 })
    expect((await open()).replica.outbox()).toEqual([])
    expect(disk.data.unreadable.size).toBe(0)
  })
})
