import { beforeEach, describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { renameId } from '#shared/mutation/rename'
import type { Replica } from '../../../src-renderer/replica/api'
import { MemoryStore } from '../../../src-renderer/replica/memory-store'
import { orphaned } from '../../../src-renderer/sync/queue'
import { seeded, VirtualClock } from '../../flows/model/clock'
import { Device } from '../../flows/model/device'
import { ModelService } from '../../flows/model/service'

const profile = '7'
const placement: JsonObject = { id: '11', name: 'Skyscraper', archived: false }

describe('records that refer to each other', () => {
  let device: Device
  const replica = (): Replica => device.replica
  const create = async (collection: CollectionName, value: JsonObject, parent = profile): Promise<string> =>
    (await replica().edit([{ kind: 'create', collection, parent, value }], { label: `New ${collection}` })).keys[0]!
  const change = (key: string, patch: JsonObject): Promise<unknown> =>
    replica().edit([{ kind: 'change', key, patch }], { label: 'Change' })
  const idOf = (key: string): string => parseRecordKey(key).id
  const entryOf = (key: string): OutboxEntry =>
    replica()
      .outbox()
      .filter((entry) => recordKey(entry.collection, entry.parent, entry.recordId) === key)
      .at(-1)!

  beforeEach(async () => {
    const clock = new VirtualClock()
    device = new Device('one', new ModelService(() => clock.time), clock, seeded(1))
    const key = recordKey('placements', profile, '11')
    const store = new MemoryStore(device.disk)
    await store.open()
    const row = { key, collection: 'placements', parent: profile, id: '11', base: placement, complete: true } as const
    await store.write([{ table: 'rows', put: row }])
    await store.close()
    await device.start()
    await clock.pass(1_000)
    replica().pause(true)
  })

  it('are sent in order: a new one after the ones it refers to, at any depth', async () => {
    const page = await create('advertiserLandingPages', { name: 'Spring', url: 'https://www.example/' })
    const slot = await create('placements', { name: 'New' })
    const ad = await create('ads', {
      name: 'Rotation',
      placementAssignments: [{ placementId: idOf(slot) }],
      clickThroughUrl: { landingPageId: idOf(page) },
    })
    expect([...entryOf(ad).dependsOn].sort()).toEqual([entryOf(page).id, entryOf(slot).id].sort())
    expect(entryOf(slot).dependsOn).toEqual([])
  })

  it('name their references in a change and in a pending edit', async () => {
    const key = recordKey('placements', profile, '11')
    const group = await create('placementGroups', { name: 'Package' })
    await change(key, { placementGroupId: idOf(group) })
    expect(entryOf(key).dependsOn).toEqual([entryOf(group).id])
    const page = await create('advertiserLandingPages', { name: 'Late' })
    const campaign = await create('campaigns', { name: 'Autumn' })
    await change(campaign, { defaultLandingPageId: idOf(page) })
    expect(entryOf(campaign)).toMatchObject({ kind: 'create', dependsOn: [entryOf(page).id] })
  })

  it('come back without references to new ones that were discarded since', async () => {
    const page = await create('advertiserLandingPages', { name: 'Spring', url: 'https://www.example/' })
    const campaign = await create('campaigns', { name: 'Autumn', defaultLandingPageId: idOf(page) })
    await replica().edit([{ kind: 'delete', key: campaign }], { label: 'Delete' })
    await replica().withdraw(entryOf(page).id)
    await replica().undo()
    expect(replica().outbox()).toMatchObject([{ kind: 'create', dependsOn: [] }])
    expect(replica().outbox()[0]!.patch).toEqual({ name: 'Autumn' })

    const key = recordKey('placements', profile, '11')
    const group = await create('placementGroups', { name: 'Package' })
    await change(key, { placementGroupId: idOf(group), comment: 'Ask Mina' })
    await change(key, { placementGroupId: null, comment: 'Ask Tom' })
    await replica().withdraw(entryOf(group).id)
    await replica().undo()
    expect(replica().peek(key)!.value).toMatchObject({ comment: 'Ask Mina' })
    expect(replica().peek(key)!.value).not.toHaveProperty('placementGroupId')
  })

  it('lose their references when a new one is deleted after the database was lost', async () => {
    const page = await create('advertiserLandingPages', { name: 'Spring', url: 'https://www.example/' })
    const campaign = recordKey('campaigns', profile, '21')
    const store = new MemoryStore(device.disk)
    await store.open()
    const base = { id: '21', name: 'Autumn', defaultLandingPageId: '31' }
    const row = { key: campaign, collection: 'campaigns', parent: profile, id: '21', base, complete: true } as const
    await store.write([{ table: 'rows', put: row }])
    await store.close()
    device.crash()
    await device.start()
    replica().pause(true)
    await change(campaign, { defaultLandingPageId: idOf(page) })
    device.crash()
    for (const table of Object.values(device.disk.data)) table.clear()
    await device.start()
    replica().pause(true)
    await replica().edit([{ kind: 'delete', key: page }], { label: 'Delete' })
    expect(replica().outbox()).toEqual([])
  })

  it('that refer to each other take two steps without deadlock', async () => {
    const slot = await create('placements', { name: 'Primary' })
    const group = await create('placementGroups', { name: 'Roadblock', primaryPlacementId: idOf(slot) })
    await change(slot, { placementGroupId: idOf(group) })
    const [made, later] = replica()
      .outbox()
      .filter(({ recordId }) => recordId === idOf(slot))
    expect(made).toMatchObject({ kind: 'create', dependsOn: [] })
    expect(later).toMatchObject({ kind: 'change', patch: { placementGroupId: idOf(group) } })
    expect(later!.dependsOn).toContain(entryOf(group).id)
    expect(replica().peek(slot)!.value).toMatchObject({ name: 'Primary', placementGroupId: idOf(group) })
  })

  it.each(['campaign', 'event tag', 'landing page', 'group', 'placement', 'ad'])(
    'in circles come back with all of that when the deletion of the new %s is undone',
    async (deleted) => {
      const dates = { startDate: '2026-03-01', endDate: '2026-04-01' }
      const advertiser = await create('advertisers', { name: 'advertiser' })
      const owner = { advertiserId: idOf(advertiser) }
      const page = await create('advertiserLandingPages', {
        name: 'landing page',
        url: 'https://www.example/',
        ...owner,
      })
      const campaign = await create('campaigns', {
        name: 'campaign',
        ...owner,
        ...dates,
        defaultLandingPageId: idOf(page),
      })
      const within = { campaignId: idOf(campaign) }
      const tag = await create('eventTags', { name: 'event tag', url: 'https://tag.example/', ...within })
      await change(campaign, { defaultClickThroughEventTagProperties: { defaultClickThroughEventTagId: idOf(tag) } })
      const group = await create('placementGroups', { name: 'group', ...within })
      const slot = await create('placements', { name: 'placement', placementGroupId: idOf(group), ...within })
      await change(group, { primaryPlacementId: idOf(slot) })
      await create('ads', {
        name: 'ad',
        ...within,
        placementAssignments: [{ placementId: idOf(slot), active: true }],
        clickThroughUrl: { landingPageId: idOf(page) },
        eventTagOverrides: [{ id: idOf(tag), enabled: true }],
      })
      /** Content by record, with names for IDs. */
      const content = (): Record<string, JsonObject> => {
        const made: Record<string, JsonObject> = {}
        for (const { recordId, patch } of replica().outbox()) made[recordId] = { ...made[recordId], ...patch }
        const names = Object.entries(made).map(([id, { name }]) => [id, String(name)] as const)
        const named = names.reduce((all, [id, name]) => renameId(all, id, name), Object.values(made))
        return Object.fromEntries(named.map((one) => [String(one.name), one]))
      }
      const before = content()
      const keyOf = (): string => {
        const { collection, parent, recordId } = replica()
          .outbox()
          .find(({ patch }) => patch.name === deleted)!
        return recordKey(collection, parent, recordId)
      }
      await replica().edit([{ kind: 'delete', key: keyOf() }], { label: 'Delete' })
      expect(content()).not.toHaveProperty(deleted)
      await replica().undo()
      expect(content()).toEqual(before)
    },
  )

  it('get real IDs inside texts and in the path of nested records', async () => {
    const list = await create('remarketingLists', { name: 'Visitors' })
    const field = await create('creativeFields', { name: 'Season' })
    const value = await create('creativeFieldValues', { value: 'Spring' }, `${profile}/${idOf(field)}`)
    const ad = await create('ads', {
      name: 'Again',
      remarketingListExpression: { expression: `(${idOf(list)} OR 31)` },
    })
    expect(entryOf(ad).dependsOn).toEqual([entryOf(list).id])
    const renamed = renameId(entryOf(ad), idOf(list), '500')
    expect(renamed.patch).toMatchObject({ remarketingListExpression: { expression: '(500 OR 31)' } })
    expect(entryOf(value).dependsOn).toEqual([entryOf(field).id])
    expect(renameId(entryOf(value), idOf(field), '600').parent).toBe(`${profile}/600`)
    expect(orphaned(factsOf(), entryOf(ad))).toBe(idOf(list))
  })

  it("are archived where the service can't delete, and undo unarchives them", async () => {
    const key = recordKey('placements', profile, '11')
    await replica().edit([{ kind: 'delete', key }], { label: 'Archive *Skyscraper*' })
    expect(entryOf(key)).toMatchObject({ kind: 'change', patch: { archived: true } })
    await replica().undo()
    expect(replica().outbox()).toEqual([])
    expect((await replica().read(key))!.value).toEqual(placement)
  })

  it('lose their references when a creation is undone, and redo restores them', async () => {
    const key = recordKey('placements', profile, '11')
    const page = await create('advertiserLandingPages', { name: 'Spring', url: 'https://www.example/' })
    const group = await create('placementGroups', { name: 'Package' })
    const slot = await create('placements', { name: 'New' })
    const assigned = { placementId: '11', active: true }
    const ad = await create('ads', {
      name: 'Rotation',
      placementAssignments: [{ placementId: idOf(slot), active: true }, assigned],
      clickThroughUrl: { landingPageId: idOf(page) },
    })
    await change(key, { name: 'Other', placementGroupId: idOf(group) })
    const remove = (gone: readonly string[]): Promise<unknown> =>
      replica().edit(
        gone.map((one) => ({ kind: 'delete', key: one })),
        { label: 'Not these' },
      )
    await remove([page, group, slot])
    expect(
      replica()
        .outbox()
        .map(({ recordId }) => recordId),
    ).toEqual([idOf(ad), '11'])
    expect(entryOf(ad)).toMatchObject({ patch: { name: 'Rotation', placementAssignments: [assigned] } })
    expect(entryOf(ad).patch).not.toHaveProperty('clickThroughUrl')
    expect(entryOf(key).patch).toEqual({ name: 'Other' })
    expect(
      replica()
        .outbox()
        .map((entry) => orphaned(factsOf(), entry)),
    ).toEqual([undefined, undefined])
    await replica().undo()
    const [again] = replica().rows('advertiserLandingPages')
    expect(entryOf(ad).patch).toMatchObject({ clickThroughUrl: { landingPageId: again!.id } })
    expect(entryOf(ad).dependsOn).toHaveLength(2)
    expect(entryOf(key).patch).toEqual({ name: 'Other', placementGroupId: replica().rows('placementGroups')[0]!.id })
  })

  it('no longer wait after the reference is removed: they post alone and survive a discard', async () => {
    const key = recordKey('placements', profile, '11')
    const group = await create('placementGroups', { name: 'Package' })
    await change(key, { name: 'Other', placementGroupId: idOf(group) })
    expect(entryOf(key).dependsOn).toEqual([entryOf(group).id])
    await change(key, { placementGroupId: null })
    expect(entryOf(key).dependsOn).toEqual([])
    expect(await replica().post([entryOf(key).id])).toBe(1)
    await replica().withdraw(entryOf(group).id)
    expect(
      replica()
        .outbox()
        .map(({ patch }) => patch),
    ).toEqual([{ name: 'Other' }])
  })

  it('drop optional references on discard, while required ones are discarded along', async () => {
    const key = recordKey('placements', profile, '11')
    const advertiser = await create('advertisers', { name: 'Nordic' })
    const page = await create('advertiserLandingPages', { name: 'Spring', url: '', advertiserId: idOf(advertiser) })
    const group = await create('placementGroups', { name: 'Package' })
    const dates = { startDate: '2026-03-01', endDate: '2026-04-01' }
    const needed = { name: 'Spring', advertiserId: idOf(advertiser), ...dates }
    const campaign = await create('campaigns', { ...needed, defaultLandingPageId: idOf(page) })
    const ad = await create('ads', {
      name: 'Rotation',
      clickThroughUrl: { landingPageId: idOf(page) },
      placementAssignments: [{ placementId: '11', active: true }],
    })
    await change(key, { name: 'Other', placementGroupId: idOf(group) })
    const waiting = (): JsonObject[] =>
      replica()
        .outbox()
        .map(({ patch }) => patch)
    await replica().post()
    await replica().withdraw(entryOf(page).id)
    expect(entryOf(campaign)).toMatchObject({ patch: needed, dependsOn: [entryOf(advertiser).id], held: true })
    expect(entryOf(campaign).patch).not.toHaveProperty('defaultLandingPageId')
    expect(entryOf(ad)).toMatchObject({ label: 'New ads', dependsOn: [] })
    expect(entryOf(ad).patch).toEqual({ name: 'Rotation', placementAssignments: [{ placementId: '11', active: true }] })
    await replica().withdraw(entryOf(group).id)
    expect(entryOf(key)).toMatchObject({ patch: { name: 'Other' }, label: 'Change', dependsOn: [] })
    await replica().withdraw(entryOf(advertiser).id)
    expect(waiting()).toEqual([entryOf(ad).patch, { name: 'Other' }])
    const again = await create('placementGroups', { name: 'Again' })
    await change(recordKey('placements', profile, '11'), { name: placement.name!, placementGroupId: idOf(again) })
    await replica().withdraw(entryOf(again).id)
    expect(waiting()).toEqual([entryOf(ad).patch])
  })

  it('with a required reference are undone and redone with it', async () => {
    const advertiser = await create('advertisers', { name: 'Nordic' })
    const dates = { startDate: '2026-03-01', endDate: '2026-04-01' }
    const campaign = await create('campaigns', { name: 'Spring', advertiserId: idOf(advertiser), ...dates })
    await create('placements', { name: 'Slot', campaignId: idOf(campaign) })
    await replica().edit([{ kind: 'delete', key: advertiser }], { label: 'Delete' })
    expect(replica().outbox()).toEqual([])
    await replica().undo()
    const [nordic] = replica().rows('advertisers')
    const [spring] = replica().rows('campaigns')
    expect(spring!.value).toMatchObject({ name: 'Spring', advertiserId: nordic!.id })
    expect(
      replica()
        .outbox()
        .map(({ patch }) => patch.campaignId ?? patch.advertiserId ?? ''),
    ).toEqual(['', nordic!.id, spring!.id])
  })

  it('and their nested records are undone and redone together', async () => {
    const field = await create('creativeFields', { name: 'Season' })
    await create('creativeFieldValues', { value: 'Spring' }, `${profile}/${idOf(field)}`)
    await replica().edit([{ kind: 'delete', key: field }], { label: 'Delete' })
    expect(replica().outbox()).toEqual([])
    await replica().undo()
    const [again] = replica().rows('creativeFields')
    expect(replica().rows('creativeFieldValues', `${profile}/${again!.id}`)).toMatchObject([
      { value: { value: 'Spring' } },
    ])
  })

  it("are simply removed if never sent, and stay if they can't be deleted", async () => {
    const made = await create('placements', { name: 'Mistake' })
    await replica().edit([{ kind: 'delete', key: made }], { label: 'Delete' })
    expect(replica().outbox()).toEqual([])
    const id = 'content'
    const own = await create('campaignCreativeAssociations', { creativeId: id }, `${profile}/574`)
    expect(idOf(own)).toBe(id)
    expect(entryOf(own).patch).toEqual({ creativeId: id })
  })
})

describe('drafts', () => {
  it('wait with their dependencies until posted, and again after an edit', async () => {
    const clock = new VirtualClock()
    const device = new Device('one', new ModelService(() => clock.time), clock, seeded(1))
    const replica = await device.start()
    await clock.pass(1_000)
    const made = async (collection: CollectionName, value: JsonObject): Promise<string> =>
      (await replica.edit([{ kind: 'create', collection, parent: profile, value }], { label: 'New' })).keys[0]!
    const page = await made('advertiserLandingPages', { name: 'Spring' })
    const ad = await made('ads', { name: 'Ad', clickThroughUrl: { landingPageId: parseRecordKey(page).id } })
    await made('placements', { name: 'Slot' })
    await clock.pass(60_000)
    expect(replica.outbox().map(({ state, held }) => [state, held])).toEqual([
      ['waiting', true],
      ['waiting', true],
      ['waiting', true],
    ])
    expect(replica.status).toMatchObject({ unsent: 3, drafts: 3 })
    const { id } = replica.outbox().find(({ recordId }) => recordId === parseRecordKey(ad).id)!
    replica.pause(true)
    expect(await replica.post([id])).toBe(2)
    expect(replica.status).toMatchObject({ unsent: 3, drafts: 1 })
    await replica.edit([{ kind: 'change', key: ad, patch: { name: 'Other' } }], { label: 'Rename' })
    expect(replica.status.drafts).toBe(2)
    expect(await replica.post()).toBe(2)
    expect(replica.status.drafts).toBe(0)
  })

  it('become drafts again when edited while their records are being checked', async () => {
    const clock = new VirtualClock()
    const service = new ModelService(() => clock.time)
    service.trafficking.profiles.push({ id: profile, account: '1', name: 'Mine', mine: true })
    const keys = ['Left', 'Right'].map((name) => {
      const { id } = service.callAs('x', 'trafficking.advertisers.insert', { profileId: profile }, { name })!
      return recordKey('advertisers', profile, String(id))
    })
    const device = new Device('one', service, clock, seeded(1))
    const replica = await device.start()
    await clock.pass(2_000)
    await replica.download({ parent: profile, what: 'index' })
    await clock.pass(5_000)
    const rename = (key: string, name: string): Promise<unknown> =>
      replica.edit([{ kind: 'change', key, patch: { name } }], { label: name })
    for (const key of keys) await rename(key, 'Posted')
    let edited = false
    device.beforeAnswer = async (name) => {
      if (name !== 'sync/read-many' || edited) return
      edited = true
      for (const key of keys) await rename(key, `Not yet ${parseRecordKey(key).id}`)
    }
    await replica.post()
    await clock.pass(60_000)
    expect(edited).toBe(true)
    expect(service.calls.filter(({ id }) => id === 'trafficking.advertisers.patch')).toEqual([])
    expect(replica.status).toMatchObject({ unsent: 2, drafts: 2 })
  })
})
