import { describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { unknownEntry } from '#shared/mutation/unknown'

const entry = { id: '1', accountId: 'a', kind: 'later', collection: 'events', parent: 'primary', recordId: 'e' }

describe('a change of a newer version', () => {
  it('is told of by its ID, its account, and its record', () => {
    expect(unknownEntry(entry)).toEqual({ id: '1', accountId: 'a', key: recordKey('events', 'primary', 'e') })
    expect(unknownEntry({ ...entry, parent: null })).toMatchObject({ key: recordKey('events', null, 'e') })
  })

  it.each([
    ['collection', undefined],
    ['recordId', ''],
    ['parent', undefined],
    ['parent', 5],
  ])('names no record where its %s is %j', (field, value) => {
    expect(unknownEntry({ ...entry, [field]: value })).toEqual({ id: '1', accountId: 'a' })
  })

  it.each(['id', 'accountId', 'kind'])('is none without a name for its %s', (field) => {
    for (const value of [undefined, null, '', 5]) expect(unknownEntry({ ...entry, [field]: value })).toBeUndefined()
  })

  it.each([undefined, null, 'text', 5])('is not %j', (value) => expect(unknownEntry(value)).toBeUndefined())
})
