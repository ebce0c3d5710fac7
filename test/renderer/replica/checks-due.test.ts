import { expect, it } from 'vitest'
import { dueWrite, storedDues } from '../../../src-renderer/replica/checks-due'

it('keeps when each list is compared next in a record of its own, and converts those of an earlier version', () => {
  const [own, other] = ['tasks\ninbox\n', 'tasks\nwork\n']
  const write = dueWrite(own, 5)
  expect(write).toEqual({ table: 'meta', put: { key: expect.stringContaining(own), value: 5 } })
  const { key, value } = (write as { put: { key: string; value: number } }).put
  expect(dueWrite(own, null)).toEqual({ table: 'meta', remove: key })
  expect(storedDues(new Map([[key, value]]))).toEqual({ dues: new Map([[own, 5]]), writes: [] })

  const read = storedDues(
    new Map<string, unknown>([
      ['checksDue', { [own]: 1, [other]: 2 }],
      [key, 5],
    ]),
  )
  expect(read.dues).toEqual(
    new Map([
      [own, 5],
      [other, 2],
    ]),
  )
  expect(read.writes).toEqual([dueWrite(own, 5), dueWrite(other, 2), { table: 'meta', remove: 'checksDue' }])
})
