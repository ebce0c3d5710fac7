import { expect, it } from 'vitest'
import { counted, nounFor } from '../../../src-renderer/ui/counted'

it('uses the singular for 1', () => {
  expect([0, 1, 2, 1_000].map((count) => counted(count, 'week'))).toEqual([
    '0 weeks',
    '1 week',
    '2 weeks',
    '1,000 weeks',
  ])
  expect(counted(2, 'person', 'people')).toBe('2 people')
  expect(nounFor(1, 'day')).toBe('day')
})
