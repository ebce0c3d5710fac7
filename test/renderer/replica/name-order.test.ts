import { describe, expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import { nameOrder } from '../../../src-renderer/replica/name-order'

const records: Readonly<Record<string, JsonObject>> = {
  [recordKey('creativeFields', '7', '1')]: { id: '1', advertiserId: '3', accountId: '9', name: 'Offer' },
  [recordKey('creativeFields', '7', '2')]: { id: '2', advertiserId: '3', accountId: '9', name: 'Message' },
  [recordKey('contentCategories', '7', '1')]: { id: '1', accountId: '9', name: 'News' },
  [recordKey('campaigns', '7', '1')]: { id: '1', advertiserId: '3', accountId: '9', name: 'Spring' },
}
let count = 0
const entry = (kind: OutboxEntry['kind'], collection: CollectionName, recordId: string, patch: JsonObject = {}) =>
  ({
    ...{ id: String((count += 1)), kind, collection, parent: '7', recordId, patch },
    base: records[recordKey(collection, '7', recordId)] ?? null,
  }) as OutboxEntry
const order = (...entries: OutboxEntry[]) => nameOrder(factsOf(), entries, (key) => records[key])
const created = (collection: CollectionName, name: string): OutboxEntry =>
  entry('create', collection, 'local:1', { advertiserId: '3', name })

describe('a record that gets the name of another', () => {
  it('goes after the change that renames the other', () => {
    const renamed = entry('change', 'creativeFields', '1', { name: 'Deal' })
    const next = created('creativeFields', 'Offer')
    expect(order(next, renamed)).toEqual([{ id: next.id, after: renamed.id }])
  })
  it('goes after the deletion of the other', () => {
    const deleted = entry('delete', 'creativeFields', '1')
    const next = created('creativeFields', 'Offer')
    const renamed = entry('change', 'creativeFields', '2', { name: 'Offer' })
    expect(order(next, deleted)).toEqual([{ id: next.id, after: deleted.id }])
    expect(order(renamed, deleted)).toEqual([{ id: renamed.id, after: deleted.id }])
  })
  it('does so if names are unique in the account, which a new record doesn’t name', () => {
    const deleted = entry('delete', 'contentCategories', '1')
    const next = created('contentCategories', 'News')
    expect(order(next, deleted)).toEqual([{ id: next.id, after: deleted.id }])
  })
  it('doesn’t wait for the other to be archived, which keeps its name', () => {
    expect(order(created('campaigns', 'Spring'), entry('delete', 'campaigns', '1'))).toEqual([])
  })
  it('waits for nothing if the deleted record has another name', () => {
    expect(order(created('creativeFields', 'Offer'), entry('delete', 'creativeFields', '2'))).toEqual([])
  })
})
