import { describe, expect, it } from 'vitest'
import { formulaPreview, previewWords, type FormulaPreview } from '../../src-renderer/views/campaigns/formula-preview'
import {
  formulaColumns,
  formulaTargets,
  readFormula,
  type Formula,
} from '../../src-renderer/views/campaigns/name-formula'
import { writeCells } from '../../src-renderer/views/campaigns/writing'
import { cellsForFile } from '../helpers/cells-for-file'

const { cells, device, show } = cellsForFile()

const formula = (text: string): Formula => {
  const read = readFormula(cells.model, cells.model.kind, text)
  if ('problem' in read) throw new Error(read.problem)
  return read
}
const problem = (text: string): string | undefined => {
  const read = readFormula(cells.model, cells.model.kind, text)
  return 'problem' in read ? read.problem : undefined
}
const preview = (text: string, to: number, path = 'name', start = 1): Promise<FormulaPreview> => {
  const column = formulaTargets(cells.model.kind).find((one) => one.path === path)!
  return formulaPreview(cells.model, formula(text), column, { from: 0, to }, start)
}
const write = (path: string, text: string, rows: readonly number[]): ReturnType<typeof writeCells> => {
  const { model } = cells
  return writeCells(
    model,
    rows.map((row) => ({ key: model.rows!.key(row), path, text })),
  )
}
const afters = ({ shown }: FormulaPreview): string[] => shown.map(({ after }) => after)
const words = (found: FormulaPreview): string => previewWords(found, cells.model.kind.words)

describe('a formula', () => {
  it('writes columns, dates in any form, and numbers in one step', async () => {
    await write('pricingSchedule.startDate', '2031-02-03', [0])
    await write('pricingSchedule.endDate', '2031-03-04', [0])
    const names = await Promise.all([0, 1, 2].map((row) => cells.value(row, 'name')))
    const campaign = await cells.value(0, 'campaignId')
    const { parent } = (await device.replica.read(cells.model.rows!.key(0)))!
    const title = cells.model.namesAround(cells.model.rows!.key(0))('campaigns', String(campaign))
    expect([parent, title]).toEqual([cells.model.scope.profile, expect.stringMatching(/./)])
    const one = await preview('{campaign}/{Site:upper}/{start:yyyyMM}', 0)
    const site = cells.model.namesAround(cells.model.rows!.key(0))('sites', String(await cells.value(0, 'siteId')))
    expect(afters(one)).toEqual([`${title}/${site!.toUpperCase()}/203102`])
    expect(afters(await preview('{end date:d MMM yy}', 0))).toEqual(['4 Mar 31'])
    const found = await preview('{n:3}-{name}', 2, 'name', 9)
    expect(afters(found)).toEqual(names.map((name, at) => `${['009', '010', '011'][at]}-${String(name)}`))
    expect(words(found)).toBe('Changes 3 placements')
    await writeCells(cells.model, found.edits, { label: (what) => `Fill ${what} with a formula` })
    expect(await cells.value(2, 'name')).toBe(`011-${String(names[2])}`)
    expect(device.replica.undoable.undo).toBe('Fill 3 placements with a formula')
    await device.replica.undo()
    expect(await Promise.all([0, 1, 2].map((row) => cells.value(row, 'name')))).toEqual(names)
  })

  it('reads columns that the list doesn’t show, and writes other text columns', async () => {
    const hidden = formulaColumns(cells.model.kind).find(
      ({ path }) => !cells.model.rows!.columns.includes(path) && path === 'comment',
    )!
    await write(hidden.path, 'A remark', [1])
    expect(afters(await preview('{comment} {n}', 1, 'externalId'))).toEqual(['1', 'A remark 2'])
  })

  it('names columns as older versions spelled them, too', () => {
    expect(formula('{video active view opt out}').columns).toEqual(formula('{video active view opt-out}').columns)
  })

  it('writes sizes as names have them', async () => {
    expect(afters(await preview('{size}', 0))).toEqual([expect.stringMatching(/^\d+x\d+$/)])
  })

  it('keeps braces and other text', async () => {
    expect(afters(await preview('{{n}} – {n}', 0))).toEqual(['{n} – 1'])
  })

  it('formats moments in the time zone of the account', async () => {
    await show('ads')
    await write('startTime', '2031-02-03 00:30', [0])
    expect(afters(await preview('{start:yyyy-MM-dd HH:mm}', 0))).toEqual(['2031-02-03 00:30'])
  })

  it('says which fields there are if one is unknown or ambiguous', () => {
    expect(problem('{sight}')).toMatch(/^No field \{sight\}\. Use \{name\}, .*\{site\}.* and \{n\}, or insert another/)
    expect(problem('{}')).toMatch(/^No field \{\}/)
    expect(problem('{placement}')).toMatch(/^\{placement\} could be \{placement group.*\} or \{placement strategy.*\}$/)
    expect(problem('{name')).toBe('Unmatched “{”. Type it twice to use it as text')
    expect(problem('name}')).toBe('Unmatched “}”. Type it twice to use it as text')
  })

  it('rejects formats that don’t fit', () => {
    expect(problem('{site:yyyy}')).toBe('Can’t use {site:yyyy}. Use upper or lower')
    expect(problem('{n:x}')).toMatch(/Use a number of digits/)
    expect(problem('{start:DD}')).toMatch(/Use parts of a date/)
    for (const name of ['constructor', 'hasOwnProperty', '__proto__'])
      expect(problem(`{site:${name}}`)).toBe(`Can’t use {site:${name}}. Use upper or lower`)
    // In time, although many letters fit before the one that doesn't.
    expect(problem(`{start:${'y'.repeat(10_000)}D}`)).toMatch(/Use parts of a date/)
    expect(problem('{start date:yyyy-MM}{n:2}{SITE:lower}')).toBeUndefined()
  })
})

describe('the preview of a formula', () => {
  it('counts unchanged texts, duplicates, empty fields, and texts that are too long', async () => {
    await write('name', 'Same', [0])
    await write('externalId', 'x', [0, 1])
    await write('externalId', '', [2])
    const same = await preview('{name}', 2)
    expect([same.same, same.plan.written, words(same)]).toEqual([3, 0, 'No changes · 3 unchanged'])
    const found = await preview('{plan line}Same', 2)
    expect(words(found)).toMatch(/^Changes 3 placements.* · 1 with no plan line$/)
    const long = await preview('x'.repeat(600), 1)
    expect([long.plan.written, long.long.size]).toEqual([0, 2])
    expect(words(long)).toMatch(/^No changes · (?:2 duplicates · )?2 longer than \d+ characters$/)
  })

  it('calls equal texts duplicates only within one campaign', async () => {
    const campaign = (row: number): unknown => cells.model.cell(row)('campaignId')
    const pair = (same: boolean): number => {
      let row = 0
      while ((campaign(row) === campaign(row + 1)) !== same) row++
      return row
    }
    const column = formulaTargets(cells.model.kind).find(({ path }) => path === 'name')!
    const look = (row: number): Promise<FormulaPreview> =>
      formulaPreview(cells.model, formula('Same'), column, { from: row, to: row + 1 }, 1)
    expect((await look(pair(true))).duplicates.size).toBe(2)
    expect((await look(pair(false))).duplicates.size).toBe(0)
  })

  it('compares with rows that aren’t filled', async () => {
    const campaign = await cells.value(0, 'campaignId')
    const { rows } = cells.model
    let other = 1
    while (cells.model.cell(other)('campaignId') !== campaign) other++
    await write('name', 'Taken', [other])
    await show('placements')
    const at = cells.model.rows!.find(rows!.key(0))
    const column = formulaTargets(cells.model.kind).find(({ path }) => path === 'name')!
    const look = (text: string): Promise<FormulaPreview> =>
      formulaPreview(cells.model, formula(text), column, { from: at, to: at }, 1)
    expect((await look('Taken')).duplicates.size).toBe(1)
    expect((await look('Free')).duplicates.size).toBe(0)
  })
})
