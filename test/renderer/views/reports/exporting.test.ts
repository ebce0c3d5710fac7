import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { faultOf } from '#shared/fault'
import type { Announcements, Bridge } from '#shared/ipc/contract'
import { tablesHere } from '../../../helpers/table-orders'
import type { AppContext } from '../../../../src-renderer/context/context'
import { exportByChoice } from '../../../../src-renderer/views/reports/exporting'
import { Toasts } from '../../../../src-renderer/ui/toasts.svelte'
import { ResultTable } from '../../../../src-renderer/views/reports/grid/table.svelte'

// Results of a real file, shaped and written by the tables process. Only the window is missing.

let folder: string
let table: ResultTable
let app: AppContext
/** Requested shapes are computed from then on. */
let opened: Promise<void>
let toasts: Toasts

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exporting-'))
  const path = join(folder, 'in.txt')
  await writeFile(path, 'Site,Date,Clicks\r\none,2026-11-01,10\r\none,2026-11-02,30\r\ntwo,2026-11-01,5\r\n')
  const tables = tablesHere()
  opened = Promise.resolve()
  const answer = (name: never, args: never): Promise<unknown> => tables.ask(name, args)
  let progress: (one: Announcements['results/progress']) => void
  const bridge = {
    ask: async (name: string, args: Record<string, unknown>) => {
      try {
        if (name === 'results/shape') await opened
        const { suggestedName, folder: into, view, ...options } = args
        if (name === 'results/export') progress({ table: table.table!.table, doing: 'writing', done: 1, of: 3 })
        const order =
          name === 'results/export'
            ? {
                view,
                path: join(String(into), `${String(suggestedName)}.csv`),
                options: { ...options, fonts: '', now: 0 },
              }
            : args
        return { ok: true, value: await answer(name as never, order as never) }
      } catch (error) {
        return { ok: false, fault: faultOf(error) }
      }
    },
    on: (_name: string, listener: typeof progress) => {
      progress = listener
      return () => undefined
    },
  } as unknown as Bridge
  toasts = new Toasts()
  app = { bridge, toasts, announce: () => undefined } as unknown as AppContext
  table = new ResultTable(bridge, () => answer('results/open' as never, { path, source: { path } } as never) as never)
  expect(await table.start()).toBe(true)
})
afterEach(() => rm(folder, { recursive: true }))

const exported = async (rows: 'shown' | 'all' = 'shown'): Promise<Record<string, string[]>> => {
  const choice = { of: 'table', format: 'csv', dialect: 'plain', rows, folder, template: '{report} {view}' } as const
  expect(await exportByChoice(app, table, { report: 'Sites', view: 'as it was' }, choice)).toEqual({ how: 'written' })
  const names = (await readdir(folder)).filter((name) => name.endsWith('.csv'))
  const read = async (name: string): Promise<[string, string[]]> => [
    name,
    (await readFile(join(folder, name), 'utf8')).trimEnd().split('\r\n').slice(1),
  ]
  return Object.fromEntries(await Promise.all(names.map(read)))
}

it('an export includes grouping applied just before, also in its name', async () => {
  let make = (): void => undefined
  opened = new Promise((resolve) => (make = resolve))
  void table.reshape({ ...table.shape, group: ['Site'], columns: ['Site', 'Clicks'] })
  const file = exported()
  make()
  expect(await file).toEqual({ 'Sites by Site.csv': ['one,40', 'two,5'] })
})

it('if a shape fails, the export has the shape still shown, and its name', async () => {
  const rows = ['one,2026-11-01,10', 'one,2026-11-02,30', 'two,2026-11-01,5']
  void table.reshape({ ...table.shape, group: ['Nowhere'] })
  expect(await exported()).toEqual({ 'Sites.csv': rows })
})

it('an export of all rows is named accordingly, whatever is shown', async () => {
  await table.reshape({ ...table.shape, group: ['Site'], columns: ['Site', 'Clicks'] })
  expect(Object.keys(await exported('all'))).toEqual(['Sites.csv'])
})

it('leaves only the error if the file can’t be written', async () => {
  const choice = { of: 'table', format: 'csv', dialect: 'plain', rows: 'all', template: '{report}' } as const
  const into = join(folder, 'gone')
  await exportByChoice(app, table, { report: 'Sites', view: '' }, { ...choice, folder: into })
  expect(toasts.shown.map(({ text }) => text)).toEqual([
    'This location no longer exists. Nothing was saved, and any existing file is unchanged. Restore the folder, or choose another location.',
  ])
})
