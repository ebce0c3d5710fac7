import { expect, it } from 'vitest'
import { LongWork } from '../../../src-renderer/context/long-work.svelte'

/** Requests to undo while two pieces of work run that only notice later. Returns how each ended. */
async function undone(presses: number): Promise<unknown[]> {
  const work = new LongWork()
  let end = (): void => undefined
  const writing = new Promise<void>((resolve) => (end = resolve))
  const all = [work.run('First', () => writing), work.run('Second', () => writing)]
  for (let press = 0; press < presses; press++) work.undoLast(['Earlier'])
  end()
  return (await Promise.all(all)).map(({ stopped, more }) => [stopped, more])
}

it('each request to undo stops the latest work that still runs, and then reaches the steps before', async () => {
  expect(await undone(1)).toEqual([
    [false, 0],
    [true, 0],
  ])
  expect(await undone(2)).toEqual([
    [true, 0],
    [true, 0],
  ])
  expect(await undone(3)).toEqual([
    [true, 1],
    [true, 0],
  ])
})
