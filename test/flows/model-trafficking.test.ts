import { beforeEach, describe, expect, it } from 'vitest'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import { pull } from '../../src-main/sync/pull'
import { readMany, readRecord } from '../../src-main/sync/read'
import { VirtualClock } from './model/clock'
import { ModelService } from './model/service'

/** Campaign requests of main, with the model in place of the service. */
describe('the trafficking model', () => {
  let clock: VirtualClock
  let service: ModelService
  const call = (id: string, params: JsonObject, body?: JsonObject): JsonObject =>
    service.callAs('me', `trafficking.${id}`, { profileId: '71', ...params }, body)!
  const refused = (id: string, params: JsonObject, body?: JsonObject): string => {
    try {
      return JSON.stringify(call(id, params, body))
    } catch (error) {
      return String(error)
    }
  }
  const advertiser = (name = 'Nordic'): JsonObject => call('advertisers.insert', {}, { name })
  const campaign = ({ id }: JsonObject, name = 'Spring'): JsonObject =>
    call('campaigns.insert', {}, { name, advertiserId: id!, startDate: '2026-03-01', endDate: '2026-04-01' })
  const page = ({ id }: JsonObject, name: string): JsonObject =>
    call('advertiserLandingPages.insert', {}, { name, url: 'https://www.example/', advertiserId: id! })

  beforeEach(() => {
    clock = new VirtualClock()
    service = new ModelService(() => clock.time)
    service.trafficking.profiles.push(
      { id: '71', account: '1', name: 'Mine', mine: true },
      { id: '72', account: '1', name: 'Theirs', mine: false },
      { id: '81', account: '2', name: 'Elsewhere', mine: true },
    )
  })

  it('supports pages, IDs, and parent filters', async () => {
    const one = advertiser()
    const other = advertiser('Alpine')
    for (let number = 0; number < 7; number++) page(one, `Page ${number}`)
    page(other, 'Other')
    const read = async (within?: Record<string, string[]>): Promise<unknown[]> => {
      const names: unknown[] = []
      for (let next: string | null = null; ;) {
        const request = { collection: 'advertiserLandingPages', parent: '71', cursor: null, page: next } as const
        const answer = await pull(service.client(), { ...request, ...(within && { within }) })
        names.push(...answer.records.map(({ value }) => value!.name))
        if (answer.nextPage === undefined) return names
        next = answer.nextPage
      }
    }
    expect(await read()).toHaveLength(8)
    expect(await read({ advertiserIds: [String(other.id)] })).toEqual(['Other'])
    const { records } = await readMany(service.client(), 'advertisers', '71', [String(one.id), '5'])
    expect(records.map(({ value }) => value?.name)).toEqual(['Nordic', undefined])
    expect((await readRecord(service.client(), 'advertisers', '81', String(one.id))).value).toBeNull()
  })

  it('covers every list', async () => {
    for (const { name, list, parents } of factsOf().all)
      if (list?.operation.startsWith('trafficking.') && name !== 'userProfiles' && parents.length < 2)
        await pull(service.client(), { collection: name, parent: '71', cursor: null, page: null })
    expect(service.calls.length).toBeGreaterThan(40)
  })

  it('rejects missing, duplicate, unknown, archived, foreign, and fixed values', () => {
    const one = advertiser()
    const other = advertiser('Alpine')
    const spring = campaign(one)
    const theirs = page(other, 'Theirs')
    const old = page(one, 'Old')
    call('advertiserLandingPages.patch', { id: old.id! }, { archived: true })
    const points = (id: unknown): string =>
      refused('campaigns.patch', { id: spring.id! }, { defaultLandingPageId: id as string })
    expect(refused('campaigns.insert', {}, { name: 'Bare' })).toContain('Required field')
    expect(refused('advertisers.insert', {}, { name: 'Alpine' })).toContain('unique')
    expect(points('5')).toContain('no such object')
    expect(points(old.id)).toContain('archived')
    expect(points(theirs.id)).toContain('another advertiser')
    expect(points(page(one, 'New').id)).not.toContain('Error')
    expect(refused('campaigns.patch', { id: spring.id! }, { advertiserId: other.id! })).toContain('cannot be changed')
    expect(service.trafficking.dangling()).toEqual([])
  })

  it('applies patches, clears empty values, and logs author and old value', async () => {
    const { id } = campaign(advertiser())
    await clock.pass(60_000)
    const since = new Date(clock.time).toISOString()
    service.callAs(
      'x',
      'trafficking.campaigns.patch',
      { profileId: '72', id: id! },
      { name: 'Autumn', comment: 'Hello' },
    )
    expect(call('campaigns.patch', { id: id! }, { comment: null })).not.toHaveProperty('comment')
    const logs = call('changeLogs.list', { minChangeTime: since, objectIds: [id!] }).changeLogs as JsonObject[]
    expect(
      logs.map(({ userProfileName, fieldName, oldValue, newValue }) => [
        userProfileName,
        fieldName,
        oldValue,
        newValue,
      ]),
    ).toEqual([
      ['Theirs', 'name', 'Spring', 'Autumn'],
      ['Theirs', 'comment', undefined, 'Hello'],
      ['Mine', 'comment', 'Hello', undefined],
    ])
    expect(service.trafficking.living('campaigns', '2')).toEqual([])
  })

  it('a list with a required filter is empty without it', () => {
    const { id } = advertiser()
    call('remarketingLists.insert', {}, { name: 'Visitors', advertiserId: id!, active: true })
    const count = (params: JsonObject): number =>
      (call('remarketingLists.list', params).remarketingLists as JsonObject[]).length
    expect([count({}), count({ advertiserId: id! })]).toEqual([0, 1])
  })
})

describe('the ledger of words', () => {
  it('distinguishes a lost update from an unchecked overwrite', async () => {
    const clock = new VirtualClock()
    const service = new ModelService(() => clock.time)
    service.trafficking.profiles.push({ id: '71', account: '1', name: 'Mine', mine: true })
    const params = { profileId: '71' }
    const { id } = service.callAs('x', 'trafficking.advertisers.insert', params, { name: 'm1' })!
    const rename = (who: string, name: string): Promise<unknown> =>
      service.client(who).call('trafficking.advertisers.patch', { ...params, id: String(id) }, { body: { name } })
    await readRecord(
      service.client('d0', () => ({ until: 0 })),
      'advertisers',
      '71',
      String(id),
    )
    service.callAs('x', 'trafficking.advertisers.patch', { ...params, id: id! }, { name: 'm2' })
    await rename('d0', 'm3')
    expect(service.ledger.slipped.map(({ word, of, by }) => [word, of, by])).toEqual([['m2', 'x', 'd0']])
    expect(service.ledger.overwritten).toEqual([])
    await rename('d1', 'm4')
    expect(service.ledger.overwritten).toHaveLength(1)
  })
})
