import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordKey } from '#shared/domain/collections'
import { FaultError } from '#shared/fault'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { Layouts } from '../../../src-renderer/replica/blocks/layouts'
import type { BlockLimits } from '../../../src-renderer/replica/blocks/plan'
import type { Store, StoredRow } from '../../../src-renderer/replica/store'
import { blockConformance } from './blocks/blocks.conformance'
import { someEntry } from '../../helpers/some-entry'

export interface StoreOptions {
  layouts?: Layouts
  limits?: BlockLimits
}

export interface StoreUnderTest {
  store: Store
  /** Opens another store on the same disk, as after a restart. */
  reopened(options?: StoreOptions): Store
  /** Closes the connection as the system might. */
  lose(): void
  /** Makes the next write fail, unless its content fails earlier. */
  failNext(): void
}

export const eventRow = (id: string, more: Partial<StoredRow> = {}): StoredRow => ({
  key: recordKey('events', 'cal', id),
  collection: 'events',
  parent: 'cal',
  id,
  base: { id, summary: `Event ${id}` },
  complete: true,
  ...more,
})

const taskRow = (id: string): StoredRow => ({
  ...eventRow(id),
  key: recordKey('tasks', 'list', id),
  collection: 'tasks',
  parent: 'list',
})

export const entryOf = (id: string, more: Partial<OutboxEntry> = {}): OutboxEntry =>
  someEntry({
    id,
    parent: 'cal',
    recordId: 'e1',
    patch: { summary: 'B' },
    base: { summary: 'A' },
    label: 'Rename',
    madeAt: 1,
    ...more,
  })

/** What every store must do. */
export function storeConformance(name: string, make: (options?: StoreOptions) => Promise<StoreUnderTest>): void {
  blockConformance(name, make)

  describe(`the ${name} store`, () => {
    let under: StoreUnderTest
    let store: Store
    beforeEach(async () => {
      under = await make()
      store = under.store
      await store.open()
    })
    afterEach(() => store.close())

    it('keeps a batch after a restart', async () => {
      const row = eventRow('e1', { at: 5 })
      await store.write([
        { table: 'rows', put: row },
        { table: 'outbox', put: entryOf('1') },
        { table: 'meta', put: { key: 'epoch', value: 'x' } },
      ])
      await store.close()
      const again = under.reopened()
      await again.open()
      expect(await again.get('rows', [row.key, 'none'])).toEqual([row, undefined])
      expect(await again.all('outbox')).toEqual([entryOf('1')])
      expect(await again.all('meta')).toEqual([{ key: 'epoch', value: 'x' }])
      await again.close()
    })

    it('uses the last value when a batch repeats an item', async () => {
      await store.write([
        { table: 'outbox', put: entryOf('1') },
        { table: 'outbox', remove: '1' },
        { table: 'outbox', remove: '2' },
        { table: 'outbox', put: entryOf('2') },
      ])
      expect(await store.all('outbox')).toEqual([entryOf('2')])
    })

    it('separates rows stored whole, rows needed whole, and rows that start in a range', async () => {
      const rows = [taskRow('t1'), eventRow('m', { series: 1 }), eventRow('a', { at: 10 }), eventRow('b', { at: 20 })]
      await store.write(rows.map((put) => ({ table: 'rows', put })))
      expect(await store.wholeRows()).toEqual([rows[0]])
      expect(await store.neededRows()).toEqual([rows[1]])
      expect(await store.windowAt(10, 20)).toEqual({ rows: [rows[2]], blocks: [] })
    })

    it("pages through unpacked rows by key and lists one parent's keys", async () => {
      const rows = ['a', 'b', 'c'].map((id) => eventRow(id))
      const other = { ...eventRow('a'), key: recordKey('events', 'cal2', 'a'), parent: 'cal2' }
      await store.write([...rows, other, taskRow('t')].map((put) => ({ table: 'rows', put })))
      const first = await store.looseRows('', 2)
      const rest = await store.looseRows(first[1]!.key, 10)
      expect([...first, ...rest].map((row) => row.key)).toEqual([...rows, other].map((row) => row.key))
      expect(await store.rowKeys('events', 'cal')).toEqual(rows.map((row) => row.key))
      expect(await store.rowKeys('tasks', 'list')).toEqual([taskRow('t').key])
    })

    it('returns history newest first', async () => {
      for (const id of ['1', '2', '3']) {
        await store.write([{ table: 'history', put: { id, entry: entryOf(id), how: 'confirmed', at: 1 } }])
      }
      expect((await store.history(2)).map((item) => item.id)).toEqual(['3', '2'])
    })

    it('fails with a storage error once closed, and writes nothing', async () => {
      await store.close()
      const failed = await store.write([{ table: 'outbox', put: entryOf('1') }]).catch((error: unknown) => error)
      expect(failed).toBeInstanceOf(FaultError)
      expect((failed as FaultError).fault.code).toBe('storage')
      await store.open()
      expect(await store.all('outbox')).toEqual([])
    })

    it('is empty after it was deleted', async () => {
      await store.write([{ table: 'outbox', put: entryOf('1') }])
      await store.destroy()
      await store.open()
      expect(await store.all('outbox')).toEqual([])
    })

    it('works again after reopening a lost connection', async () => {
      await store.write([{ table: 'outbox', put: entryOf('1') }])
      under.lose()
      await store.open()
      await store.write([{ table: 'outbox', put: entryOf('2') }])
      expect(await store.all('outbox')).toHaveLength(2)
    })
  })
}
