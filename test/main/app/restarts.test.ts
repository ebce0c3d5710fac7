import { expect, it } from 'vitest'
import { Restarts } from '../../../src-main/app/restarts'

it('a crashed process restarts with growing delays, five times in five minutes', () => {
  const restarts = new Restarts()
  expect([0, 10, 20, 30, 40].map((at) => restarts.next(at))).toEqual([1_000, 2_000, 4_000, 8_000, 16_000])
  expect(restarts.next(50)).toBeUndefined()
})

it('a long run resets the delays', () => {
  const restarts = new Restarts()
  for (const at of [0, 10, 20, 30, 40]) restarts.next(at)
  expect(restarts.next(300_005)).toBe(16_000)
  expect(restarts.next(700_000)).toBe(1_000)
})
