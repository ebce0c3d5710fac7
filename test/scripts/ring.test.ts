import { expect, it } from 'vitest'
import { ringOf } from '../helpers/ring'

const list = Array.from({ length: 50 }, (_, place) => place)
const draw = (seed: number) => ringOf({ FLIGHTPLAN_DRAW: String(seed) }).drawn(list, 10)

it('a draw repeats with its seed, keeps the order, and has no duplicates', () => {
  const sample = draw(7)
  expect(draw(7)).toEqual(sample)
  expect(draw(8)).not.toEqual(sample)
  expect(new Set(sample).size).toBe(10)
  expect([...sample].sort((a, b) => a - b)).toEqual(sample)
})

it('draws reach every member of a list', () => {
  const seen = new Set(Array.from({ length: 60 }, (_, seed) => draw(seed)).flat())
  expect(seen.size).toBe(list.length)
})

it('the outer ring takes the whole list and the larger number', () => {
  const usual = ringOf({})
  expect([usual.cases(2, 5), usual.drawn(list, 3).length]).toEqual([2, 3])
  const all = ringOf({ FLIGHTPLAN_RING: 'all' })
  expect([all.cases(2, 5), all.drawn(list, 3)]).toEqual([5, list])
})

it('names are drawn by the seed alone, in their share, and all in the outer ring', () => {
  const names = Array.from({ length: 400 }, (_, place) => `test ${place}`)
  const drawn = (seed: number) => names.filter((name) => ringOf({ FLIGHTPLAN_DRAW: String(seed) }).isDrawn(name, 4))
  expect(drawn(7)).toEqual(drawn(7))
  expect(drawn(8)).not.toEqual(drawn(7))
  for (const seed of [1, 2, 4_000_000_000]) expect(Math.abs(drawn(seed).length - 100)).toBeLessThan(40)
  expect(names.every((name) => ringOf({ FLIGHTPLAN_RING: 'all' }).isDrawn(name, 4))).toBe(true)
})
