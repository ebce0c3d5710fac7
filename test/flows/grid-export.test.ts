import { expect, it } from 'vitest'
import { collectionOf } from '#shared/domain/collections'
import type { ShownTable } from '../../src-renderer/context/export-table'
import { allColumns } from '../../src-renderer/views/campaigns/grid-columns'
import { gridTable } from '../../src-renderer/views/campaigns/grid-table'
import type { CampaignsModel } from '../../src-renderer/views/campaigns/model.svelte'
import { campaignsModel } from '../helpers/campaigns-model'
import { accountForFile } from '../helpers/whole-account'

const account = accountForFile()
const { device } = account

/** All rows as the writer assembles them, and the largest batch. */
async function gathered({ length, rows, scattered }: ShownTable): Promise<{ rows: unknown[][]; most: number }> {
  if (!scattered) return { rows: (await rows(0, length)) as unknown[][], most: length }
  const found: unknown[][] = []
  let most = 0
  let last = 0
  for await (const { at, rows, done } of scattered(new AbortController().signal)) {
    at!.forEach((place, index) => (found[place] = rows[index]!))
    most = Math.max(most, rows.length)
    last = done
  }
  expect(last).toBe(length)
  return { rows: found.filter(() => true), most }
}

/** The model while another record type is shown. */
const showing = (model: CampaignsModel, name: 'campaigns'): CampaignsModel =>
  Object.create(model, { kind: { value: device.replica.facts.of(name) } }) as CampaignsModel

async function taken(mode: 'as it was' | 'another kind is shown'): Promise<unknown> {
  const { model } = await campaignsModel(device.replica, account.profile, 'placements')
  const { kind, rows } = model
  const columns = allColumns(kind).filter(({ path }) => !path.startsWith('fx.'))
  expect(columns.some(({ held }) => !held)).toBe(true)
  let now = model
  const live = new Proxy(model, { get: (_target, name) => Reflect.get(now, name) as unknown })
  const table = gridTable(live, { kind, columns, about: [] }, rows!)
  if (mode === 'another kind is shown') now = showing(model, 'campaigns')
  const { rows: all, most } = await gathered(table)
  expect([all.length, most]).toEqual([table.length, 100])
  // In the displayed order, whatever order they were read in.
  const name = columns.findIndex(({ path }) => path === 'name')
  expect(all.map((row) => row[name])).toEqual(all.map((_row, at) => model.cell(at)('name')))
  return all
}

it('an exported list is a snapshot, even if the view changes', async () => {
  const [before, after] = [await taken('as it was'), await taken('another kind is shown')]
  expect(after).toEqual(before)
})

it('rows deleted by then are omitted and counted', async () => {
  const { replica } = device
  const { model } = await campaignsModel(replica, account.profile, 'placements')
  const { kind, rows } = model
  const made = await replica.edit(
    [
      {
        kind: 'create',
        collection: 'placements',
        parent: account.profile,
        value: { ...(await replica.read(rows!.key(0)))!.value!, name: 'AAA' },
      },
    ],
    { label: 'New placement' },
  )
  const again = (await campaignsModel(replica, account.profile, 'placements')).model
  const key = made.keys[0]!
  expect(collectionOf(key)).toBe('placements')
  expect(again.rows!.find(key)).toBeGreaterThanOrEqual(0)
  const some = allColumns(kind).filter(({ path }) => !path.startsWith('fx.'))
  const inMemory = some.filter(({ held }) => held)
  for (const columns of [some, inMemory]) {
    const table = gridTable(again, { kind, columns, about: [] }, again.rows!)
    expect(table.notes!()).toEqual([])
    if (columns === some) await replica.undo()
    const { rows: found } = await gathered(table)
    expect(found).toHaveLength(table.length - 1)
    expect(found.some((row) => row.includes('AAA'))).toBe(false)
    expect(table.notes!()).toEqual(['1 row skipped because it was removed during the export.'])
  }
})

it('the file names what its amounts and times are in, and how many rows filters leave out', async () => {
  const { model } = await campaignsModel(device.replica, account.profile, 'placements')
  const { kind } = model
  const columns = allColumns(kind)
  const table = gridTable(model, { kind, columns, about: [['Search', 'Top']], of: 500 }, model.rows!)
  expect(table.about).toEqual([
    ['Search', 'Top'],
    ['Time zone', 'Europe/Berlin'],
    ['Currency', 'EUR'],
  ])
  const money = table.columns.filter((column) => column.kind === 'money')
  expect(money.length).toBeGreaterThan(1)
  expect(money.every(({ currency }) => currency === 'EUR')).toBe(true)
  expect(table.columns.filter((column) => column.kind !== 'money').some(({ currency }) => currency)).toBe(false)
  expect(table.of).toBe(500)
  expect(gridTable(model, { kind, columns: columns.slice(0, 1), about: [] }, model.rows!)).toMatchObject({
    ...{ about: [], of: model.rows!.length },
  })
  const { model: ads } = await campaignsModel(device.replica, account.profile, 'ads')
  const start = allColumns(ads.kind).filter(({ path }) => path === 'startTime')
  expect(gridTable(ads, { kind: ads.kind, columns: start, about: [] }, ads.rows!).about).toEqual([
    ['Time zone', 'Europe/Berlin'],
  ])
})
