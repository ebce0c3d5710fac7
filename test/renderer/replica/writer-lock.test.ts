import { describe, expect, it } from 'vitest'
import { takeWriterLock } from '../../../src-renderer/replica/writer-lock'

/** Web Locks as the standard describes them, for exclusive locks: one holder per name, others in order. */
class Locks {
  private readonly queues = new Map<string, (() => void)[]>()

  request = async (
    name: string,
    options: { ifAvailable?: boolean } | ((lock: object | null) => unknown),
    work?: (lock: object | null) => unknown,
  ): Promise<unknown> => {
    const run = typeof options === 'function' ? options : work!
    const queue = this.queues.get(name)
    if (queue) {
      if (typeof options !== 'function' && options.ifAvailable) return run(null)
      await new Promise<void>((resolve) => queue.push(resolve))
    } else this.queues.set(name, [])
    try {
      return await run({ name })
    } finally {
      const next = this.queues.get(name)!.shift()
      if (next) next()
      else this.queues.delete(name)
    }
  }
}

async function isGranted({ granted }: { granted: Promise<void> }): Promise<boolean> {
  let writes = false
  void granted.then(() => (writes = true))
  await new Promise((done) => setImmediate(done))
  return writes
}

describe('the writer of an account', () => {
  it('is one window at a time, and the next in line takes over when it ends', async () => {
    const locks = new Locks() as unknown as LockManager
    const windows = []
    for (let at = 0; at < 50; at++) windows.push(await takeWriterLock('a', locks))
    expect(windows.map(({ held }) => held)).toEqual([true, ...Array.from({ length: 49 }, () => false)])
    for (const [at, window] of windows.entries()) {
      expect(await Promise.all(windows.slice(at, at + 3).map(isGranted))).toEqual(
        [true, false, false].slice(0, 50 - at),
      )
      window.release()
    }
    await new Promise((done) => setImmediate(done))
    expect((await takeWriterLock('a', locks)).held).toBe(true)
  })

  it('that ends before its turn is passed over', async () => {
    const locks = new Locks() as unknown as LockManager
    const [first, second, third] = [
      await takeWriterLock('a', locks),
      await takeWriterLock('a', locks),
      await takeWriterLock('a', locks),
    ]
    second.release()
    first.release()
    expect(await isGranted(third)).toBe(true)
  })

  it('of another account is another one', async () => {
    const locks = new Locks() as unknown as LockManager
    expect((await takeWriterLock('a', locks)).held).toBe(true)
    expect((await takeWriterLock('b', locks)).held).toBe(true)
  })
})
