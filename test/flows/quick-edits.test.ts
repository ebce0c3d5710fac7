import 'fake-indexeddb/auto'
import { expect, it } from 'vitest'
import { DexieStore } from '../../src-renderer/replica/dexie-store'
import type { Write } from '../../src-renderer/replica/store'
import { writeCells } from '../../src-renderer/views/campaigns/writing'
import { campaignsModel } from '../helpers/campaigns-model'
import { accountForEach, openAccount } from '../helpers/whole-account'

/** A disk that stays busy until released. */
class BusyStore extends DexieStore {
  free: Promise<void> = Promise.resolve()
  override async write(batch: readonly Write[]): Promise<void> {
    await this.free
    return super.write(batch)
  }
}

let store: BusyStore
const account = accountForEach(() => openAccount({ store: () => (store = new BusyStore('quick-edits')) }))
const { device } = account

it("quick edits don't wait for one another's disk writes, and none counts as saved before its own", async () => {
  const { replica } = device
  const profile = replica.rows('userProfiles')[0]!.id
  await replica.download({ parent: profile, what: 'index' })
  await device.until('campaigns', () => replica.rows('campaigns').length > 4)
  await device.until('rest', ({ status }) => status.lanes.every(({ phase }) => phase === 'idle'))
  await replica.setOffline(true)
  const { model } = await campaignsModel(replica, profile, 'campaigns')
  const keys = replica
    .rows('campaigns')
    .slice(0, 5)
    .map(({ key }) => key)
  let release = (): void => undefined
  store.free = new Promise((done) => (release = done))
  let kept = 0
  const all = keys.map((key, at) =>
    writeCells(model, [{ key, path: 'externalId', value: `quick ${at}` }]).then(() => kept++),
  )
  await device.until('all of them', () => replica.outbox().length === 5)
  expect(keys.map((key) => replica.peek(key)?.value?.['externalId'])).toEqual(keys.map((_key, at) => `quick ${at}`))
  expect(kept).toBe(0)
  release()
  await Promise.all(all)
  expect(kept).toBe(5)
})
