import { describe, expect, it } from 'vitest'
import type { StoredRow } from '../../../src-renderer/replica/stored-row'
import { differenceOf } from '../../../src-renderer/sync/difference'

const row = (more: Partial<StoredRow> = {}): StoredRow => ({
  key: 'tasks\nlist\n1',
  collection: 'tasks',
  parent: 'list',
  id: '1',
  base: { id: '1', title: 'Call' },
  etag: '"1"',
  complete: true,
  ...more,
})
const without = ({ etag: _, ...rest }: StoredRow): StoredRow => rest

describe('a record compared with the service', () => {
  it('matches if etag and content are equal', () => {
    expect(differenceOf(row(), row())).toBeUndefined()
    expect(differenceOf(undefined, null)).toBeUndefined()
  })

  it.each([
    ['extra', row(), null, 'ghost'],
    ['extra, without a list that names it', row(), undefined, 'ghost'],
    ['missing', undefined, row(), 'hole'],
    ['outdated by etag', row(), row({ etag: '"2"' }), 'stale'],
    ['outdated by content', row(), row({ base: { id: '1', title: 'Write' } }), 'stale'],
    ['outdated as a partial copy', row({ complete: false }), row(), 'stale'],
  ] as const)('is %s', (_, here, there, expected) => {
    expect(differenceOf(here, there)).toBe(expected)
  })

  it('is compared by content where the service has no etags', () => {
    expect(differenceOf(without(row()), without(row()))).toBeUndefined()
    expect(differenceOf(without(row()), without(row({ base: { id: '1', title: 'Write' } })))).toBe('stale')
  })
})
