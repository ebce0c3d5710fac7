import { beforeEach, describe, expect, it } from 'vitest'
import { parseRecordKey, recordKey, type CollectionName } from '#shared/domain/collections'
import { factsOf } from '#shared/facts/facts'
import type { JsonObject } from '#shared/json'
import type { OutboxEntry } from '#shared/mutation/entry'
import type { TableQuery, TableRows } from '../../../../src-renderer/replica/api'
import { newestLayouts } from '../../../../src-renderer/replica/blocks/layouts'
import { Commits } from '../../../../src-renderer/replica/commits'
import { systemEnvironment } from '../../../../src-renderer/replica/environment'
import { Memory } from '../../../../src-renderer/replica/memory'
import { memoryDisk, MemoryStore } from '../../../../src-renderer/replica/memory-store'
import type { StoredRow } from '../../../../src-renderer/replica/store'
import { FrameYield } from '../../../../src-renderer/replica/tables/frame-yield'
import { readTable } from '../../../../src-renderer/replica/tables/table'
import type { Tx } from '../../../../src-renderer/replica/tx'
import { behaviors } from '../../../../src-renderer/behaviors'
import { entryOf } from '../store.conformance'
import { silentBridge } from '../../../helpers/silent-bridge'

const rowOf = (collection: CollectionName, id: string, base: JsonObject, parent = '7'): StoredRow => ({
  key: recordKey(collection, parent, id),
  collection,
  parent,
  id,
  base: { id, ...base },
  complete: true,
})

// One collection has columns in memory, and the other is fully in memory. Same rows, same results.
describe.each(['placements', 'placementGroups'] as const)('the table of %s', (collection) => {
  let memory: Memory
  let store: MemoryStore
  let commits: Commits
  const write = (work: (tx: Tx) => void): Promise<void> => commits.run('sync', work).saved
  const put = (...rows: StoredRow[]): Promise<void> => write((tx) => rows.forEach((row) => tx.putRow(row, true)))
  const row = (id: string, base: JsonObject, parent?: string): StoredRow => rowOf(collection, id, base, parent)
  const change = (id: string, patch: JsonObject): OutboxEntry => ({
    ...entryOf(`entry-${id}`),
    collection,
    parent: '7',
    recordId: id,
    kind: 'change',
    patch,
    base: null,
  })
  const read = (query: TableQuery = {}, signal?: AbortSignal): Promise<TableRows> =>
    readTable(memory, collection, query, new FrameYield(systemEnvironment, signal))
  const idsOf = (table: TableRows): string[] =>
    Array.from({ length: table.length }, (_unused, at) => parseRecordKey(table.key(at)).id)
  const ids = async (query?: TableQuery): Promise<string[]> => idsOf(await read(query))
  const by = (column: string, down = false): Promise<string[]> => ids({ sort: { column, down } })

  beforeEach(async () => {
    memory = new Memory(behaviors)
    store = new MemoryStore(memoryDisk(), { limits: { minRows: 1, loose: 1, rows: 3 } })
    await store.open()
    store.onMoved((moved) => memory.follow(moved))
    commits = new Commits(memory, store, silentBridge, () => undefined)
    await put(
      row('9', { name: 'Banner', siteId: '1002', archived: false, lastModifiedInfo: { time: '300' } }),
      row('10', { name: 'ärmel', siteId: '99', archived: true, pricingSchedule: { startDate: '2026-02-01' } }),
      row('11', { name: 'Zebra', siteId: '9223372036854775807', archived: true }),
      row('12', { name: 'apple', siteId: '9223372036854775806', comment: 'nowhere', externalId: 'Plan A' }),
      row('13', { archived: false, pricingSchedule: { startDate: '2026-01-01' }, lastModifiedInfo: { time: '20' } }),
    )
    await put(row('14', { name: 'Elsewhere', siteId: '99' }, '8'))
    await commits.settled()
  })

  it('has columns from its facts by path, and counts the rows that have them', async () => {
    const table = await read({ parent: '7', sort: { column: 'name', down: false } })
    const { columns } = factsOf().of(collection)
    expect(table.columns).toEqual(columns)
    expect([table.length, table.total]).toEqual([5, 5])
    const cell = (at: number, path: string): unknown => table.cell(at, columns.indexOf(path))
    expect(table.key(1)).toBe(recordKey(collection, '7', '10'))
    expect([cell(1, 'name'), cell(1, 'archived'), cell(1, 'pricingSchedule.startDate')]).toEqual([
      'ärmel',
      true,
      '2026-02-01',
    ])
    expect(cell(0, 'pricingSchedule.startDate')).toBeUndefined()
    const atOnce = table.cells(1)
    expect(columns.map((_path, column) => atOnce(column))).toEqual(columns.map((path) => cell(1, path)))
    expect((await read()).total).toBe(6)
  })

  it('sorts text by locale, IDs by number, and missing values always last', async () => {
    expect(await by('name')).toEqual(['12', '10', '9', '14', '11', '13'])
    expect(await by('name', true)).toEqual(['11', '14', '9', '10', '12', '13'])
    expect(await by('id')).toEqual(['9', '10', '11', '12', '13', '14'])
    expect(await by('siteId')).toEqual(['10', '14', '9', '12', '11', '13'])
    expect(await by('archived')).toEqual(['13', '9', '10', '11', '12', '14'])
    expect(await by('archived', true)).toEqual(['10', '11', '13', '9', '12', '14'])
    expect(await by('lastModifiedInfo.time', true)).toEqual(['9', '13', '10', '11', '12', '14'])
    expect(await ids({ parent: '7' }), 'by key').toEqual(['10', '11', '12', '13', '9'])
  })

  it('finds words in any visible column, ignoring case, and only requested cells', async () => {
    expect(await ids({ words: 'APP' })).toEqual(['12'])
    expect(await ids({ words: ' plan  apple ' })).toEqual(['12'])
    expect(await ids({ words: 'plan zebra' })).toEqual([])
    expect(await ids({ words: 'nowhere' }), 'no column').toEqual([])
    expect(await ids({ only: { archived: ['true'] } })).toEqual(['10', '11'])
    expect(await ids({ only: { archived: ['true', ''] }, parent: '7' })).toEqual(['10', '11', '12'])
    expect(await ids({ only: { siteId: ['99'], archived: ['true'] } })).toEqual(['10'])
    expect(await ids({ only: { archived: [] } })).toEqual([])
  })

  it('finds words in the names of the records that requested columns refer to', async () => {
    await put(
      rowOf('sites', '99', { name: 'Corriere del Lago' }),
      rowOf('sites', '1002', { name: 'Stadtmagazin Elbe' }),
      rowOf('campaigns', '20', { name: 'Apple week' }),
      row('15', { name: 'Lago banner', campaignId: '20' }),
    )
    await commits.settled()
    const named = ['siteId', 'campaignId', 'name']
    expect(await ids({ words: 'lago' })).toEqual(['15'])
    expect(await ids({ words: 'LAGO', named })).toEqual(['10', '15', '14'])
    expect(await ids({ words: 'banner elbe', named })).toEqual(['9'])
    expect(await ids({ words: 'apple', named })).toEqual(['12', '15'])
    expect(await ids({ words: 'apple', named: ['siteId'] })).toEqual(['12'])
    await write((tx) => tx.putEntry(change('11', { siteId: '1002' })))
    expect((await ids({ words: 'elbe', named })).sort()).toEqual(['11', '9'])
  })

  it('finds the requested number of choices and no near matches', async () => {
    const sites = Array.from({ length: 300 }, (_unused, n) => (n % 9 === 0 ? '' : String((n * 7) % 211)))
    await put(...sites.map((siteId, n) => row(String(1000 + n), { name: `Row ${n}`, siteId })))
    await commits.settled()
    for (const count of [1, 3, 8, 9, 60]) {
      const wanted = Array.from({ length: count }, (_unused, n) => String((n * 12 + 1) % 300))
      const fitting = sites.flatMap((site, n) => (wanted.includes(site) ? [String(1000 + n)] : []))
      expect(fitting.length).toBeGreaterThan(0)
      expect(await ids({ only: { siteId: wanted }, where: [{ column: 'name', has: 'row' }] })).toEqual(fitting)
      expect((await ids({ only: { siteId: [...wanted, ''] }, words: 'row' })).length).toBe(fitting.length + 34)
    }
  })

  it('shows pending edits with their marks and filters by them', async () => {
    await write((tx) => {
      if (memory.isWindow(collection)) memory.hold(row('9', { name: 'Banner' }))
      tx.putEntry(change('9', { name: 'Able' }))
      tx.putEntry({ ...change('new', { name: 'aardvark' }), kind: 'create' })
    })
    const table = await read({ parent: '7', sort: { column: 'name', down: false } })
    expect(idsOf(table)).toEqual(['new', '9', '12', '10', '11', '13'])
    expect([table.mark(0), table.mark(1), table.mark(2)]).toEqual(['local', 'local', 'synced'])
    await write((tx) => tx.putEntry({ ...change('9', { name: 'Abel' }), state: 'needsYou' }))
    expect([table.cell(1, 0), table.mark(1)]).toEqual(['Abel', 'needsYou'])
  })

  it('keeps its row order through changes, moves on disk, and deletions, with current cells', async () => {
    const table = await read({ parent: '7', sort: { column: 'id', down: false } })
    const names = (): unknown[] => Array.from({ length: table.length }, (_unused, at) => table.cell(at, 0))
    expect(names()).toEqual(['Banner', 'ärmel', 'Zebra', 'apple', undefined])
    await put(row('9', { name: 'Anew' }))
    await write((tx) => tx.removeRow(recordKey(collection, '7', '11')))
    await write((tx) => tx.putRow(row('12', { name: 'Alone' })))
    await put(row('15', { name: 'New' }))
    const after = ['Anew', 'ärmel', undefined, 'Alone', undefined]
    expect(names()).toEqual(after)
    while (await store.fold());
    expect(names()).toEqual(after)
    expect(idsOf(table)).toEqual(['9', '10', '11', '12', '13'])
    expect(await ids({ parent: '7' })).toEqual(['10', '12', '13', '15', '9'])
  })

  it('is the same for packed rows, newer rows, and drafts', async () => {
    const many = Array.from({ length: 120 }, (_unused, n) =>
      row(String(200 + n), { name: `Row ${(n * 37) % 50}`, siteId: String(n % 7), archived: n % 3 === 0 }),
    )
    await put(...many)
    await commits.settled()
    await ids({ sort: { column: 'name', down: false }, parent: '7' })
    const drafts = [201, 202, 250, 319].map((id) => many.find((one) => one.id === String(id))!)
    await put(
      ...many.filter((_one, n) => n % 10 === 5).map((one) => ({ ...one, base: { ...one.base, name: 'Newer' } })),
    )
    await write((tx) => {
      for (const one of drafts) {
        if (memory.isWindow(collection)) memory.hold(one)
        tx.putEntry(change(one.id, { name: 'Row 7', siteId: null }))
      }
    })
    const shown = await read({ parent: '7' })
    const plain = Array.from({ length: shown.length }, (_unused, at) => ({
      key: shown.key(at),
      id: parseRecordKey(shown.key(at)).id,
      name: String(shown.cell(at, 0) ?? ''),
      site: String(shown.cell(at, shown.columns.indexOf('siteId')) ?? ''),
    }))
    expect(plain).toHaveLength(125)
    expect(plain.filter(({ name }) => name === 'Newer').length).toBeGreaterThan(9)
    const way = { up: 1, down: -1 }
    const collator = new Intl.Collator()
    for (const down of [false, true])
      for (const words of ['', 'row', 'row 7', 'newer']) {
        const wanted = plain
          .filter(({ name }) => words.split(' ').every((word) => name.toLowerCase().includes(word)))
          .sort(
            (a, b) =>
              Number(a.name === '') - Number(b.name === '') ||
              way[down ? 'down' : 'up'] * collator.compare(a.name, b.name) ||
              (a.key < b.key ? -1 : 1),
          )
        const where = words === '' ? [] : [{ column: 'name', has: words }]
        expect(await ids({ parent: '7', where, sort: { column: 'name', down } })).toEqual(wanted.map(({ id }) => id))
      }
    expect(await ids({ parent: '7', only: { siteId: [''] } })).toEqual(
      plain.filter(({ site }) => site === '').map(({ id }) => id),
    )
    expect(await ids({ parent: '7', marks: ['local'] })).toEqual(['201', '202', '250', '319'])
    expect(await ids({ parent: '7', marks: ['synced'] })).toHaveLength(121)
    for (const [at, { key }] of plain.entries()) expect(shown.find(key)).toBe(at)
    expect(shown.find(recordKey(collection, '7', 'none'))).toBe(-1)
    expect(shown.find(recordKey(collection, '8', '14'))).toBe(-1)
  })

  it('finds a row that has since got its real ID', async () => {
    await write((tx) => tx.putEntry({ ...change('local:1', { name: 'Made' }), kind: 'create' }))
    const table = await read({ parent: '7', words: 'made' })
    await write((tx) => {
      tx.endEntry(memory.outbox.get('entry-local:1')!, {
        id: 'h',
        entry: memory.outbox.get('entry-local:1')!,
        how: 'confirmed',
        at: 0,
      })
      tx.rename(recordKey(collection, '7', 'local:1'), '77')
      tx.putRow(row('77', { name: 'Made there' }))
    })
    expect([table.cell(0, 0), table.mark(0)]).toEqual(['Made there', 'synced'])
  })

  it('blocks no frame, shows a consistent snapshot, and stops when canceled', async () => {
    const many = Array.from({ length: 3_000 }, (_unused, n) => row(String(1_000 + n), { name: `Many ${n % 977}` }))
    await put(...many)
    let [elapsed, breaths] = [0, 0]
    const environment = {
      // Each clock read costs a millisecond.
      elapsed: () => elapsed++,
      setTimer: (work: () => void) => {
        breaths++
        if (breaths === 1) void put(...many.map((one) => ({ ...one, base: { ...one.base, name: 'Other' } })))
        return systemEnvironment.setTimer(work, 0)
      },
    }
    const query = { words: 'many', sort: { column: 'name', down: false } }
    const table = await readTable(memory, collection, query, new FrameYield(environment))
    expect(breaths).toBeGreaterThan(5)
    expect(table.length).toBe(3_000)
    expect(new Set(idsOf(table)).size).toBe(3_000)
    await commits.settled()
    expect(table.cell(0, 0)).toBe('Other')

    const stop = new AbortController()
    const stopping = { ...environment, setTimer: (work: () => void) => (stop.abort(), work()) }
    const ended = readTable(memory, collection, query, new FrameYield(stopping, stop.signal))
    await expect(ended).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('a table', () => {
  it('rejects calendar collections and unknown columns', async () => {
    const memory = new Memory(behaviors)
    const read = (collection: CollectionName, column: string): Promise<TableRows> =>
      readTable(memory, collection, { sort: { column, down: false } }, new FrameYield(systemEnvironment))
    await expect(read('events', 'summary')).rejects.toThrow('events has no table')
    await expect(read('placements', 'comment')).rejects.toThrow('no column comment')
    expect((await read('placements', 'advertiserId')).length).toBe(0)
    expect(newestLayouts.of('placements').columns).toContain('advertiserId')
  })
})
