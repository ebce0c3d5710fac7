import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { collectionOf, type CollectionName } from '#shared/domain/collections'
import { DexieStore } from '../../src-renderer/replica/dexie-store'
import { storageFault } from '#shared/storage-words'
import type { Write } from '../../src-renderer/replica/store'
import { deviceOf, type Device } from '../helpers/device'
import { startService, type TestService } from '../helpers/service'

/** A disk too full to delete one type of records. */
class FullStore extends DexieStore {
  static keeps: CollectionName | null = null
  override async write(batch: readonly Write[]): Promise<void> {
    const { keeps } = FullStore
    if (keeps && batch.some((one) => one.table === 'rows' && 'remove' in one && collectionOf(one.remove) === keeps))
      throw storageFault(new DOMException('No room is left', 'QuotaExceededError'), 'Nothing changed.')
    return super.write(batch)
  }
}

let service: TestService
let device: Device
let stores = 0

beforeEach(async () => {
  FullStore.keeps = null
  service = await startService({ seed: 'demo' })
  const name = `taking-off-${++stores}`
  device = await deviceOf(service, { store: () => new FullStore(name) })
  await device.until('the first look', ({ status }) => status.phase === 'idle' && status.lastPull !== null)
})
afterEach(async () => {
  await device.close()
  await service.stop()
})

const parts = (): CollectionName[] =>
  device.replica.facts.all.flatMap(({ name, pull, parents }) =>
    pull?.when === 'chosen' && parents.length > 0 ? [name] : [],
  )
/** Number of local records that exist only because of the download. */
async function here(): Promise<number> {
  const tables = await Promise.all(parts().map((name) => device.replica.table(name)))
  return tables.reduce((sum, { length }) => sum + length, 0)
}

describe('removing a download on a full disk', () => {
  it.each(["once there's space", 'also at the next start'])(
    'completes automatically, %s',
    async (when) => {
      const { replica } = device
      const parent = replica.rows('userProfiles')[0]!.id
      const key = await replica.download({ parent, what: 'all' })
      await device.until('everything', () => replica.downloads()[0]?.state === 'ready')
      const all = await here()
      FullStore.keeps = 'ads'
      expect(await replica.removeDownload(key)).toBe(false)
      expect(replica.downloads()).toEqual([])
      const left = await here()
      expect(left).toBeGreaterThan(0)
      expect(left).toBeLessThan(all)
      if (when === 'also at the next start') await device.restart()
      await expect.poll(here).toBeGreaterThan(0)
      FullStore.keeps = null
      if (when === 'also at the next start') await device.restart()
      await expect.poll(here, { timeout: 60_000 }).toBe(0)
      // Nothing left over blocks selecting it again.
      const again = await device.replica.download({ parent, what: 'all' })
      await device.until('everything', () => device.replica.downloads()[0]?.state === 'ready')
      expect(await here()).toBe(all)
      expect(await device.replica.removeDownload(again)).toBe(true)
      expect(await here()).toBe(0)
      await device.replica.download({ parent, what: 'all' })
      await device.until('everything once more', () => device.replica.downloads()[0]?.state === 'ready')
      expect(await here()).toBe(all)
    },
    200_000,
  )

  it("keeps it when even the selection can't be saved", async () => {
    const { replica } = device
    const parent = replica.rows('userProfiles')[0]!.id
    const key = await replica.download({ parent, what: 'index' })
    await device.until('the lists', () => replica.downloads()[0]?.state === 'ready')
    const campaigns = replica.rows('campaigns').length
    const { write } = DexieStore.prototype
    DexieStore.prototype.write = () => Promise.reject(storageFault({ name: 'QuotaExceededError' }, 'Nothing changed.'))
    await expect(replica.removeDownload(key)).rejects.toMatchObject({ fault: { code: 'storage' } })
    DexieStore.prototype.write = write
    expect(replica.downloads()).toHaveLength(1)
    expect(replica.rows('campaigns')).toHaveLength(campaigns)
    expect(await replica.removeDownload(key)).toBe(true)
    expect(replica.rows('campaigns')).toHaveLength(0)
  })
})
