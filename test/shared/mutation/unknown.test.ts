import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { unknownEntry } from '#shared/mutation/unknown'

const entry = { id: '1', accountId: 'a', kind: 'later', collection: 'events', parent: 'primary', recordId: 'e' }

describe("a newer version's change", () => {
  it('is identified by its ID, account, and record', () => {
    expect(unknownEntry(entry)).toEqual({ id: '1', accountId: 'a', key: recordKey('events', 'primary', 'e') })
    expect(unknownEntry({ ...entry, parent: null })).toMatchObject({ key: recordKey('events', null, 'e') })
  })

  it.each([
    ['collection', undefined],
    ['recordId', ''],
    ['parent', undefined],
    ['parent', 5],
  ])('has no record if its %s is %j', (field, value) => {
    expect(unknownEntry({ ...entry, [field]: value })).toEqual({ id: '1', accountId: 'a' })
  })

  it.each(['id', 'accountId', 'kind'])("isn't valid without a name in %s", (field) => {
    for (const value of [undefined, null, '', 5]) expect(unknownEntry({ ...entry, [field]: value })).toBeUndefined()
  })

  it.each([undefined, null, 'text', 5])("isn't %j", (value) => expect(unknownEntry(value)).toBeUndefined())
})
