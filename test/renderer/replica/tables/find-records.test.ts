import { beforeEach, describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import type { FoundRecord } from '../../../../src-renderer/replica/api'
import { Commits } from '../../../../src-renderer/replica/commits'
import { systemEnvironment } from '../../../../src-renderer/replica/environment'
import { Memory } from '../../../../src-renderer/replica/memory'
import { memoryDisk, MemoryStore } from '../../../../src-renderer/replica/memory-store'
import type { StoredRow } from '../../../../src-renderer/replica/store'
import { FrameYield } from '../../../../src-renderer/replica/tables/frame-yield'
import { findRecords } from '../../../../src-renderer/replica/tables/find-records'
import type { Tx } from '../../../../src-renderer/replica/tx'
import { behaviors } from '../../../../src-renderer/behaviors'
import { entryOf } from '../store.conformance'
import { silentBridge } from '../../../helpers/silent-bridge'

let memory: Memory
let store: MemoryStore
let commits: Commits
const write = (work: (tx: Tx) => void): Promise<void> => commits.run('sync', work).saved
const row = (collection: CollectionName, id: string, base: JsonObject, parent = '7'): StoredRow => ({
  key: recordKey(collection, parent, id),
  collection,
  parent,
  id,
  base: { id, ...base },
  complete: true,
})
const put = (...rows: StoredRow[]): Promise<void> => write((tx) => rows.forEach((one) => tx.putRow(one, true)))
const find = (text: string, limit = 10, signal?: AbortSignal): Promise<FoundRecord[]> =>
  findRecords(memory, text, limit, new FrameYield(systemEnvironment, signal))
const ids = async (text: string, limit?: number): Promise<string[]> =>
  (await find(text, limit)).map(({ key }) => parseRecordKey(key).id)

beforeEach(async () => {
  memory = new Memory(behaviors)
  // Every row goes into a block of three at once, so some blocks get outdated rows.
  store = new MemoryStore(memoryDisk(), { limits: { minRows: 1, loose: 1, rows: 3 } })
  await store.open()
  store.onMoved((moved) => memory.follow(moved))
  commits = new Commits(memory, store, silentBridge, () => undefined)
})

// One collection has columns in blocks, and the other is in memory. Same rows, same results.
describe.each(['placements', 'placementGroups'] as const)('records of %s', (collection) => {
  const one = (id: string, base: JsonObject, parent?: string): StoredRow => row(collection, id, base, parent)

  it('match words of names in any order: start of name, start of word, then inside', async () => {
    await put(
      one('1', { name: 'Snowshoe' }),
      one('2', { name: 'Winter_Shoe 300x250' }),
      one('3', { name: 'Shoe sale, winter' }),
      one('4', { name: 'Boots' }),
      one('5', {}),
      one('6', { name: 'Shoe' }),
    )
    await commits.settled()
    expect(await ids('shoe')).toEqual(['6', '3', '2', '1'])
    expect(await ids('SHOE winter')).toEqual(['3', '2'])
    expect(await ids('winter shoe')).toEqual(['2', '3'])
    expect(await ids('inter hoe')).toEqual(['3', '2'])
    expect(await ids('sho', 2)).toEqual(['6', '3'])
    expect(await ids('shoebo'), 'no name goes on in the next').toEqual([])
    expect(await ids('  ')).toEqual([])
    expect(await ids('shoe', 0)).toEqual([])
  })

  it('come before what no one writes, such as permissions, however it matches', async () => {
    await put(
      row('accountPermissions', '80', { name: 'Campaign' }),
      row('accountPermissions', '81', { name: 'View campaigns' }),
      one('1', { name: 'Subcampaign' }),
      one('2', { name: 'Old campaign', archived: true }),
    )
    await commits.settled()
    expect(await ids('campaign')).toEqual(['1', '2', '80', '81'])
    expect(await ids('campaign', 2)).toEqual(['1', '2'])
    expect(await ids('81')).toEqual(['81'])
  })

  it('match a full ID before any name, with archived ones last', async () => {
    await put(
      one('12', { name: 'A thousand' }),
      one('123', { name: 'B', archived: true }),
      one('4', { name: '123 first' }),
      one('5', { name: '123', archived: true }),
      one('6', { name: 'No 5123' }),
      one('1234', { name: 'Another' }),
    )
    await commits.settled()
    expect(await ids('123')).toEqual(['123', '4', '6', '5'])
    expect(await ids('#12')).toEqual(['12'])
    expect((await find('123'))[0]).toMatchObject({ name: 'B', archived: true })
  })

  it('match regardless of accents and case', async () => {
    await put(one('1', { name: 'ÄRMEL İzmir' }), one('2', { name: 'Straße' }), one('3', { name: 'Café' }))
    await commits.settled()
    expect(await ids('armel')).toEqual(['1'])
    expect(await ids('izmir')).toEqual(['1'])
    expect(await ids('strasse')).toEqual(['2'])
    expect(await ids('CAFE')).toEqual(['3'])
  })

  it('include pending edits and latest changes, without deleted ones', async () => {
    await put(one('1', { name: 'Kessel' }), one('2', { name: 'Kessel two' }), one('3', { name: 'Kessel three' }))
    await commits.settled()
    expect(await ids('kessel')).toEqual(['1', '3', '2'])
    await put(one('1', { name: 'Pot' }))
    await write((tx) => tx.removeRow(recordKey(collection, '7', '2')))
    await write((tx) =>
      tx.putEntry({
        ...entryOf('made'),
        ...{
          collection,
          parent: '7',
          recordId: 'new',
          kind: 'create',
          base: null,
          patch: { name: 'Kessel made here' },
        },
      }),
    )
    await commits.settled()
    expect(await ids('kessel')).toEqual(['new', '3'])
    expect(await ids('pot')).toEqual(['1'])
    expect(await ids('new')).toEqual(['new'])
    expect(await ids('2')).toEqual([])
  })

  it('show their campaign, or else their advertiser', async () => {
    await put(
      one('1', { name: 'One', advertiserId: '5', campaignId: '9' }, '8'),
      one('2', { name: 'Two', advertiserId: '5' }, '8'),
      one('3', { name: 'Three' }),
    )
    await commits.settled()
    const within = async (id: string): Promise<string | undefined> => (await find(id))[0]?.within
    expect(await within('1')).toBe(recordKey('campaigns', '8', '9'))
    expect(await within('2')).toBe(recordKey('advertisers', '8', '5'))
    expect(await within('3')).toBeUndefined()
  })

  it('are searched in slices without blocking frames, until canceled', async () => {
    await put(...Array.from({ length: 300 }, (_unused, n) => one(String(n + 1000), { name: `Many ${n}` })))
    await commits.settled()
    let [elapsed, breaths] = [0, 0]
    const stop = new AbortController()
    let last = Infinity
    const environment = {
      // Each clock read costs ten milliseconds.
      elapsed: () => (elapsed += 10),
      setTimer: (work: () => void) => {
        if (++breaths === last) stop.abort()
        return systemEnvironment.setTimer(work, 0)
      },
    }
    expect(await findRecords(memory, 'many 7', 3, new FrameYield(environment))).toHaveLength(3)
    expect(breaths).toBeGreaterThan(3)
    ;[breaths, last] = [0, 3]
    const ended = findRecords(memory, 'many 7', 3, new FrameYield(environment, stop.signal))
    await expect(ended).rejects.toMatchObject({ name: 'AbortError' })
    expect(breaths).toBe(3)
  })
})

describe('records of several types', () => {
  it('come in a fixed type order when they match equally well', async () => {
    await put(
      row('sites', '1', { name: 'Kessel' }),
      row('placements', '2', { name: 'Kessel' }),
      row('campaigns', '3', { name: 'Kessel' }),
      row('campaigns', '4', { name: 'Kessel', archived: true }),
      row('advertisers', '5', { name: 'Kessel' }),
      row('advertisers', '6', { name: 'Ökessel' }),
      row('ads', '7', { name: 'Kessel' }),
    )
    await commits.settled()
    expect(await ids('kessel')).toEqual(['5', '3', '2', '7', '1', '6', '4'])
    expect(await ids('kessel', 2)).toEqual(['5', '3'])
    expect((await find('3', 1)).map(({ key }) => key)).toEqual([recordKey('campaigns', '7', '3')])
  })

  it('can share an ID across profiles and exclude log entries', async () => {
    await put(
      row('campaigns', '3', { name: 'Here' }),
      row('campaigns', '3', { name: 'There' }, '8'),
      row('changeLogs', 'a', { fieldName: 'here' }),
    )
    await commits.settled()
    expect((await find('3')).map(({ name }) => name)).toEqual(['Here', 'There'])
    expect((await find('here')).map(({ name }) => name)).toEqual(['Here', 'There'])
  })
})
