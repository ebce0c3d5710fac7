import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import type { JsonObject } from '#shared/json'
import { storedRow } from '../../../../src-renderer/replica/records'
import { calendarLayout } from '../../../../src-renderer/replica/blocks/calendar-layout'
import { cellAt, textAt } from '../../../../src-renderer/replica/blocks/block-columns'
import { fieldLayout } from '../../../../src-renderer/replica/blocks/layout'
import { layoutsOf } from '../../../../src-renderer/replica/blocks/layouts'
import { rowsOf } from '../../../../src-renderer/replica/blocks/shelf'
import type { Store, StoredRow, Write } from '../../../../src-renderer/replica/store'
import type { StoreOptions, StoreUnderTest } from '../store.conformance'
import { behaviors } from '../../../../src-renderer/behaviors'

const placements = 'placements' as CollectionName
export const testLayouts = layoutsOf({
  events: calendarLayout,
  placements: fieldLayout(['name', 'pricing.startDate', 'siteId'], 'advertiserId'),
})
const small = { layouts: testLayouts, limits: { minRows: 2, loose: 3, rows: 6 } }

/** A single event at noon of a day in 2026. */
const single = (id: string, day: number, more: JsonObject = {}, parent = 'cal'): StoredRow => {
  const date = (hour: number): JsonObject => ({ dateTime: new Date(Date.UTC(2026, 0, day, hour)).toISOString() })
  const value = { id, summary: `Event ${id}`, start: date(12), end: date(13), ...more }
  return storedRow(behaviors.of('events'), { collection: 'events', parent, id, value, etag: `"${id}"` })!
}

const placement = (id: string, more: JsonObject = {}): StoredRow => ({
  key: recordKey(placements, null, id),
  collection: placements,
  parent: null,
  id,
  base: { id, name: `Placement ${id}`, pricing: { startDate: '2026-01-01' }, advertiserId: 'a1', ...more },
  complete: true,
})

const fresh = (rows: readonly StoredRow[]): Write[] => rows.map((put) => ({ table: 'rows', put, fresh: true }))
const plain = (rows: readonly StoredRow[]): Write[] => rows.map((put) => ({ table: 'rows', put }))
const byKey = (a: StoredRow, b: StoredRow): number => (a.key < b.key ? -1 : 1)

/** All windowed rows as a reader finds them: in blocks and outside. */
async function found(store: Store): Promise<{ inBlocks: string[]; alone: string[] }> {
  const inBlocks: string[] = []
  for (const shelf of await store.shelfNames()) {
    for (const block of await store.blocksOf(shelf)) {
      for (let row = 0; row < rowsOf(block); row++)
        if (!block.dead.has(row)) inBlocks.push(recordKey(shelf.collection, shelf.parent, textAt(block.head.ids, row)))
    }
  }
  return { inBlocks: inBlocks.sort(), alone: (await store.looseRows('', 10_000)).map(({ key }) => key) }
}

const foldAll = async (store: Store): Promise<void> => {
  for (let rounds = 0; await store.fold(); rounds++) if (rounds > 500) throw new Error('Folding does not end')
}

/** What every store must do with windowed rows. */
export function blockConformance(name: string, make: (options?: StoreOptions) => Promise<StoreUnderTest>): void {
  describe(`blocks of the ${name} store`, () => {
    let under: StoreUnderTest
    let store: Store
    const open = async (options?: StoreOptions): Promise<void> => {
      under = await make(options)
      store = under.store
      await store.open()
    }
    const restart = async (options?: StoreOptions): Promise<void> => {
      await store.close()
      store = under.reopened(options)
      await store.open()
    }
    beforeEach(() => open(small))
    afterEach(() => store.close())

    it('packs the rows of a full page and returns them unchanged', async () => {
      const rows = Array.from({ length: 1_200 }, (_unused, n) => single(`e${n}`, 1 + (n % 90), { n, text: 'ünï – ✓' }))
      await store.write(fresh(rows))
      for (const reader of ['as written', 'after a restart']) {
        const read = await store.get('rows', [...rows.map(({ key }) => key), 'events\ncal\nnone'])
        expect(read, reader).toEqual([...rows, undefined])
        expect((await found(store)).alone, reader).toEqual([])
        expect(await store.rowKeys('events', 'cal')).toEqual(rows.map(({ key }) => key).sort())
        await restart()
      }
    })

    it('reads only the blocks of the visible months', async () => {
      await store.write(fresh([single('jan', 5), single('jan2', 6), single('feb', 35), single('feb2', 36)]))
      await store.write(plain([single('feb3', 37), single('mar', 65)]))
      const part = await store.windowAt(Date.UTC(2026, 1, 1), Date.UTC(2026, 2, 1))
      const ids = part.blocks.flatMap(({ head }) => Array.from(head.sums, (_sum, row) => textAt(head.ids, row)))
      expect(ids.sort()).toEqual(['feb', 'feb2'])
      expect(part.rows.map(({ id }) => id)).toEqual(['feb3'])
    })

    it('keeps rows that memory needs whole out of blocks', async () => {
      const series = storedRow(behaviors.of('events'), {
        collection: 'events',
        parent: 'cal',
        id: 'm',
        value: {
          id: 'm',
          recurrence: ['RRULE:FREQ=DAILY'],
          start: { date: '2026-01-01' },
          end: { date: '2026-01-02' },
        },
      })!
      const ofItsCalendar = single('z', 3, { start: { dateTime: '2026-01-03T10:00:00' } })
      const unreadable = single('u', 3, { start: { dateTime: 'soon' } })
      await store.write(fresh([series, ofItsCalendar, unreadable, single('a', 1), single('b', 1)]))
      await foldAll(store)
      expect(await found(store)).toEqual({
        inBlocks: ['events\ncal\na', 'events\ncal\nb'],
        alone: ['events\ncal\nm', 'events\ncal\nu', 'events\ncal\nz'],
      })
      expect(await store.neededRows()).toEqual([series])
    })

    it('lets later changes and removals override a block', async () => {
      const rows = ['a', 'b', 'c', 'd'].map((id) => single(id, 3))
      await store.write(fresh(rows))
      const changed = single('b', 70, { summary: 'Moved to March' })
      await store.write([...plain([changed]), { table: 'rows', remove: rows[2]!.key }])
      for (const reader of ['as written', 'after a restart']) {
        const keys = rows.map(({ key }) => key)
        expect(await store.get('rows', keys), reader).toEqual([rows[0], changed, undefined, rows[3]])
        expect(await store.rowKeys('events', 'cal'), reader).toEqual([keys[0], keys[1], keys[3]])
        expect(await found(store), reader).toEqual({ inBlocks: [keys[0], keys[3]], alone: [keys[1]] })
        await restart()
      }
    })

    it('deletes a block once all its rows have moved', async () => {
      await store.write(fresh([single('a', 3), single('b', 3)]))
      await store.write([...plain([single('a', 4)]), { table: 'rows', remove: single('b', 3).key }])
      await restart()
      expect(await store.shelfNames()).toEqual([])
    })

    it('skips an unchanged page and writes only changes in it', async () => {
      const rows = ['a', 'b', 'c', 'd'].map((id) => single(id, 3))
      await store.write(fresh(rows))
      const [before] = await store.blocksOf({ collection: 'events', parent: 'cal' })
      await store.write(fresh(rows))
      expect((await store.blocksOf({ collection: 'events', parent: 'cal' })).map(({ head }) => head.key)).toEqual([
        before!.head.key,
      ])
      const news = ['c', 'd'].map((id) => single(id, 40, { summary: 'New' }))
      await store.write(fresh([...rows.slice(0, 2), ...news]))
      await restart()
      expect(
        await store.get(
          'rows',
          rows.map(({ key }) => key),
        ),
      ).toEqual([...rows.slice(0, 2), ...news])
      expect((await found(store)).inBlocks).toEqual(rows.map(({ key }) => key))
    })

    it('stores columns by path for any collection, with absent and unusual values distinct', async () => {
      const rows = [
        placement('1', { siteId: '7' }),
        placement('2', { pricing: null, name: 'Ünique' }),
        placement('3', { siteId: 7, pricing: { startDate: { odd: [1] } } }),
      ]
      await store.write(fresh(rows))
      const [block] = await store.blocksOf({ collection: placements, parent: null })
      const cells = (row: number): unknown[] => block!.head.columns.map((column) => cellAt(column, row))
      expect([0, 1, 2].map(cells)).toEqual([
        ['Placement 1', '2026-01-01', '7'],
        ['Ünique', undefined, undefined],
        ['Placement 3', { odd: [1] }, 7],
      ])
      expect(block!.head.key.split('\n')[2]).toBe('a1')
    })

    it('rebuilds columns from bodies when another version needs different ones', async () => {
      await store.write(fresh([placement('1', { size: '300x250' }), placement('2')]))
      const other = layoutsOf({ placements: fieldLayout(['size', 'name'], 'advertiserId') })
      await restart({ ...small, layouts: other })
      const [block] = await store.blocksOf({ collection: placements, parent: null })
      const cells = (row: number): unknown[] => block!.head.columns.map((column) => cellAt(column, row))
      expect([0, 1].map(cells)).toEqual([
        ['300x250', 'Placement 1'],
        [undefined, 'Placement 2'],
      ])
    })

    it('compacts changes into blocks and half-empty blocks into full ones', async () => {
      const rows = Array.from({ length: 20 }, (_unused, n) => single(`e${String(n).padStart(2, '0')}`, 3))
      await store.write(fresh(rows))
      const changed = rows.slice(0, 9).map((row) => single(row.id, 4, { summary: 'Changed' }))
      await store.write([...plain(changed), { table: 'rows', remove: rows[10]!.key }])
      await foldAll(store)
      const left = [...changed, rows[9]!, ...rows.slice(11)]
      for (const reader of ['as folded', 'after a restart']) {
        expect(
          await store.get(
            'rows',
            left.map(({ key }) => key),
          ),
          reader,
        ).toEqual(left)
        expect(await found(store), reader).toEqual({ inBlocks: left.map(({ key }) => key), alone: [] })
        expect((await store.blocksOf({ collection: 'events', parent: 'cal' })).length, reader).toBe(1)
        await restart()
      }
    })

    it('loses no change made during compaction', async () => {
      const rows = Array.from({ length: 8 }, (_unused, n) => single(`e${n}`, 3))
      await store.write(plain(rows))
      await store.rowKeys('events', 'cal')
      const changed = single('e3', 5, { summary: 'Meanwhile' })
      const [, , read] = await Promise.all([
        store.fold(),
        store.write([...plain([changed]), { table: 'rows', remove: rows[4]!.key }]),
        store.get('rows', [rows[0]!.key]),
        foldAll(store),
      ])
      expect(read).toEqual([rows[0]])
      await restart()
      expect(await store.get('rows', [rows[2]!.key, changed.key, rows[4]!.key])).toEqual([rows[2], changed, undefined])
    })

    it('finds a row at every moment of its move', async () => {
      for (let turns = 0; turns < 40; turns++) {
        const row = single(`e${turns}`, 3)
        await store.write(plain([row, single('x', 3), single('y', 4)]))
        await store.rowKeys('events', 'cal')
        const folded = store.fold()
        for (let turn = 0; turn < turns; turn++) await Promise.resolve()
        expect(await store.get('rows', [row.key]), `after ${turns} turns`).toEqual([row])
        await folded
        const changed = store.write(plain([row]))
        for (let turn = 0; turn < turns; turn++) await Promise.resolve()
        expect(await store.get('rows', [row.key]), `back, after ${turns} turns`).toEqual([row])
        await changed
      }
    })

    it('discards state of a failed write', async () => {
      const rows = ['a', 'b', 'c'].map((id) => single(id, 3))
      await store.write(fresh(rows))
      const odd = { ...single('b', 9), base: { broken: (() => 0) as unknown as string } }
      under.failNext()
      await expect(store.write([...plain([odd]), { table: 'rows', remove: rows[0]!.key }])).rejects.toMatchObject({
        fault: { code: 'storage' },
      })
      expect(
        await store.get(
          'rows',
          rows.map(({ key }) => key),
        ),
      ).toEqual(rows)
      expect(await store.rowKeys('events', 'cal')).toEqual(rows.map(({ key }) => key))
    })

    it('reads the newest version after a failed compaction', async () => {
      const versions = ['First', 'Second', 'Third'].map((summary) =>
        ['a', 'b', 'c', 'd'].map((id) => single(id, 3, { summary })),
      )
      const keys = versions[0]!.map(({ key }) => key)
      await store.write(plain(versions[0]!))
      await store.rowKeys('events', 'cal')
      await foldAll(store)
      expect(await store.get('rows', keys)).toEqual(versions[0])
      await store.write(plain(versions[1]!))
      under.failNext()
      await store.fold().catch(() => undefined)
      await store.write(plain(versions[2]!))
      await store.rowKeys('events', 'cal')
      await foldAll(store)
      expect(await store.get('rows', keys)).toEqual(versions[2])
    })

    it('stays consistent after any order of writes, removals, compaction, and restarts', async () => {
      const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g')
      const row = fc
        .tuple(id, fc.integer({ min: 1, max: 62 }), fc.constantFrom('cal', 'cal2'))
        .map(([one, day, parent]) => single(one, day, {}, parent))
      const step = fc.oneof(
        fc.array(row, { minLength: 1, maxLength: 6 }).map((rows) => ({ kind: 'fresh' as const, rows })),
        fc.array(row, { minLength: 1, maxLength: 3 }).map((rows) => ({ kind: 'plain' as const, rows })),
        row.map((one) => ({ kind: 'remove' as const, rows: [one] })),
        fc.constant({ kind: 'fold' as const, rows: [] }),
        fc.constant({ kind: 'restart' as const, rows: [] }),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          await open(small)
          const model = new Map<string, StoredRow>()
          for (const { kind, rows } of steps) {
            if (kind === 'fresh') await store.write(fresh(rows))
            else if (kind === 'plain') await store.write(plain(rows))
            else if (kind === 'remove') await store.write(rows.map(({ key }) => ({ table: 'rows', remove: key })))
            else if (kind === 'fold') await store.fold()
            else await restart()
            for (const one of rows)
              if (kind === 'remove') model.delete(one.key)
              else model.set(one.key, one)
            const all = [...model.values()].sort(byKey)
            const { inBlocks, alone } = await found(store)
            expect([...inBlocks, ...alone].sort()).toEqual(all.map(({ key }) => key))
            expect(
              await store.get(
                'rows',
                all.map(({ key }) => key),
              ),
            ).toEqual(all)
            const keys = [...(await store.rowKeys('events', 'cal')), ...(await store.rowKeys('events', 'cal2'))]
            expect(keys).toEqual(all.map(({ key }) => key))
            expect(keys.every((key) => parseRecordKey(key).collection === 'events')).toBe(true)
          }
          await store.close()
        }),
        { numRuns: 60 },
      )
      await store.open()
    })
  })
}
