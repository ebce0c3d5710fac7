import { beforeEach, describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { namesIn, outermost } from '../../../src-renderer/context/record-names'
import type { Replica } from '../../../src-renderer/replica/api'
import { MemoryStore } from '../../../src-renderer/replica/memory-store'
import { seeded, VirtualClock } from '../../flows/model/clock'
import { Device } from '../../flows/model/device'
import { ModelService } from '../../flows/model/service'

const profile = '7'
const stored: [CollectionName, JsonObject][] = [
  ['sites', { id: '4', name: 'Herald' }],
  ['placements', { id: '11', name: 'Skyscraper' }],
]

describe('a referenced record', () => {
  let replica: Replica
  beforeEach(async () => {
    const clock = new VirtualClock()
    const device = new Device('one', new ModelService(() => clock.time), clock, seeded(1))
    const store = new MemoryStore(device.disk)
    await store.open()
    await store.write(
      stored.map(([collection, base]) => {
        const id = String(base['id'])
        const key = recordKey(collection, profile, id)
        return { table: 'rows', put: { key, collection, parent: profile, id, base, complete: true } }
      }),
    )
    await store.close()
    replica = await device.start()
    await clock.pass(1_000)
  })

  it('gets its name from memory, within the same profile', () => {
    expect(namesIn(replica, profile)('sites', '4')).toBe('Herald')
    expect(namesIn(replica, `${profile}/9`)('sites', '4')).toBe('Herald')
    expect(namesIn(replica, '8')('sites', '4')).toBeUndefined()
    expect(namesIn(replica, profile)('nothing', '4')).toBeUndefined()
  })
  it('gets it from memory even if its body is only on disk', () => {
    expect(replica.peek(recordKey('placements', profile, '11'))).toBeUndefined()
    expect(namesIn(replica, profile)('placements', '11')).toBe('Skyscraper')
    expect(namesIn(replica, '8')('placements', '11')).toBeUndefined()
    expect(namesIn(replica, profile)('placements', '12')).toBeUndefined()
  })
  it('gets a name that was changed or given here, before it’s sent', async () => {
    const key = recordKey('placements', profile, '11')
    await replica.edit([{ kind: 'change', key, patch: { name: 'Billboard' } }], { label: 'Rename' })
    expect(namesIn(replica, profile)('placements', '11')).toBe('Billboard')
    const { keys } = await replica.edit(
      [{ kind: 'create', collection: 'placements', parent: profile, value: { name: 'New one' } }],
      { label: 'Add' },
    )
    const { id } = parseRecordKey(keys[0]!)
    expect(namesIn(replica, profile)('placements', id)).toBe('New one')
  })
  it('resolves its outermost parent', () => {
    expect([outermost('7/9'), outermost('7'), outermost(null)]).toEqual(['7', '7', null])
  })
})
