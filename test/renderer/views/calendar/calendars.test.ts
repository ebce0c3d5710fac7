import { expect, it } from 'vitest'
import type { Row } from '../../../../src-renderer/replica/api'
import { calendarsOf, reordered } from '../../../../src-renderer/views/calendar/calendars'

const rows = [
  { id: 'work', summary: 'Work', accessRole: 'owner' },
  { id: 'holidays', summary: 'Holidays', accessRole: 'reader' },
  { id: 'me', summary: 'Zoe', accessRole: 'owner', primary: true },
  { id: 'family', summary: 'Family', accessRole: 'writer' },
].map(({ id, ...value }) => ({ id, key: id, parent: null, value, mark: 'synced' }) as unknown as Row)
const idsOf = (order?: readonly string[]): string[] => calendarsOf(rows, order).map(({ id }) => id)

it('lists the primary calendar first, then those you can edit, then others by name', () => {
  expect(idsOf()).toEqual(['me', 'family', 'work', 'holidays'])
})

it('lists calendars in the user’s order, and those without a place after them', () => {
  expect(idsOf(['work', 'gone', 'me'])).toEqual(['work', 'me', 'family', 'holidays'])
})

it('moves a calendar to the place of another, upward and downward', () => {
  const ids = ['a', 'b', 'c', 'd']
  expect(reordered(ids, 'd', 'b')).toEqual(['a', 'd', 'b', 'c'])
  expect(reordered(ids, 'a', 'c')).toEqual(['b', 'c', 'a', 'd'])
  expect(reordered(ids, 'b', 'b')).toEqual(ids)
})
