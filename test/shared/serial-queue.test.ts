import { expect, it } from 'vitest'
import { SerialQueue } from '../../src-shared/serial-queue'

it('starts work only when the work before it has ended', async () => {
  const queue = new SerialQueue()
  const seen: string[] = []
  let finish = (): void => undefined
  const first = queue.run(async () => {
    seen.push('first starts')
    await new Promise<void>((resolve) => (finish = resolve))
    seen.push('first ends')
    return 1
  })
  const second = queue.run(() => seen.push('second'))
  await Promise.resolve()
  expect(seen).toEqual(['first starts'])
  finish()
  expect(await first).toBe(1)
  await second
  expect(seen).toEqual(['first starts', 'first ends', 'second'])
})

it('reports a failure to its caller only, and continues', async () => {
  const queue = new SerialQueue()
  const failed = queue.run(() => Promise.reject(new Error('full')))
  const next = queue.run(() => 'done')
  await expect(failed).rejects.toThrow('full')
  expect(await next).toBe('done')
  await queue.idle()
})
