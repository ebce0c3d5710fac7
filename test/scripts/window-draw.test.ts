import { expect, it } from 'vitest'
import { coreWindowFiles, drawWindows } from '../helpers/window-draw'

const sizes = new Map(Array.from({ length: 140 }, (_, at) => [`test/page/${at}.test.ts`, 1_000 * at]))

it('the core files exist and are always drawn', () => {
  for (const seed of [1, 2, 3]) expect(drawWindows(seed).drawn).toEqual(expect.arrayContaining([...coreWindowFiles]))
})

it('each window test is drawn or among the others', () => {
  const { drawn, others } = drawWindows(7, sizes)
  expect([...drawn, ...others].sort()).toEqual([...sizes.keys()].sort())
  expect(drawn).toHaveLength(10)
})

it('a draw has small and large tests, the same for the same seed', () => {
  for (const seed of [1, 22, 333, 268_435_455]) {
    const drawn = drawWindows(seed, sizes).drawn.map((file) => sizes.get(file)! / 14_000)
    expect(drawn.map(Math.floor).sort((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, at) => at))
    expect(drawWindows(seed, sizes)).toEqual(drawWindows(seed, sizes))
  }
})

it('every window test is drawn within some commits', () => {
  const drawn = new Set(Array.from({ length: 200 }, (_, seed) => drawWindows(seed * 7_919, sizes).drawn).flat())
  expect(drawn.size).toBe(sizes.size)
})
