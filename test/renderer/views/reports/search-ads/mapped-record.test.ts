import { expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { mappedRecord } from '../../../../../src-renderer/views/reports/search-ads/mapped-record'

const heads = ['Name', 'New id', 'Previous id', 'Entity type']
const row = (id: string, name: string): never =>
  ({ key: recordKey('campaigns', '9', id), id, parent: '9', value: { name } }) as never
const campaigns: { key: string; value: { name: string } }[] = [
  row('11', 'Spring'),
  row('12', 'Twice'),
  row('13', 'Twice'),
]
const replica = {
  rows: (collection: string) => (collection === 'userProfiles' ? [{ id: '9' }] : campaigns) as never,
  peek: (key: string) => campaigns.find((one) => one.key === key) as never,
}
const of = (name: string, newId: string, previousId: string, type = 'Campaign') =>
  mappedRecord(replica, heads, [name, newId, previousId, type])

it('a row of a mapping is a campaign by its previous id, its new one, or a name that only one has', () => {
  const spring = { key: recordKey('campaigns', '9', '11'), collection: 'campaigns', profile: '9' }
  expect(of('Other', '', '11')).toEqual(spring)
  expect(of('Other', '11', '700')).toEqual(spring)
  expect(of('Spring', '800', '700')).toEqual(spring)
  expect(of('Twice', '800', '700')).toBeNull()
  expect(of('Nowhere', '800', '700')).toBeNull()
  expect(of('Brand', '11', '11', 'Ad group')).toBeUndefined()
})
