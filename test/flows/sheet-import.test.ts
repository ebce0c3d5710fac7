import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import { kindsOf } from '#shared/facts/kinds'
import type { TableRowsSent } from '#shared/reports/export-table'
import { versionsOf } from '#shared/wire/services'
import { exportTable, type ExportOptions } from '../../src-main/exports/export-file'
import type { ExportTable } from '../../src-main/exports/export-table'
import { readSheetRows } from '../../src-main/tables/sheet-rows'
import type { ShownTable } from '../../src-renderer/context/export-table'
import { allColumns } from '../../src-renderer/views/campaigns/grid-columns'
import { gridTable } from '../../src-renderer/views/campaigns/grid-table'
import type { CampaignsModel } from '../../src-renderer/views/campaigns/model.svelte'
import { headOfSheet, linesOfSheet } from '../../src-renderer/views/campaigns/sheet-lines'
import { planSheet, type SheetPlan } from '../../src-renderer/views/campaigns/sheet-plan'
import type { SheetSource } from '../../src-renderer/views/campaigns/sheet-source'
import { cases } from '../helpers/ring'
import { campaignsModel } from '../helpers/campaigns-model'
import { openDevice, type Device } from '../helpers/device'
import { startService, type TestService } from '../helpers/service'

const formats: readonly (Pick<ExportOptions, 'format' | 'dialect' | 'decimalComma'> & { extension: string })[] = [
  { format: 'csv', dialect: 'spreadsheet', decimalComma: true, extension: 'csv' },
  { format: 'xlsx', extension: 'xlsx' },
  { format: 'csv', extension: 'csv' },
  { format: 'tsv', extension: 'tsv' },
]

async function rowsOf({ length, rows, scattered }: ShownTable): Promise<TableRowsSent> {
  if (!scattered) return rows(0, length)
  const found: TableRowsSent = []
  for await (const { at, rows } of scattered(new AbortController().signal))
    rows.forEach((row, index) => (found[at![index]!] = row))
  return found
}

async function sourceOf(path: string): Promise<SheetSource> {
  const { rows, ...facts } = await readSheetRows(path)
  return {
    ...facts,
    rows: rows.length,
    page: (from, count) => Promise.resolve(rows.slice(from, from + count)),
    close: () => undefined,
  }
}

/** Exports a list with all of its columns to a file, and reads that. */
async function exported(
  model: CampaignsModel,
  options: (typeof formats)[number],
  folder: string,
): Promise<SheetSource> {
  const columns = allColumns(model.kind)
  const table = gridTable(model, { kind: model.kind, columns, about: [] }, model.rows!)
  const rows = await rowsOf(table)
  const value: ExportTable['value'] = (row, column) => rows[row]![column] ?? null
  const text: ExportTable['text'] = (row, column) => String(value(row, column) ?? '')
  const path = join(folder, `${model.kind.name}.${options.extension}`)
  const { title, about } = table
  await exportTable(
    path,
    { title, about, columns: table.columns, length: rows.length, value, text },
    { ...options, fonts: '', now: 0, replace: true },
  )
  return sourceOf(path)
}

async function planned(model: CampaignsModel, source: SheetSource): Promise<SheetPlan> {
  const head = await headOfSheet(source, model.kind, model.columns, {})
  const lines = await linesOfSheet(source, head)
  return planSheet(model, head, lines, { commas: source.commas })
}

describe.each(versionsOf('trafficking'))('trafficking %s', (version) => {
  let service: TestService
  let device: Device
  let profile: string

  beforeAll(async () => {
    service = await startService({ seed: 'demo' })
    const { sandbox } = service
    device = await openDevice({
      baseUrl: () => sandbox.baseUrl,
      token: () => sandbox.token,
      account: { versions: { trafficking: version } },
    })
    const { replica } = device
    await device.until('the profiles', () => replica.rows('userProfiles').length > 0)
    profile = sandbox.ids['profileId']!
    const key = await replica.download({ parent: profile, what: 'all' })
    await device.until(
      'everything',
      () => replica.downloads().find((one) => one.key === key)?.state === 'ready',
      60_000,
    )
  })
  afterAll(async () => {
    await device.close()
    await service.stop()
  })

  /** The lists of a kind: one for each record that its records are part of. */
  async function lists(name: CollectionName): Promise<CampaignsModel[]> {
    const { replica } = device
    const { model } = await campaignsModel(replica, profile, name)
    const columns = allColumns(model.kind).flatMap(({ held, path }) => (held && !path.startsWith('fx.') ? [path] : []))
    if (model.kind.parents.length < 2)
      return [Object.assign(model, { rows: await replica.table(name, { parent: profile, columns }) })]
    const outer = model.kind.parent!.collection
    const rows = await replica.table(outer, { parent: profile })
    const ids = Array.from({ length: Math.min(rows.length, 5) }, (_unused, at) => rows.key(at).split('\n').at(-1)!)
    return Promise.all(
      ids.map(async (id): Promise<CampaignsModel> => {
        const own = await campaignsModel(replica, profile, name)
        const within = await replica.table(name, { parent: `${profile}/${id}`, columns })
        return Object.assign(own.model, {
          scope: { profile, within: recordKey(outer, profile, id) },
          rows: within,
          length: within.length,
        })
      }),
    )
  }

  it.each(formats.slice(0, cases(2, formats.length)))(
    'every writable list is exported as %o and imported again without a change',
    async (options) => {
      const folder = await mkdtemp(join(tmpdir(), 'flightplan-sheets-'))
      const seen: Record<string, number> = {}
      const different: Record<string, unknown> = {}
      for (const { name, writable } of kindsOf(device.replica.facts)) {
        if (!writable) continue
        for (const model of await lists(name)) {
          const length = model.rows!.length
          if (length === 0) continue
          seen[name] = (seen[name] ?? 0) + length
          const plan = await planned(model, await exported(model, options, folder))
          const { counts, lines } = plan
          if (counts.same !== length || lines.length > 0) different[name] = { counts, lines: lines.slice(0, 3) }
        }
      }
      expect(different).toEqual({})
      expect(Object.keys(seen).length).toBeGreaterThan(20)
    },
  )
})
