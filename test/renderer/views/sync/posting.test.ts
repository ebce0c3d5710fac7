import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { AppContext } from '../../../../src-renderer/context/context'
import type { Change, HistoryItem, Replica } from '../../../../src-renderer/replica/api'
import { MemoryStore } from '../../../../src-renderer/replica/memory-store'
import { SyncModel } from '../../../../src-renderer/views/sync/model.svelte'
import { postedWords } from '../../../../src-renderer/views/sync/entry-labels'
import { seeded, VirtualClock } from '../../../flows/model/clock'
import { Device } from '../../../flows/model/device'
import { ModelService } from '../../../flows/model/service'

const profile = '7'
const count = 30

describe('drafts in the queue', () => {
  let replica: Replica
  let scans: number
  let said: string[]
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
      announce: (text: string) => said.push(text),
      toasts: { show: (_text: string, { action }: { action?: { run: () => void } } = {}) => (putBack = action?.run) },
      edit: (...args: Parameters<Replica['edit']>) => replica.edit(...args),
    }) as unknown as AppContext
  const drafts = (): OutboxEntry[] => replica.outbox().filter(({ held }) => held)

  afterEach(() => void vi.unstubAllGlobals())
  beforeEach(async () => {
    // There's no page that could receive focus.
    vi.stubGlobal('requestAnimationFrame', () => 0)
    scans = 0
    said = []
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
    expect(said).toEqual([`Discarded ${count} changes from “Rename sites”`])
    expect(scans).toBeLessThan(3)
  })

  it('need a confirmation before many are posted', async () => {
    const model = new SyncModel(app())
    model.postAll()
    expect(model.asked).toBe(count)
    expect(drafts()).toHaveLength(count)
    await model.post()
    expect(model.asked).toBeNull()
    expect(drafts()).toEqual([])
    expect(replica.outbox()).toHaveLength(count)
    expect(said).toEqual([`Posted ${count} changes. They’ll be sent when you resume sending.`])
  })

  it('are posted one by one with their dependencies', async () => {
    const { keys } = await replica.edit(
      [{ kind: 'create', collection: 'advertiserLandingPages', parent: profile, value: { name: 'Spring' } }],
      { label: 'New page' },
    )
    const page = keys[0]!.split('\n')[2]!
    await replica.edit(
      [
        {
          kind: 'create',
          collection: 'campaigns',
          parent: profile,
          value: { name: 'Autumn', defaultLandingPageId: page },
        },
      ],
      { label: 'New campaign' },
    )
    const campaign = drafts().find(({ collection }) => collection === 'campaigns')!
    const model = new SyncModel(app())
    expect(model.reason(campaign)).toBe('Not sent until you post it, together with “New page”')
    await model.post([campaign.id])
    expect(said.at(-1)).toBe(
      'Posted 2 changes, including 1 draft that others need. They’ll be sent when you resume sending.',
    )
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
    expect(said.at(-1)).toBe('Discarded “New page”. 1 other change no longer refers to it')
    expect(patchOf()).toEqual({ name: 'Autumn' })
    putBack!()
    await expect.poll(patchOf).toEqual(value)
    expect(replica.outbox().find((entry) => entry.id === refers)!.dependsOn).toHaveLength(1)
  })
})

describe('the result of posting', () => {
  const online = { offline: false, paused: false }
  it('is the count with dependencies', () => {
    expect(postedWords(12, 12, online)).toBe('Posted 12 changes')
    expect(postedWords(3, 1, online)).toBe('Posted 3 changes, including 2 drafts that others need')
  })
  it('says when changes will be sent, if not now', () => {
    expect(postedWords(1, 1, { offline: true, paused: false })).toBe(
      'Posted 1 change. It’ll be sent when you’re online.',
    )
  })
})

describe('a sent change', () => {
  it('can be undone without its body in memory', async () => {
    const clock = new VirtualClock()
    const replica = await new Device('one', new ModelService(() => clock.time), clock, seeded(1)).start()
    const model = new SyncModel({ replica } as unknown as AppContext)
    const entry = { collection: 'placements', parent: '7', recordId: '11', kind: 'change' } as const
    const item = {
      entry: { ...entry, patch: { name: 'New' }, base: { name: 'Old', comment: 'x' } },
    } as unknown as HistoryItem
    const key = recordKey('placements', '7', '11')
    expect(replica.peek(key)).toBeUndefined()
    expect(model.backOf(item)).toEqual({ kind: 'change', key, patch: { name: 'Old' } })
  })
})
