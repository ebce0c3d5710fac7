import { beforeEach, describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { AppContext, Place } from '../../../../src-renderer/context/context'
import type { Change, HistoryItem, Replica } from '../../../../src-renderer/replica/api'
import { MemoryStore } from '../../../../src-renderer/replica/memory-store'
import { SyncModel } from '../../../../src-renderer/views/sync/model.svelte'
import { revertOf } from '../../../../src-renderer/views/sync/revert'
import { entriesTitle, entryTitle } from '../../../../src-renderer/context/change-words'
import { seeded, VirtualClock } from '../../../flows/model/clock'
import { Device } from '../../../flows/model/device'
import { ModelService } from '../../../flows/model/service'

const profile = '7'
const count = 30

describe('drafts in the queue', () => {
  let replica: Replica
  let scans: number
  let said: string[]
  let went: unknown[]
  /** Where Campaigns was left. */
  let last: Place | undefined
  let putBack: (() => void) | undefined

  /** The replica, with a counter for full queue reads. */
  const app = (): AppContext =>
    ({
      replica: new Proxy(replica, {
        get(target, name: keyof Replica) {
          if (name === 'outbox') scans++
          const member: unknown = Reflect.get(target, name, target)
          return typeof member === 'function' ? (member.bind(target) as unknown) : member
        },
      }),
      navigation: { go: (...place: unknown[]) => void went.push(place), lastOf: () => last },
      announce: (text: string) => said.push(text),
      undoNext: () => undefined,
      toasts: { show: (_text: string, { action }: { action?: { run: () => void } } = {}) => (putBack = action?.run) },
      edit: (...args: Parameters<Replica['edit']>) => replica.edit(...args),
    }) as unknown as AppContext
  const drafts = (): OutboxEntry[] => replica.outbox().filter(({ held }) => held)

  beforeEach(async () => {
    scans = 0
    said = []
    went = []
    last = undefined
    const clock = new VirtualClock()
    const device = new Device('one', new ModelService(() => clock.time), clock, seeded(1))
    const store = new MemoryStore(device.disk)
    await store.open()
    await store.write(
      Array.from({ length: count }, (_, index) => {
        const id = String(100 + index)
        const key = recordKey('sites', profile, id)
        const value = { id, name: `Site ${id}` }
        return {
          table: 'rows',
          put: { key, collection: 'sites', parent: profile, id, value: undefined, base: value, complete: true },
        } as never
      }),
    )
    await store.close()
    replica = await device.start()
    await clock.pass(1_000)
    replica.pause(true)
    await replica.edit(
      Array.from({ length: count }, (_, index) => ({
        kind: 'change',
        key: recordKey('sites', profile, String(100 + index)),
        patch: { keyName: `k${index}`, name: `New ${index}` },
      })),
      { label: 'Rename sites' },
    )
  })

  it('are discarded in one step with a fixed number of queue reads', async () => {
    expect(drafts()).toHaveLength(count)
    const model = new SyncModel(app())
    await model.withdrawStep({ id: 'step', entries: drafts(), large: true })
    expect(replica.outbox()).toEqual([])
    expect(said).toEqual([`Discarded ${count} changes from “Change 30 sites: key name and name”`])
    // Outside a window, no list is remembered between its readers.
    expect(scans).toBeLessThan(count)
  })

  it('are posted where they are checked, in Campaigns', () => {
    const model = new SyncModel(app())
    model.post()
    const [first, ...others] = drafts() as [OutboxEntry, ...OutboxEntry[]]
    model.post([first, ...others])
    model.post([first])
    const place = (post: string) => ['campaigns', { kind: 'sites', post, profile }]
    expect(went).toEqual([place('all'), place(first.group), place(first.id)])
    const within = recordKey('campaigns', profile, '20')
    last = { view: 'campaigns', params: { kind: 'ads', profile, within, record: recordKey('ads', profile, '1') } }
    model.post()
    model.post([first])
    last = { view: 'campaigns', params: { kind: 'ads', profile: '8' } }
    model.post()
    const inside = ['campaigns', { kind: 'ads', profile, within, post: 'all' }]
    expect(went.slice(3)).toEqual([inside, place(first.id), place('all')])
    expect(drafts()).toHaveLength(count)
  })

  it('say what differs, not what the last edit was called', async () => {
    const key = recordKey('sites', profile, '100')
    await replica.edit([{ kind: 'change', key, patch: { keyName: 'Site 100', name: 'Site 100' } }], { label: 'Back' })
    await replica.edit([{ kind: 'change', key, patch: { keyName: 'k' } }], { label: 'Change 30 sites: name' })
    expect(entryTitle(drafts().find(({ recordId }) => recordId === '100')!)).toBe('Change *Site 100*: key name')
    expect(entriesTitle(drafts().filter(({ recordId }) => recordId !== '100'))).toBe(
      'Change 29 sites: key name and name',
    )
  })

  it('say which draft they need', async () => {
    const { keys } = await replica.edit(
      [{ kind: 'create', collection: 'advertiserLandingPages', parent: profile, value: { name: 'Spring' } }],
      { label: 'New page' },
    )
    const page = keys[0]!.split('\n')[2]!
    const value = { name: 'Autumn', defaultLandingPageId: page }
    await replica.edit([{ kind: 'create', collection: 'campaigns', parent: profile, value }], { label: 'New campaign' })
    const campaign = drafts().find(({ collection }) => collection === 'campaigns')!
    expect(new SyncModel(app()).reason(campaign)).toBe('Not sent until you post it, together with “New page”')
    expect(await replica.post([campaign.id])).toBe(2)
    expect(drafts()).toHaveLength(count)
    const posted = replica.outbox().find(({ id }) => id === campaign.id)!
    expect(new SyncModel(app()).reason(posted)).toBe('Waiting for “New page”')
  })

  it('that refer to a discarded one stay, are counted, and refer to it again after undo', async () => {
    const page = { kind: 'create', collection: 'advertiserLandingPages', parent: profile, value: { name: 'Spring' } }
    const { keys } = await replica.edit([page as Change], { label: 'New page' })
    const id = keys[0]!.split('\n')[2]!
    const value = { name: 'Autumn', defaultLandingPageId: id }
    const campaign = { kind: 'create', collection: 'campaigns', parent: profile, value } as const
    await replica.edit([campaign], { label: 'New campaign' })
    const made = replica.outbox().find(({ recordId }) => recordId === id)!
    const [{ id: refers }] = replica.outbox().slice(-1) as [OutboxEntry]
    const patchOf = (): unknown => replica.outbox().find((entry) => entry.id === refers)!.patch
    await new SyncModel(app()).withdraw(made)
    expect(said.at(-1)).toBe('Discarded “New page”. 1 other change no longer refers to what was discarded')
    expect(patchOf()).toEqual({ name: 'Autumn' })
    putBack!()
    await expect.poll(patchOf).toEqual(value)
    expect(replica.outbox().find((entry) => entry.id === refers)!.dependsOn).toHaveLength(1)
  })
})

describe('rejected changes', () => {
  const rejected = (id: string, collection: string, message: string): OutboxEntry =>
    ({
      id,
      collection,
      state: 'needsYou',
      kind: 'change',
      patch: {},
      base: {},
      fault: { code: 'invalid', message },
    }) as unknown as OutboxEntry
  it('of one kind for one reason belong together', () => {
    const entries = [
      rejected('a', 'placements', 'Too late'),
      rejected('b', 'ads', 'Too late'),
      rejected('c', 'placements', 'Too late'),
      { ...rejected('d', 'placements', 'Too late'), conflict: { remote: {}, fields: [], merged: {} } },
      rejected('e', 'events', 'Too late'),
      rejected('f', 'events', 'Too late'),
    ]
    const model = new SyncModel({ replica: { outbox: () => entries } } as unknown as AppContext)
    const ids = model.rejections.map(({ entries }) => entries.map(({ id }) => id).join(''))
    expect(ids).toEqual(['ac', 'b', 'd', 'e', 'f'])
  })
})

describe('a step of sent changes', () => {
  it('is reverted at once, field by field, without what others changed since', () => {
    const model = new SyncModel({ replica: { peek: () => ({ value: {} }) } } as unknown as AppContext)
    const item = (recordId: string, base: JsonObject, patch: JsonObject): HistoryItem =>
      ({
        id: recordId,
        how: 'confirmed',
        entry: { collection: 'sites', parent: '7', recordId, kind: 'change', base, patch },
      }) as unknown as HistoryItem
    const items = [item('1', { name: 'A' }, { name: 'B' }), item('2', { name: 'C', keyName: 'k' }, { keyName: null })]
    expect(model.backOfStep({ id: 'step', items })).toEqual([
      {
        kind: 'places',
        key: recordKey('sites', '7', '1'),
        edits: [{ path: 'name', value: 'A' }],
        upon: { values: { name: 'B' } },
      },
      {
        kind: 'places',
        key: recordKey('sites', '7', '2'),
        edits: [{ path: 'keyName', value: 'k' }],
        upon: { values: { keyName: null } },
      },
    ])
  })
})

describe('a sent change', () => {
  it('can be undone without its body in memory', async () => {
    const clock = new VirtualClock()
    const replica = await new Device('one', new ModelService(() => clock.time), clock, seeded(1)).start()
    const entry = { collection: 'placements', parent: '7', recordId: '11', kind: 'change' } as const
    const item = {
      entry: { ...entry, patch: { name: 'New' }, base: { name: 'Old', comment: 'x' } },
    } as unknown as HistoryItem
    const key = recordKey('placements', '7', '11')
    expect(replica.peek(key)).toBeUndefined()
    expect(revertOf(replica, item)).toEqual([
      { kind: 'places', key, edits: [{ path: 'name', value: 'Old' }], upon: { values: { name: 'New' } } },
    ])
  })
})
