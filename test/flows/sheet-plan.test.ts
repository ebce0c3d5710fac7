import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '#shared/json'
import { headOfSheet, hasUnclearDates, linesOfSheet } from '../../src-renderer/views/campaigns/sheet-lines'
import { importSheet } from '../../src-renderer/views/campaigns/sheet-import'
import { planSheet, type SheetPlan } from '../../src-renderer/views/campaigns/sheet-plan'
import { pastedSource } from '../../src-renderer/views/campaigns/sheet-source'
import { writeCells } from '../../src-renderer/views/campaigns/writing'
import { cellsForFile } from '../helpers/cells-for-file'
import { minasProfile } from '../helpers/whole-account'

const { cells, device, service, show } = cellsForFile()

const idOf = (row: number): string => cells.model.rows!.key(row).split('\n').at(-1)!
const nameOf = (row: number): string => String(cells.model.cell(row)('name'))
async function plan(lines: readonly (readonly string[])[], options: Parameters<typeof planSheet>[3] = {}) {
  const { model } = cells
  const source = pastedSource(lines)
  const head = await headOfSheet(source, model.kind, model.columns, {})
  return planSheet(model, head, await linesOfSheet(source, head), options)
}
const said = ({ lines }: SheetPlan): unknown[] =>
  lines.map(({ line, kind, changes, problems }) => [
    ...[line, kind, Object.fromEntries(changes().map(({ head, after }) => [head, after]))],
    ...problems.map(({ head, why }) => `${head}: ${why}`),
  ])
const all = async (rows: readonly number[], path: string): Promise<(Json | undefined)[]> =>
  Promise.all(rows.map((row) => cells.value(row, path)))

describe('a sheet', () => {
  it('finds its columns in any order below a title, and its rows by ID', async () => {
    const found = await plan([
      ['Plan for June'],
      [],
      ['Our note', 'Plan line', 'ID'],
      ['x', 'PL 7', idOf(2)],
      ['', '', ''],
      ['y', '', idOf(0)],
    ])
    expect(found.counts).toEqual({ new: 0, changed: 1, same: 1, errors: 0 })
    expect(said(found)).toEqual([[4, 'changed', { 'Plan line': 'PL 7' }]])
    expect(found.by).toEqual(['ID', 'Plan line'])
  })

  it('offers columns that it doesn’t know below a title and a merged head', async () => {
    const { model } = cells
    const source = pastedSource([
      ['Mediaplan Herbst', '', ''],
      [],
      ['', 'Laufzeit', ''],
      ['Platzierung', 'Von', 'Bis'],
      [nameOf(0), '03.09.2026', '24.10.2026'],
    ])
    const head = await headOfSheet(source, model.kind, model.columns, {})
    expect([head.at, head.texts]).toEqual([3, ['Platzierung', 'Von', 'Bis']])
  })

  it('changes nothing where a cell is empty, and clears where it says CLEAR', async () => {
    const { model } = cells
    await importSheet(
      model,
      await plan([
        ['ID', 'Plan line'],
        [idOf(0), '00017'],
      ]),
      { name: 'a.csv', creates: true },
    )
    expect(await cells.value(0, 'externalId')).toBe('00017')
    expect(
      said(
        await plan([
          ['ID', 'Plan line'],
          [idOf(0), ''],
        ]),
      ),
    ).toEqual([])
    const clearing = await plan([
      ['ID', 'Plan line', 'Name'],
      [idOf(0), 'CLEAR', 'CLEAR'],
    ])
    expect(said(clearing)).toEqual([[2, 'changed', { 'Plan line': undefined }, 'Name: Can’t be empty']])
    await importSheet(model, clearing, { name: undefined, creates: true })
    expect(await cells.value(0, 'externalId')).toBeUndefined()
  })

  it('clears a plan line of the record that its name finds', async () => {
    const { model } = cells
    const [campaign, name] = [String(model.cell(0)('campaignId')), nameOf(0)]
    const found = await plan([
      ['Name', 'Campaign', 'Plan line'],
      [name, campaign, 'CLEAR'],
    ])
    expect(said(found)).toEqual([[2, 'changed', { 'Plan line': undefined }]])
  })

  it('is one step, whose undo brings everything back', async () => {
    const rows = [0, 1, 2]
    const before = await all(rows, 'externalId')
    const found = await plan([['ID', 'Plan line'], ...rows.map((row) => [idOf(row), `PL ${row}`])])
    await importSheet(cells.model, found, { name: 'plan.csv', creates: true })
    expect(await all(rows, 'externalId')).toEqual(['PL 0', 'PL 1', 'PL 2'])
    expect(device.replica.undoable.undo).toBe('Import *plan.csv* into 3 placements: plan line')
    expect(cells.messages.at(-1)).toBe('3 placements changed')
    await device.replica.undo()
    expect(await all(rows, 'externalId')).toEqual(before)
  })

  it('leaves several prices alone, and says so where the sheet has others', async () => {
    const { replica } = device
    const { model } = cells
    const record = (await replica.read(model.rows!.key(0)))!.value!
    const schedule = record['pricingSchedule'] as JsonObject
    const [price] = schedule['pricingPeriods'] as JsonObject[]
    const pricingPeriods = ['1000', '2000'].map((units) => ({ ...price, units }))
    const patch = { pricingSchedule: { ...schedule, pricingPeriods } }
    await replica.edit([{ kind: 'change', key: model.rows!.key(0), patch }], { label: 'Prices' })
    const sheet = (units: string, rate: string) =>
      plan([
        ['ID', 'Units', 'Rate/cost'],
        [idOf(0), units, rate],
      ])
    expect((await sheet('3000', '2 prices')).counts).toMatchObject({ same: 1, errors: 0 })
    const why = 'Has several prices. Edit them in the form'
    expect(said(await sheet('1000', '7.50'))).toEqual([[2, 'same', {}, `Units: ${why}`, `Rate/cost: ${why}`]])
  })

  it('means the record of its own campaign by a name that others have, too', async () => {
    const { replica } = device
    const { model } = cells
    const { profile } = model.scope
    const groups = replica.rows('placementGroups', profile).filter(({ value }) => value?.['archived'] !== true)
    const campaignOf = (row: (typeof groups)[number]): Json | undefined => row.value?.['campaignId']
    const twins = [groups[0]!, groups.find((one) => campaignOf(one) !== campaignOf(groups[0]!))!]
    await replica.edit(
      twins.map(({ key }) => ({ kind: 'change', key, patch: { name: 'Twin' } })),
      { label: 'Twins' },
    )
    const rowIn = (twin: (typeof groups)[number]): number =>
      Array.from({ length: model.rows!.length }, (_unused, at) => at).find(
        (at) => model.cell(at)('campaignId') === campaignOf(twin) && model.cell(at)('placementGroupId') !== twin.id,
      )!
    const rows = twins.map(rowIn)
    const changed = await plan([['ID', 'Placement group'], ...rows.map((at) => [idOf(at), 'Twin'])])
    expect(changed.counts).toMatchObject({ changed: 2, errors: 0 })
    const values = changed.changes.flatMap((one) => (one.kind === 'places' ? one.edits : []))
    expect(new Set(values)).toEqual(new Set(twins.map(({ id }) => ({ path: 'placementGroupId', value: id }))))
    const campaigns = twins.map((twin) => String(campaignOf(twin)))
    const made = await plan([
      ['Name', 'Placement group', 'Campaign'],
      ...campaigns.map((id, at) => [`New ${at}`, 'Twin', id]),
    ])
    expect(made.lines.flatMap(({ problems }) => problems.filter(({ head }) => head === 'Placement group'))).toEqual([])
    const path = 'placementGroupId'
    await writeCells(
      model,
      rows.map((at) => ({ key: model.rows!.key(at), path, text: 'Twin' })),
    )
    expect(await all(rows, path)).toEqual(twins.map(({ id }) => id))
    await replica.undo()
    await replica.undo()
  })

  it('imports what is right, and says what is wrong by row and column', async () => {
    const found = await plan([
      ['ID', 'Start date', 'Site', 'Plan line'],
      [idOf(0), 'someday', 'Nowhere', 'PL 0'],
      ['123456', '', '', 'PL 1'],
      ['6.45E+08', '', '', 'PL 2'],
      [idOf(3), '', '', 'PL 3'],
      [idOf(3), '', '', 'PL 4'],
    ])
    expect(said(found)).toEqual([
      [
        ...[2, 'changed', { 'Plan line': 'PL 0' }],
        'Start date: Enter a date, such as 25 Jun, fri, or +3',
        'Site: Can’t be changed after creation',
      ],
      [3, 'skipped', {}, 'ID: No placement with this ID'],
      [4, 'skipped', {}, 'ID: The spreadsheet rounded this ID. Format the column as text'],
      [5, 'skipped', {}, ': Also in row 6'],
      [6, 'skipped', {}, ': Also in row 5'],
    ])
    expect(found.counts).toEqual({ new: 0, changed: 1, same: 0, errors: 5 })
  })

  it('finds rows without an ID by plan line, or by name in their campaign, and asks for IDs if several match', async () => {
    const { model } = cells
    const lined = model.rows!.key(4)
    await importSheet(
      model,
      await plan([
        ['ID', 'Plan line'],
        [idOf(4), 'Only one'],
      ]),
      { name: undefined, creates: true },
    )
    await show('placements')
    const names = new Map<string, number[]>()
    for (let row = 0; row < cells.model.length; row++) names.set(nameOf(row), [...(names.get(nameOf(row)) ?? []), row])
    const [unique] = [...names.values()].find(({ length }) => length === 1)!
    const several = [...names.values()].find(
      (rows) => new Set(rows.map((row) => cells.model.cell(row)('campaignId'))).size === rows.length && rows.length > 1,
    )!
    const campaign = String(cells.model.cell(several[0]!)('campaignId'))
    const found = await plan([
      ['Plan line', 'Name', 'Campaign', 'Comment'],
      ['Only one', '', '', 'by plan line'],
      ['', nameOf(unique!), '', 'by name'],
      ['', nameOf(several[0]!), campaign, 'by campaign'],
      ['', nameOf(several[0]!), '', 'by nothing'],
    ])
    expect(found.lines.map(({ line, key, problems }) => [line, key, problems.map(({ why }) => why)])).toEqual([
      [2, lined, []],
      [3, cells.model.rows!.key(unique!), []],
      [4, cells.model.rows!.key(several[0]!), []],
      [5, undefined, [`${several.length} placements match. Add a column with IDs`]],
    ])
  })

  it('refuses a row whose campaign is unknown, and one whose name has another plan line', async () => {
    const { model } = cells
    const named = await plan([
      ['ID', 'Plan line'],
      [idOf(1), 'PL-1'],
    ])
    await importSheet(model, named, { name: undefined, creates: true })
    await show('placements')
    const names = [...Array(model.length).keys()].map(nameOf)
    const isUnique = (at: number): boolean => names.filter((other) => other === names[at]).length === 1
    const [unique, another] = [...names.keys()].filter(isUnique) as [number, number]
    const taken = [...Array(model.length).keys()].find((row) => model.cell(row)('externalId') === 'PL-1')!
    const found = await plan([
      ['Plan line', 'Name', 'Campaign', 'Comment'],
      ['', nameOf(unique), 'Nowhere', 'x'],
      ['PL-2', nameOf(taken), String(model.cell(taken)('campaignId')), 'x'],
      ['#N/A', nameOf(unique), '', 'x'],
      ['#NOT CALCULATED!', nameOf(another), '', 'x'],
    ])
    expect(found.lines[0]!.problems).toEqual([{ head: 'Campaign', text: 'Nowhere', why: 'No matches' }])
    expect(said(found)).toEqual([
      [2, 'skipped', {}, 'Campaign: No matches'],
      [
        3,
        'skipped',
        {},
        `Plan line: “${nameOf(taken)}” has plan line PL-1, not PL-2. To add a placement, use another name`,
      ],
      [4, 'changed', { Comment: 'x' }, 'Plan line: The spreadsheet couldn’t calculate this cell'],
      [
        5,
        'changed',
        { Comment: 'x' },
        'Plan line: The file has no current result of this formula. Save it in a spreadsheet program',
      ],
    ])
  })

  it('quotes cells with errors as the file has them', async () => {
    const sheet = [
      ['ID', 'End date', 'Rate/cost'],
      [idOf(0), '31.6.2026', '1.500,5,0'],
      ['new', '31.6.2026', '1,5 USD'],
    ]
    for (const { problems } of (await plan(sheet, { commas: true })).lines)
      expect(sheet.flat()).toEqual(expect.arrayContaining(problems.map(({ text }) => text)))
  })

  it('reads decimal commas, and points between thousands, where a file has them', async () => {
    const units = (text: string, rate: string, commas: boolean): Promise<SheetPlan> =>
      plan(
        [
          ['ID', 'Units', 'Rate/cost'],
          [idOf(0), text, rate],
        ],
        { commas },
      )
    expect(said(await units('10.000', '1.500', true))).toEqual(said(await units('10,000', '1500', false)))
    expect(said(await units('10.000', '1.500 EUR', true))).toEqual(said(await units('10,000', '1500', false)))
    expect(said(await units('10.000', '12.345,50', true))).toEqual(said(await units('10,000', '12345.50', false)))
  })

  it('refuses to create what is twice in it', async () => {
    const { model } = cells
    const campaign = device.replica
      .rows('campaigns')
      .find(({ value }) => value!['archived'] !== true && String(value!['endDate']) > '2026-08-01')!
    Object.assign(model, { scope: { ...model.scope, within: campaign.key } })
    const [site, other] = device.replica.rows('sites').map(({ value }) => String(value!['name']))
    const problems = async (rows: readonly string[][]): Promise<string[]> => {
      const { lines } = await plan([['ID', 'Plan line', 'Name', 'Site'], ...rows])
      return lines.map(
        ({ line, problems: own }) => `${line} ${own.find(({ why }) => why.startsWith('Also'))?.why ?? ''}`,
      )
    }
    expect(
      await problems([
        ['', 'PL 1', 'Homepage', site!],
        ['', 'PL 2', 'Homepage', site!],
        ['', 'PL 1', 'Homepage, again', site!],
      ]),
    ).toEqual(['2 Also in row 4', '3 ', '4 Also in row 2'])
    expect(
      await problems([
        ['', '', 'Homepage', site!],
        ['', '', 'Homepage', other!],
        ['', '', 'Homepage ', site!],
      ]),
    ).toEqual(['2 Also in row 4', '3 ', '4 Also in row 2'])
    const all = await problems(Array.from({ length: 62 }, () => ['', 'PL 1', '', site!]))
    expect([all[0], all[1], all[61]]).toEqual([
      '2 Also in rows 3, 4, 5, and 58 more',
      '3 Also in rows 2, 4, 5, and 58 more',
      '63 Also in rows 2, 3, 4, and 58 more',
    ])
    // Rows that say so are new, and those without a name can’t be told apart.
    expect(
      await problems([
        ['new', '', 'Homepage', site!],
        ['new', '', 'Homepage', site!],
        ['', '', '', site!],
        ['', '', '', site!],
      ]),
    ).toEqual(['2 ', '3 ', '4 ', '5 '])
  })

  it('creates rows without a match, with the usual defaults, unless that is turned off', async () => {
    const { model } = cells
    const { scope } = model
    const campaign = device.replica
      .rows('campaigns')
      .find(({ value }) => value!['archived'] !== true && String(value!['endDate']) > '2026-08-01')!
    Object.assign(model, { scope: { ...scope, within: campaign.key } })
    const found = await plan([
      ['ID', 'Name', 'Size', 'Units', 'Rate/cost', 'Pricing type'],
      ['new:a', 'Fresh one', '300x250', '1,000', '2.50', 'CPM'],
      ['new', '', '728 x 90', '', '', ''],
    ])
    expect(found.counts).toMatchObject({ new: 1, errors: 1 })
    expect(found.lines.map(({ kind, title, problems }) => [kind, title, problems.map(({ why }) => why)])).toEqual([
      ['new', 'Fresh one', []],
      ['skipped', '', ['“Name” is missing']],
    ])
    expect(found.cost).toEqual({ before: 0n, after: 2_500_000_000n })
    expect(await importSheet(model, found, { name: 'a.xlsx', creates: false })).toBe(false)
    await importSheet(model, found, { name: 'a.xlsx', creates: true })
    const [entry] = device.replica.outbox()
    expect(entry).toMatchObject({ kind: 'create', patch: { name: 'Fresh one', campaignId: campaign.id } })
    expect(device.replica.undoable.undo).toBe('Import *a.xlsx* into 1 placement')
  })

  it('reads dates in the order that the column or a person says', async () => {
    const path = 'pricingSchedule.endDate'
    const day = String(await cells.value(0, path))
    const [year, month] = day.split('-') as [string, string]
    const written = async (text: string, dates?: 'dayFirst' | 'monthFirst') =>
      said(
        await plan(
          [
            ['ID', 'End date'],
            [idOf(0), text],
          ],
          { dates },
        ),
      )
    expect(await written(`03/04/${year}`)).toEqual([[2, 'same', {}, expect.stringContaining('could be two dates')]])
    expect(await written(`03/04/${year}`, 'dayFirst')).toEqual([[2, 'changed', { 'End date': `${year}-04-03` }]])
    expect(await written(`03/04/${year}`, 'monthFirst')).toEqual([[2, 'changed', { 'End date': `${year}-03-04` }]])
    const [head, ...rows] = [
      ['ID', 'End date'],
      [idOf(0), `03/${month}/${year}`],
      [idOf(1), `28/${month}/${year}`],
    ]
    const source = pastedSource([head!, ...rows])
    const found = await headOfSheet(source, cells.model.kind, cells.model.columns, {})
    const lines = await linesOfSheet(source, found)
    expect(hasUnclearDates(lines, found.columns)).toBe(false)
    expect(hasUnclearDates(lines.slice(0, 1), found.columns)).toBe(Number(month) <= 12)
    const dotted = [{ line: 2, cells: [idOf(0), `03.04.${year}`] }]
    expect(hasUnclearDates(dotted, found.columns)).toBe(false)
    expect(await written(`03.04.${year}`, 'monthFirst')).toEqual([[2, 'changed', { 'End date': `${year}-04-03` }]])
    expect(said(await plan([head!, ...rows]))[0]).toMatchObject([2, 'changed', { 'End date': `${year}-${month}-03` }])
  })

  it('leaves what someone else changed after the preview', async () => {
    const { model } = cells
    const found = await plan([
      ['ID', 'Plan line', 'Comment'],
      [idOf(0), 'Mine', ''],
      [idOf(1), 'Mine, too', ''],
      [idOf(2), 'Mine as well', 'Looked at'],
    ])
    const minas = await minasProfile(service)
    for (const row of [0, 2])
      await service.asMina('trafficking.placements.patch', { profileId: minas, id: idOf(row) }, { externalId: 'Hers' })
    device.replica.syncNow()
    await expect.poll(() => all([0, 2], 'externalId')).toEqual(['Hers', 'Hers'])
    await importSheet(model, found, { name: undefined, creates: true })
    expect(await all([0, 1, 2], 'externalId')).toEqual(['Hers', 'Mine, too', 'Hers'])
    expect(await cells.value(2, 'comment')).toBe('Looked at')
    expect(cells.messages.at(-1)).toBe('2 placements changed, 2 cells skipped because someone else changed them')
  })
})

describe('a large sheet', () => {
  it('reads each record once, looks up each name once, and stops between two batches', async () => {
    const { model } = cells
    const { replica } = model.app
    const rows = Array.from({ length: model.length }, (_unused, row) => [idOf(row), `PL ${row}`, 'Nowhere'])
    let read = 0
    let lookedUp = 0
    let stop: AbortController | undefined
    const counting = Object.create(replica, {
      readAll: {
        value: (keys: readonly string[]) => {
          read += keys.length
          stop?.abort()
          return replica.readAll(keys)
        },
      },
      rows: {
        value: (...args: Parameters<typeof replica.rows>) => {
          lookedUp++
          return replica.rows(...args)
        },
      },
    }) as typeof replica
    const own = Object.assign(Object.create(model) as typeof model, { app: { ...model.app, replica: counting } })
    const source = pastedSource([['ID', 'Plan line', 'Content category'], ...rows])
    const head = await headOfSheet(source, model.kind, model.columns, {})
    const lines = await linesOfSheet(source, head)
    const found = await planSheet(own, head, lines, {})
    expect(found.counts).toMatchObject({ changed: rows.length, errors: rows.length })
    expect({ read, lookedUp }).toEqual({ read: rows.length, lookedUp: 1 })
    read = 0
    stop = new AbortController()
    await expect(planSheet(own, head, lines, {}, { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' })
    expect(read).toBe(200)
    await expect(linesOfSheet(source, head, { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })
})
