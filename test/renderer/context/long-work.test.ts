import { expect, it } from 'vitest'
import { LongWork } from '../../../src-renderer/context/long-work.svelte'

it('is the latest until it is stopped, so that the next undo takes the step before it', async () => {
  const work = new LongWork()
  let end = (): void => undefined
  const running = work.run('Pasting', async ({ signal }) => {
    await new Promise<void>((resolve) => (end = resolve))
    signal.throwIfAborted()
  })
  expect(work.isLast).toBe(true)
  work.stopLast()
  expect([work.busy, work.isLast]).toEqual([true, false])
  end()
  expect(await running).toBeUndefined()
  expect(work.busy).toBe(false)
})
