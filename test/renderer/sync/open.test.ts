import { expect, it, vi } from 'vitest'
import { storageFault } from '#shared/storage-words'
import type { Bridge } from '#shared/ipc/contract'
import type { Replica } from '../../../src-renderer/replica/api'
import { memoryDisk, MemoryStore } from '../../../src-renderer/replica/memory-store'
import { openReplica } from '../../../src-renderer/sync/open'
import { someAccount } from '../../helpers/account'
import { entryOf } from '../replica/store.conformance'

/** A database with a pending change that doesn’t match the journal, so that it has to be emptied. */
function unmatched(): { open: (fails?: Error) => Promise<Replica>; setAside: () => void } {
  const disk = memoryDisk()
  const setAside = vi.fn(() => ({ path: null }))
  const answers: Record<string, () => unknown> = {
    'app/info': () => ({ offline: true, timeZone: 'Europe/Berlin' }),
    'journal/open': () => ({ epoch: 'new', fresh: false, open: [], ended: [], unknown: [], damaged: 0 }),
    'journal/append': () => null,
    'databases/set-aside': setAside,
  }
  const bridge = {
    ask: async (request: string) => ({ ok: true, value: answers[request]!() }),
    on: () => () => undefined,
  } as unknown as Bridge
  const fill = async (): Promise<void> => {
    const store = new MemoryStore(disk)
    await store.open()
    await store.write([
      { table: 'meta', put: { key: 'epoch', value: 'old' } },
      { table: 'outbox', put: entryOf('1') },
    ])
    await store.close()
  }
  const filled = fill()
  const open = async (fails?: Error): Promise<Replica> => {
    await filled
    const store = new MemoryStore(disk)
    if (fails) vi.spyOn(store, 'destroy').mockRejectedValueOnce(fails)
    return openReplica({ account: someAccount({ id: 'a', opened: true }), bridge, store })
  }
  return { open, setAside }
}

it('leaves a database that can’t be emptied as it is, with its pending changes', async () => {
  const { open } = unmatched()
  await expect(open(storageFault(new DOMException('Damaged', 'UnknownError'), ''))).rejects.toMatchObject({
    fault: { reason: 'UnknownError' },
  })
  const replica = await open()
  expect(replica.outbox().map(({ id }) => id)).toEqual([entryOf('1').id])
  await replica.close()
})

it('moves no databases aside because the disk is full', async () => {
  const { open, setAside } = unmatched()
  await expect(open(storageFault(new DOMException('No room is left', 'QuotaExceededError'), ''))).rejects.toThrow()
  expect(setAside).not.toHaveBeenCalled()
})
