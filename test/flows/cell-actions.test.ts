import { describe, expect, it } from 'vitest'
import { parseRecordKey } from '#shared/domain/collections'
import { valueAt } from '#shared/fields/path'
import type { Json, JsonObject } from '#shared/json'
import { discardCells } from '../../src-renderer/views/campaigns/discard-cells'
import { listedChanges } from '../../src-renderer/views/campaigns/draft-marks'
import { end as endRecords, unarchive } from '../../src-renderer/views/campaigns/ending'
import { makeCopies } from '../../src-renderer/views/campaigns/making'
import { refusalCounts } from '../../src-renderer/views/campaigns/bulk'
import { filledColumns, fillDown, fillRight, fillTo, whyNoFill } from '../../src-renderer/views/campaigns/filling'
import { previewOf, replacer, type Preview, type ReplaceQuery } from '../../src-renderer/views/campaigns/replace'
import { rowTexts } from '../../src-renderer/views/campaigns/cell-text'
import { selectedDates, shiftDates } from '../../src-renderer/views/campaigns/shifting'
import { planWrites, writeCells } from '../../src-renderer/views/campaigns/writing'
import { cellsForFile } from '../helpers/cells-for-file'

const { cells, device, profile, service, show } = cellsForFile()

const end = 'pricingSchedule.endDate'
const units = 'pricingSchedule.pricingPeriods.0.units'
const write = (path: string, text: string, rows: readonly number[]): ReturnType<typeof writeCells> => {
  const { model } = cells
  return writeCells(
    model,
    rows.map((row) => ({ key: model.rows!.key(row), path, text })),
  )
}
const days = (date: unknown): number => Date.parse(String(date)) / 86_400_000

describe('a typed formula', () => {
  it("uses each row's own value", async () => {
    const rows = [0, 1, 2]
    const before = await Promise.all(rows.map((row) => cells.value(row, end)))
    expect(await write(end, '+7d', rows)).toMatchObject({ written: 3, refused: [] })
    const after = await Promise.all(rows.map((row) => cells.value(row, end)))
    expect(after.map(days)).toEqual(before.map((one) => days(one) + 7))
    const counts = await Promise.all(rows.map((row) => cells.value(row, units)))
    await write(units, '*2', rows)
    expect(await Promise.all(rows.map((row) => cells.value(row, units)))).toEqual(
      counts.map((one) => String(Number(one) * 2)),
    )
    await device.replica.undo()
    await device.replica.undo()
    expect(await Promise.all(rows.map((row) => cells.value(row, end)))).toEqual(before)
  })

  it('is rejected without a value', async () => {
    await write(units, '', [0])
    expect(await cells.value(0, units)).toBeUndefined()
    expect(await write(units, '*2', [0, 1])).toMatchObject({
      written: 1,
      refused: [{ path: units, why: 'No number to calculate from' }],
    })
  })
})

describe('discarding changes while someone else changes the same flight', () => {
  it('shows what the service has by now, until nothing is left to send', async () => {
    const { replica } = device
    const key = cells.model.rows!.key(0)
    const start = 'pricingSchedule.startDate'
    const before = (await replica.read(key))!.value!['pricingSchedule'] as JsonObject
    await write(end, '-1d', [0])
    await write(units, '*2', [0])
    const startDate = new Date((days(before['startDate']) + 2) * 86_400_000).toISOString().slice(0, 10)
    const endDate = new Date((days(before['endDate']) - 2) * 86_400_000).toISOString().slice(0, 10)
    const pricingPeriods = (before['pricingPeriods'] as JsonObject[]).map((one) => ({ ...one, startDate, endDate }))
    await service.client.call(
      'trafficking.placements.patch',
      { profileId: profile(), id: parseRecordKey(key).id },
      { body: { pricingSchedule: { ...before, startDate, endDate, pricingPeriods } } },
    )
    replica.syncNow()
    await device.until('the change is here', () => valueAt(replica.peek(key)?.base ?? undefined, end) === endDate)

    cells.select(0, 0, end, end)
    await discardCells(cells.model)
    expect(await cells.value(0, end)).toBe(endDate)
    // The rest of the flight is still what would be sent.
    expect(listedChanges(replica.facts, cells.model.marks).map(({ change }) => change!.head)).not.toContain('End date')
    cells.select(0, 0, start, start)
    await discardCells(cells.model)
    expect(replica.outbox()).toHaveLength(1)
    cells.select(0, 0, units, units)
    await discardCells(cells.model)
    expect(replica.outbox()).toEqual([])
    expect(await cells.value(0, start)).toBe(startDate)
    expect(await cells.value(0, units)).toBe((before['pricingPeriods'] as JsonObject[])[0]!['units'])
  })
})

describe('filling', () => {
  it('copies the first row down, unchanged, in one step', async () => {
    await write('externalId', 'Line 1', [0])
    const category = await cells.value(0, 'contentCategoryId')
    cells.select(0, 3, 'externalId', 'contentCategoryId')
    await fillDown(cells.model)
    for (const row of [1, 2, 3]) {
      expect(await cells.value(row, 'externalId')).toBe('Line 1')
      expect(await cells.value(row, 'contentCategoryId')).toBe(category)
    }
    expect(device.replica.undoable.undo).toMatch(/^Fill down /)
    await device.replica.undo()
    expect(await cells.value(2, 'externalId')).not.toBe('Line 1')
  })

  it('copies right as typed, and reports failures', async () => {
    await write('externalId', 'Not a category', [0, 1])
    cells.select(0, 1, 'externalId', 'contentCategoryId')
    await fillRight(cells.model)
    expect(cells.messages.at(-1)).toMatch(/^0 cells filled\. 2 cells skipped: No matches$/)
  })
})

describe('filling from several cells', () => {
  it('repeats the first rows', async () => {
    await write('externalId', 'a', [0])
    await write('externalId', 'b', [1])
    cells.select(0, 4, 'externalId')
    await fillDown(cells.model, 2)
    const lines = await Promise.all([0, 1, 2, 3, 4].map((row) => cells.value(row, 'externalId')))
    expect(lines).toEqual(['a', 'b', 'a', 'b', 'a'])
    expect(cells.messages.at(-1)).toBe('3 cells filled')
    await device.replica.undo()
    expect(await cells.value(2, 'externalId')).not.toBe('a')
  })

  it('goes where the pointer is further from them', () => {
    const range = { top: 1, bottom: 2, left: 3, right: 4 }
    const at = (row: number, column: number, x: number, y: number): unknown => fillTo(range, { row, column, x, y })
    expect(at(2, 4, -5, -5)).toBeNull()
    expect(at(0, 0, -200, -60)).toBeNull()
    expect(at(5, 4, -5, 80)).toEqual({ way: 'down', count: 3 })
    expect(at(5, 5, 40, 80)).toEqual({ way: 'down', count: 3 })
    expect(at(3, 6, 200, 20)).toEqual({ way: 'right', count: 2 })
    expect(at(1, 5, 30, -40)).toEqual({ way: 'right', count: 1 })
  })

  it('says why read-only cells have nothing to fill from', () => {
    const why = (from: string, to?: string): string | undefined => {
      cells.select(0, 0, from, to)
      return whyNoFill(cells.model)
    }
    expect(why('externalId')).toBeUndefined()
    expect(why('siteId')).toBe('Can’t be changed after creation')
    expect(why('fx.cost')).toBe('Can’t be edited, because it’s computed')
    expect(why('id')).toBe('The service fills this in')
    expect(why('name', 'siteId')).toBeUndefined()
    expect(filledColumns(cells.model, { way: 'down', count: 3 })).toBe(1)
  })
})

describe('cells of a placement with several prices', () => {
  const list = 'pricingSchedule.pricingPeriods'
  const rate = `${list}.0.rateOrCostNanos`
  const why = 'Has several prices. Edit them in the form'
  const several = async (): Promise<Json[]> => {
    const [price] = (await cells.value(0, list)) as JsonObject[]
    const prices = [1, 2, 3].map((count) => ({ ...price!, units: `${count}000`, rateOrCostNanos: `${count}7000000` }))
    await writeCells(cells.model, [{ key: cells.model.rows!.key(0), path: list, value: prices }])
    return prices
  }

  it('show what they are together, also in the list’s order', async () => {
    await several()
    expect(cells.model.cell(0)(units)).toBe('6000')
    expect(cells.model.cell(0)(rate)).toBe('3 prices')
    const cell = cells.model.cell(1)
    expect([cell(units), cell(rate)]).toEqual([await cells.value(1, units), await cells.value(1, rate)])
  })

  it('leave the first price alone', async () => {
    const prices = await several()
    const { written, refused } = await write(rate, '*1.1', [0, 1])
    expect([written, refused.map((one) => one.why)]).toEqual([1, [why]])
    expect(await write(units, '', [0])).toMatchObject({ written: 0, refused: [{ why }] })
    expect(await cells.value(0, list)).toEqual(prices)
    cells.select(0, 0, units)
    expect(whyNoFill(cells.model)).toBe(why)
  })

  it('aren’t filled from', async () => {
    await several()
    const before = await cells.value(1, rate)
    cells.select(0, 1, rate)
    await fillDown(cells.model)
    expect(await cells.value(1, rate)).toBe(before)
  })
})

describe('moving dates', () => {
  const start = 'pricingSchedule.startDate'
  it('adds up for keys pressed twice, each as one step, and leaves other cells alone', async () => {
    cells.select(0, 2, start, end)
    expect(selectedDates(cells.model)).toEqual([start, end])
    const rows = [0, 1, 2].flatMap((row) => [start, end].map((path) => [row, path] as const))
    const before = await Promise.all(rows.map(([row, path]) => cells.value(row, path)))
    await Promise.all([shiftDates(cells.model, 7), shiftDates(cells.model, 7)])
    const after = await Promise.all(rows.map(([row, path]) => cells.value(row, path)))
    expect(after.map(days)).toEqual(before.map((one) => days(one) + 14))
    expect(cells.messages.at(-1)).toBe('6 cells changed')
    await device.replica.undo()
    await shiftDates(cells.model, -7)
    expect(await Promise.all(rows.map(([row, path]) => cells.value(row, path)))).toEqual(before)
  })
})

describe('find and replace', () => {
  const preview = async (query: Partial<ReplaceQuery>, path: string, to = 20): Promise<Preview> => {
    const read = await replacer({ find: '', by: '', how: 'text', matchCase: false, ...query })
    if ('problem' in read) throw new Error(read.problem)
    const columns = cells.model.columns.filter((column) => column.path === path)
    return previewOf(cells.model, { from: 0, to, columns }, read.replace)
  }

  it('previews changes and applies them in one step', async () => {
    const names = await Promise.all([0, 1, 2].map((row) => cells.value(row, 'name')))
    const found = await preview({ find: ' ', by: '_' }, 'name', 2)
    expect(found.plan).toMatchObject({ written: 3, refused: [], records: 3 })
    expect(found.shown.map(({ before, after }) => [before, after])).toEqual(
      names.map((name) => [name, String(name).replaceAll(' ', '_')]),
    )
    expect(await cells.value(0, 'name')).toBe(names[0])
    await writeCells(cells.model, found.edits, { verb: 'Replace' })
    expect(await cells.value(2, 'name')).toBe(String(names[2]).replaceAll(' ', '_'))
    expect(device.replica.undoable.undo).toBe('Replace 3 placements: name')
    await device.replica.undo()
    expect(await Promise.all([0, 1, 2].map((row) => cells.value(row, 'name')))).toEqual(names)
  })

  it("skips cells that can't be written, with the reason", async () => {
    const site = await preview({ find: '.+', by: 'Elsewhere', how: 'pattern' }, 'siteId', 4)
    expect(site.plan.written).toBe(0)
    expect(refusalCounts(site.plan.refused)).toEqual([{ why: 'Can’t be changed after creation', count: 5 }])
    const dates = await preview({ find: '-', by: '!' }, end, 4)
    expect(dates.plan).toMatchObject({ written: 0, records: 0 })
    expect(refusalCounts(dates.plan.refused).map(({ count }) => count)).toEqual([5])
    const columns = cells.model.columns.filter(({ path }) => path === 'contentCategoryId')
    expect(columns).toHaveLength(1)
  })

  it('skips values changed since the preview', async () => {
    const found = await preview({ find: '^', by: 'X ', how: 'pattern' }, 'name', 1)
    expect(found.plan.written).toBe(2)
    await write('name', 'Another name', [0])
    const { written, refused } = await writeCells(cells.model, found.edits)
    expect([written, refused.map(({ why }) => why)]).toEqual([1, ['Changed since you saw it']])
    expect(await cells.value(0, 'name')).toBe('Another name')
  })

  it('stops midway on request without writing', async () => {
    const control = new AbortController()
    const columns = cells.model.columns.filter(({ path }) => path === 'name')
    const places = { from: 0, to: cells.model.length, columns }
    expect(cells.model.length).toBeGreaterThan(200)
    const stop = (): void => control.abort(new Error('Stopped'))
    const work = previewOf(cells.model, places, (text) => `${text}!`, { signal: control.signal, onprogress: stop })
    await expect(work).rejects.toThrow('Stopped')
    expect(device.replica.status.drafts).toBe(0)
  })
})

describe('a search', () => {
  const replaced = async (query: Partial<ReplaceQuery>, text: string): Promise<string | undefined> => {
    const read = await replacer({ find: 'a.b', by: '$1', how: 'text', matchCase: false, ...query })
    return 'replace' in read ? read.replace(text) : read.problem
  }
  it('finds text, whole cells, or a regular expression with groups', async () => {
    expect(await replaced({}, 'xA.B a.b acb')).toBe('x$1 $1 acb')
    expect(await replaced({ matchCase: true }, 'xA.B')).toBeUndefined()
    expect(await replaced({ how: 'whole' }, 'a.b')).toBe('$1')
    expect(await replaced({ how: 'whole' }, 'a.b ')).toBeUndefined()
    expect(await replaced({ how: 'whole', find: '', by: 'x' }, '')).toBe('x')
    expect(await replaced({ how: 'pattern', find: '(\\d+)x(\\d+)', by: '$2 by $1' }, '300x250')).toBe('250 by 300')
    expect(await replaced({ how: 'pattern', find: 'utm_(\\w+)', by: 'tag_$1' }, 'utm_a&utm_b')).toBe('tag_a&tag_b')
  })
  it('reports an invalid regular expression', async () => {
    expect(await replaced({ how: 'pattern', find: '(' }, '')).toMatch(/^Invalid expression: /)
  })
})

it.each(['placements', 'creatives', 'ads', 'campaigns'] as const)(
  'cells of %s survive conversion to text and back',
  async (name) => {
    const { model, select } = await show(name)
    const held = model.columns.filter((column) => column.held && column.typed)
    const refused = new Map<string, string>()
    for (const column of held) {
      const rows = Array.from({ length: Math.min(model.rows!.length, 40) }, (_unused, row) => row)
      select(0, 0, column.path)
      const textOf = rowTexts(model, model.kind, [column])
      const edits = rows.map((row) => {
        const key = model.rows!.key(row)
        return { key, path: column.path, text: textOf(key, model.cell(row))(0) }
      })
      const plan = await planWrites(model, edits)
      expect([column.path, plan.changes.length]).toEqual([column.path, 0])
      for (const { why } of plan.refused) refused.set(column.path, why)
    }
    // Read-only cells are rejected, and no cell because it can't be parsed.
    const closed = /^(Can’t be changed after creation|The service fills this in|Doesn’t apply to this type)$/
    expect([...refused].filter(([, why]) => !closed.test(why))).toEqual([])
  },
)

it('doesn’t duplicate to a campaign that was archived after it was chosen', async () => {
  const { model } = cells
  const key = model.rows!.key(0)
  const own = await cells.value(0, 'campaignId')
  const to = device.replica.rows('campaigns').find(({ id, value }) => id !== own && value?.['archived'] === false)!
  const edits = [{ path: 'archived', value: true }]
  await device.replica.edit([{ kind: 'places', key: to.key, edits, upon: {} }], { label: 'Archive' })
  const waiting = device.replica.outbox().length
  await makeCopies(model, [key], false, undefined, {
    key: to.key,
    replacements: new Map([[`campaigns ${String(own)}`, to.id]]),
  })
  expect(device.replica.outbox()).toHaveLength(waiting)
  expect(cells.messages.at(-1)).toBe('Couldn’t duplicate. The campaign is archived. Choose another one.')
})

it('says what was done to records', async () => {
  const { model, messages } = cells
  const [first, second] = [model.rows!.key(0), model.rows!.key(1)]
  const title = model.titleOf((await device.replica.read(first))!)
  await makeCopies(model, [first, second], false)
  expect(messages.at(-1)).toBe('Duplicated 2 placements')
  await write('comment', 'As agreed', [0, 1])
  expect(messages.at(-1)).toBe('Changed 2 placements: comment')
  await endRecords(model, [first, second])
  expect(messages.at(-1)).toBe('Archived 2 placements')
  await unarchive(model, [first])
  expect(messages.at(-1)).toBe(`Unarchived “${title}”`)
})
