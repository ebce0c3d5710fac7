import { expect, it } from 'vitest'
import { rerunning } from '../../src-shared/rerun'

it('runs once more for all calls while it runs', async () => {
  const ends: (() => void)[] = []
  const run = rerunning(() => new Promise<void>((resolve) => ends.push(resolve)))
  const [first] = [run(), run(), run()]
  expect(ends).toHaveLength(1)
  ends[0]!()
  await expect.poll(() => ends.length).toBe(2)
  ends[1]!()
  await first
  expect(ends).toHaveLength(2)
})

it('starts again after a failure', async () => {
  let calls = 0
  const run = rerunning(async () => {
    if (++calls === 1) throw new Error('offline')
  })
  await expect(run()).rejects.toThrow('offline')
  await run()
  expect(calls).toBe(2)
})
