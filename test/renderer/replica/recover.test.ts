import { describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { parseRecordKey, recordKey } from '#shared/domain/collections'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Change } from '../../../src-renderer/replica/api'
import { memoryDisk } from '../../../src-renderer/replica/memory-store'
import { lossNotice, lossOf, reconcile } from '../../../src-renderer/replica/recover'
import { seeded, VirtualClock } from '../../flows/model/clock'
import { Device } from '../../flows/model/device'
import { ModelService } from '../../flows/model/service'
import { entryOf } from './store.conformance'

interface Stored {
  key: string
  items: Record<string, unknown>[]
}
const ofItem =
  (patch: Record<string, unknown>) =>
  (deleted: Stored): Stored => ({ ...deleted, items: deleted.items.map((item) => ({ ...item, ...patch })) })
const journal = (fresh: boolean) => ({ epoch: 'e', fresh, open: [], ended: [], unknown: [], damaged: 0 })

describe('recovery of outbox and journal', () => {
  const step = (stored: OutboxEntry[], open: OutboxEntry[], ended: string[] = [], inHistory: string[] = []) =>
    reconcile(factsOf(), 'a', stored, { open, ended: ended.map((id) => ({ id })) }, new Set(inHistory))

  it('changes nothing after a clean exit', () => {
    const entry = entryOf('1')
    expect(step([entry], [entry])).toEqual({ entries: [entry], restored: [], dropped: [], names: [], journal: [] })
  })

  it('restores entries that only the journal has, to verify before sending', () => {
    const { entries, restored } = step([], [entryOf('1')])
    expect(entries).toMatchObject([{ id: '1', unknownOutcome: true }])
    expect(restored).toHaveLength(1)
  })

  it('knows that nothing on or in an unsent record was sent', () => {
    const local = 'local:01KJPRZCYG6PZ1WTMC4GN2JJV2'
    const inside = entryOf('1', { kind: 'create', collection: 'events', parent: local })
    const on = entryOf('2', { kind: 'change', collection: 'tasks', parent: 'inbox', recordId: local })
    expect(step([], [inside, on]).entries).toMatchObject([{ unknownOutcome: false }, { unknownOutcome: false }])
  })

  it('closes entries in the journal that history marks as done, and ignores other accounts', () => {
    expect(step([], [entryOf('1'), entryOf('2', { accountId: 'b' })], [], ['1'])).toEqual({
      entries: [],
      restored: [],
      dropped: [],
      names: [],
      journal: [{ kind: 'end', entryId: '1', accountId: 'a', how: 'confirmed' }],
    })
  })

  it('drops entries from an older database that the journal has closed', () => {
    expect(step([entryOf('1'), entryOf('2')], [entryOf('2')], ['1'])).toMatchObject({
      entries: [{ id: '2', unknownOutcome: false }],
      dropped: ['1'],
      journal: [],
    })
  })

  it.each([
    ['the database', 1, 2],
    ['the journal', 2, 1],
  ])('takes the newer of two versions when %s is behind', (_which, inStore, inJournal) => {
    const { entries, journal: lines } = step(
      [entryOf('1', { label: `${inStore}`, revision: inStore })],
      [entryOf('1', { label: `${inJournal}`, revision: inJournal })],
    )
    expect(entries).toMatchObject([{ label: '2', unknownOutcome: inJournal === 2 }])
    expect(lines).toHaveLength(inJournal === 2 ? 0 : 1)
  })

  it('adds entries to the journal that only the store has', () => {
    const { journal: lines, entries } = step([entryOf('1')], [])
    expect(lines).toMatchObject([{ kind: 'entry', entry: { id: '1' } }])
    expect(entries).toMatchObject([{ unknownOutcome: true }])
  })

  it('treats entries being sent as possibly sent', () => {
    const sending = entryOf('1', { state: 'sending' })
    expect(step([sending], [sending]).entries).toMatchObject([{ state: 'waiting', unknownOutcome: true }])
  })

  it('distinguishes a lost database from a first start', () => {
    expect(lossOf(undefined, journal(true), false)).toBe('none')
    expect(lossOf(undefined, journal(false), false)).toBe('none')
    expect(lossOf(undefined, journal(false), true)).toBe('missing')
    expect(lossOf('e', journal(false), true)).toBe('none')
    expect(lossOf('other', journal(false), true)).toBe('stranger')
  })

  it('detects a lost journal, too, and reports the loss of unsent changes', () => {
    expect(lossOf(undefined, journal(true), true)).toBe('both')
    expect(lossNotice('both', 0, 1)).toMatchObject({
      level: 'error',
      text: expect.stringMatching(/both lost.*pending changes are lost.*Check your latest edits/) as string,
    })
    expect(lossNotice('both', 2, 1)).toMatchObject({
      level: 'warning',
      text: expect.stringContaining('2 pending changes were restored') as string,
    })
  })

  it.each([
    ['damaged', /Check your free disk space\.$/],
    ['newer', /don’t start an older version again\.$/],
    ['stranger', /You can’t undo earlier edits\.$/],
  ] as const)('advises what fits the loss: %s', (loss, end) => {
    expect(lossNotice(loss, 0, 1).text).toMatch(end)
  })
})

describe('opening', () => {
  async function device(): Promise<{ clock: VirtualClock; service: ModelService; device: Device }> {
    const clock = new VirtualClock()
    const service = new ModelService(() => clock.time)
    const opened = new Device('one', service, clock, seeded(1))
    await opened.start()
    await clock.pass(1_000)
    await opened.replica.setOffline(true)
    await opened.replica.edit([{ kind: 'create', collection: 'tasks', parent: 'inbox', value: { title: 'Keep me' } }], {
      label: 'New',
    })
    opened.crash()
    return { clock, service, device: opened }
  }

  it('refetches everything when the database belongs to another journal, and keeps unsent changes', async () => {
    const { device: one, service } = await device()
    one.journal.epoch = 'another'
    await one.start()
    expect(one.replica.notices()).toMatchObject([{ level: 'warning', title: 'Your data is downloading again' }])
    await one.quiesce()
    expect(service.living('tasks inbox')).toMatchObject([{ title: 'Keep me' }])
    expect(one.replica.rows('calendarList')).toHaveLength(2)
  })

  it('refetches everything when the database was lost while it was open, and has only what was written since', async () => {
    const { device: one, service } = await device()
    const { data } = one.disk
    data.meta.delete('epoch')
    const lost = [...data.rows.keys()].filter((key) => key.startsWith('calendarList'))
    for (const key of lost) data.rows.delete(key)
    expect([lost.length, data.cursors.size > 0]).toEqual([2, true])
    await one.start()
    expect(one.replica.notices()).toMatchObject([{ level: 'warning', title: 'Your data is downloading again' }])
    await one.quiesce()
    expect(service.living('tasks inbox')).toMatchObject([{ title: 'Keep me' }])
    expect(one.replica.rows('calendarList')).toHaveLength(2)
  })

  it('asks about a task that someone else completed, as I did after a pending “Hide completed”', async () => {
    const { device: one, service } = await device()
    const tent = service.callAs(
      'x',
      'tasks.tasks.insert',
      { tasklist: 'inbox' },
      { title: 'Tent', status: 'needsAction' },
    )
    await one.start()
    await one.quiesce()
    await one.replica.setOffline(true)
    const edit = (change: Change): Promise<unknown> => one.replica.edit([change], { label: 'Edit' })
    const task = String(tent!.id)
    const patch = { status: 'completed' }
    await edit({ kind: 'action', key: recordKey('tasklists', null, 'inbox'), action: { name: 'clearCompleted' } })
    await edit({ kind: 'change', key: recordKey('tasks', 'inbox', task), patch })
    service.callAs('x', 'tasks.tasks.patch', { tasklist: 'inbox', task }, patch)
    one.crash()
    one.disk.data = structuredClone(memoryDisk().data)
    await one.start()
    await one.replica.setOffline(false)
    await one.quiesce()
    expect(one.replica.outbox()[0]).toMatchObject({ conflict: { unseen: [recordKey('tasks', 'inbox', task)] } })
  })

  it('shows no alert when all is well', async () => {
    const { device: one } = await device()
    await one.start()
    expect(one.replica.notices()).toEqual([])
    expect(one.replica.outbox()).toHaveLength(1)
  })

  it('sets aside unreadable data with its content, and says so', async () => {
    const { device: one } = await device()
    const [entry] = one.disk.data.outbox.values()
    one.disk.data.outbox.set('0', { id: '0', patch: 'from another age' } as never)
    await one.start()
    expect(one.replica.outbox()).toMatchObject([{ id: entry!.id }])
    expect([...one.disk.data.unreadable.values()]).toMatchObject([
      { table: 'outbox', text: expect.stringContaining('from another age') },
    ])
    expect(one.replica.notices()[0]!.text).toContain('from another age')
  })

  it.each<[string, (deleted: Stored) => unknown, boolean]>([
    ['as it was', (deleted) => deleted, true],
    ['of another record', (deleted) => ({ ...deleted, key: 'tasks\ninbox\nother' }), false],
    ['of a collection that this version lacks', ofItem({ collection: 'notebooks' }), false],
    ['with an unreadable place', ofItem({ place: { parent: 7 } }), false],
    ['with unreadable edits', ofItem({ dropped: [{}] }), false],
  ])('reads a deleted record whole, or leaves it for a newer version: %s', async (_what, changed, isListed) => {
    const { device: one } = await device()
    await one.start()
    const { key } = one.replica.rows('tasks')[0]!
    await one.replica.edit([{ kind: 'delete', key }], { label: 'Delete' })
    one.crash()
    const { meta } = one.disk.data
    const [name, stored] = [...meta].find(([name]) => name.startsWith('deleted '))! as unknown as [
      string,
      { value: Stored },
    ]
    meta.set(name, { ...stored, value: changed(stored.value) } as never)
    await one.start()
    expect([one.replica.deleted().length, meta.has(name)]).toEqual([isListed ? 1 : 0, true])
  })

  it.each([
    ['of a kind that this version lacks', { kind: 'renumbered', key: 'tasks\ninbox\nt1' }],
    ['without the value it left', { kind: 'fields', key: 'tasks\ninbox\nt1', before: { title: 'Milk' } }],
    ['of a collection that this version lacks', { kind: 'created', key: 'notebooks\n\nn1' }],
  ])(
    'sets aside an undo step with an effect %s, with all its parts, and undoes the one before',
    async (_what, item) => {
      const { device: one } = await device()
      const [step] = one.disk.data.undo.values()
      const later = { ...step!, id: `${step!.id}z`, label: 'Later' }
      const part = { ...later, id: `${later.id}.000001`, of: later.id, items: [item] }
      one.disk.data.undo.set(later.id, later)
      one.disk.data.undo.set(part.id, part as never)
      await one.start()
      expect([...one.disk.data.unreadable.values()].map(({ table, id }) => [table, id]).sort()).toEqual([
        ['undo', later.id],
        ['undo', part.id],
      ])
      expect(one.replica.notices()).toMatchObject([{ title: 'Couldn’t read some saved data' }])
      expect(await one.replica.undo()).toBe('New')
      expect([one.replica.outbox(), await one.replica.undo()]).toEqual([[], null])
    },
  )

  it('restores the outbox from the journal when the database is unreadable', async () => {
    const { device: one, service } = await device()
    const broken = [...one.disk.data.rows.keys()]
    one.disk.data.outbox = new Proxy(one.disk.data.outbox, {
      get: () => {
        throw new Error('Corruption: block checksum mismatch')
      },
    })
    await one.start()
    expect(broken.length).toBeGreaterThan(0)
    expect(one.replica.notices()[0]!.text).toContain('was damaged')
    await one.quiesce()
    expect(service.living('tasks inbox')).toMatchObject([{ title: 'Keep me' }])
  })

  it('sends nothing twice and keeps the latest text when the database is older than the journal', async () => {
    const { clock, device: one, service } = await device()
    await one.start()
    const edit = async (change: Change): Promise<string> =>
      (await one.replica.edit([change], { label: 'Edit' })).keys[0]!
    await one.replica.setOffline(true)
    const list = await edit({ kind: 'create', collection: 'tasklists', parent: null, value: { title: 'List' } })
    const parent = parseRecordKey(list).id
    const task = await edit({ kind: 'create', collection: 'tasks', parent, value: { title: 'First' } })
    const old = structuredClone(one.disk.data)
    await edit({ kind: 'change', key: task, patch: { notes: 'Typed later' } })
    let sent = 0
    one.beforeAnswer = (name) => (name === 'sync/push' && ++sent > 2 ? new Promise(() => undefined) : undefined)
    await one.replica.setOffline(false)
    await clock.pass(2_000)
    expect(one.replica.outbox()).toMatchObject([{ collection: 'tasks', state: 'sending' }])
    one.crash()
    one.disk.data = old
    one.beforeAnswer = null
    await one.start()
    await one.quiesce()
    expect(one.replica.outbox()).toEqual([])
    expect(service.living('tasks inbox')).toMatchObject([{ title: 'Keep me' }])
    const lists = one.replica.rows('tasklists').filter(({ value }) => value?.['title'] === 'List')
    expect(lists).toHaveLength(1)
    expect(service.living(`tasks ${lists[0]!.id}`)).toMatchObject([{ title: 'First', notes: 'Typed later' }])
  })
})
