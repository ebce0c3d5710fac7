import { expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { behaviors } from '../../../src-renderer/behaviors'
import { Memory } from '../../../src-renderer/replica/memory'
import { Tx } from '../../../src-renderer/replica/tx'
import { fieldKeys } from '../../../src-renderer/sync/download-targets'
import { targetOf } from '../../../src-renderer/sync/targets'
import { entryOf } from '../replica/store.conformance'

it.each(['ads', 'placementGroups'] as const)(
  'the part of an advertiser has no %s that only exist here',
  (collection) => {
    const memory = new Memory(behaviors)
    const tx = new Tx(memory)
    const value = { advertiserId: '3', name: 'One' }
    const key = recordKey(collection, '7', '11')
    tx.putRow({ key, collection, parent: '7', id: '11', base: { id: '11', ...value }, complete: true }, true)
    tx.putEntry(
      entryOf('1', { collection, parent: '7', recordId: 'local:1', kind: 'create', patch: value, base: null }),
    )
    const part = { id: '3', field: 'advertiserId', params: { advertiserIds: '3' } }
    expect(fieldKeys(memory, targetOf(collection, '7', undefined, part))).toEqual([key])
  },
)
