import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createReadStream } from 'node:fs'
import { recordKey, type CollectionName } from '#shared/domain/collections'
import type { Bridge } from '#shared/ipc/contract'
import { patchAt, valueAt } from '#shared/fields/path'
import type { JsonObject } from '#shared/json'
import { RecordSplitter } from '../../src-main/report-data/records'
import { readSheetRows } from '../../src-main/tables/sheet-rows'
import type { Change, Replica } from '../../src-renderer/replica/api'
import { memoryDisk, MemoryStore } from '../../src-renderer/replica/memory-store'
import { openReplica } from '../../src-renderer/sync/open'
import { checkRecords } from '../../src-renderer/views/campaigns/checking'
import { gridColumns } from '../../src-renderer/views/campaigns/grid-columns'
import { MatrixReader } from '../../src-renderer/views/campaigns/matrix/matrix-records'
import type { CampaignsModel } from '../../src-renderer/views/campaigns/model.svelte'
import {
  headOfSheet,
  linesOfSheet,
  type SheetHead,
  type SheetLine,
} from '../../src-renderer/views/campaigns/sheet-lines'
import { planSheet } from '../../src-renderer/views/campaigns/sheet-plan'
import type { SheetSource } from '../../src-renderer/views/campaigns/sheet-source'
import { someAccount } from '../helpers/account'
import { comparison, digits, time, type Bench, type Comparison } from './measure'
import { longestTask } from './longest-task'

const profile = '7'
const advertiserId = '1'
/** Placements per campaign. */
const perCampaign = 10

/** Checks of many placements, and large sheets. */
export async function* desk({ long, step }: Bench): AsyncGenerator<Comparison, void, void> {
  const checked = 10_000
  step(`checking ${digits(checked)} placements`)
  const small = await filled(checked)
  let found = 0
  // The first one also warms up the compiler. What else the machine does only makes them longer.
  const runs: { check: number; longest: number }[] = []
  for (let at = 0; at < 5; at++) {
    const task = longestTask()
    const check = await time(async () => (found = (await checkRecords(small, { profile, today })).findings.length))
    runs.push({ check, longest: task.end() })
  }
  const check = Math.min(...runs.map((one) => one.check))
  const longest = Math.min(...runs.map((one) => one.longest))
  await small.close()
  if (found > 0) throw new Error(`${found} findings in sound records`)
  yield comparison(`checking ${digits(checked)} placements`, 'two seconds', check, 2_000, { goal: 1 })
  yield comparison(`longest task of checking ${digits(checked)} placements`, 'three frames', longest, 50, { goal: 1 })

  for (const placements of [1_000, 10_000]) yield await matrixOf(placements, step)

  const rows = long ? 100_000 : 20_000
  const sheet = `a sheet of ${digits(rows)} rows`
  step(`writing ${sheet}`)
  const path = join(await mkdtemp(join(tmpdir(), 'flightplan-bench-')), 'sheet.csv')
  const lines = Array.from({ length: rows }, (_unused, n) => `${idOf(n)},Renamed ${n},2026-06-29`)
  await writeFile(path, `ID,Name,End date\n${lines.join('\n')}\n`)
  const replica = await filled(rows)
  const model = modelOf(replica)
  step(`reading ${sheet}`)
  const loops: number[] = []
  const previews: number[] = []
  for (let at = 0; at < 3; at++) {
    const loop = async (): Promise<void> => {
      const changes = await bareLoop(replica, path)
      if (changes.length !== rows) throw new Error('Not all rows were found')
    }
    const preview = async (): Promise<void> => {
      const { head, sheetLines } = await linesIn(model, path)
      const plan = await planSheet(model, head, sheetLines, {})
      if (plan.counts.changed !== rows) throw new Error(`Only ${plan.counts.changed} rows change anything`)
    }
    loops.push(await time(loop))
    previews.push(await time(preview))
  }
  const [ours, floor] = [Math.min(...previews), Math.min(...loops)]
  yield comparison(
    `previewing ${sheet}`,
    'reading its rows and their records, and patching what differs',
    ours,
    floor,
    { goal: 3 },
  )

  step(`stopping ${sheet}`)
  const { head, sheetLines } = await linesIn(model, path)
  const control = new AbortController()
  let stopped = 0
  const onprogress = (done: number): void => {
    if (done < rows / 2 || control.signal.aborted) return
    stopped = performance.now()
    control.abort()
  }
  await planSheet(model, head, sheetLines, {}, { signal: control.signal, onprogress }).catch(() => undefined)
  yield comparison(`stopping the preview of ${sheet}`, 'a fifth of a second', performance.now() - stopped, 200, {
    goal: 1,
  })
  await replica.close()
}

/** Reads a matrix again after an edit of one ad. The first reading is as long as one of everything. */
async function matrixOf(placements: number, step: Bench['step']): Promise<Comparison> {
  const name = `a matrix of ${digits(placements)} placements`
  step(`reading ${name}`)
  const replica = await filled(placements)
  const reader = new MatrixReader(modelOf(replica))
  const keys = Array.from({ length: placements }, (_unused, n) => recordKey('placements', profile, idOf(n)))
  const first = await time(() => reader.read(keys))
  const times: number[] = []
  for (let at = 0; at < 5; at++) {
    const key = recordKey('ads', profile, String(firstAd + at))
    await replica.edit([{ kind: 'change', key, patch: { active: false } }], { label: 'Pause' })
    times.push(await time(() => reader.read(keys)))
  }
  await replica.close()
  const detail = { first: Math.round(first) }
  return comparison(`reading ${name} again`, 'a tenth of a second', Math.min(...times), 100, { goal: 1, detail })
}

const today = '2026-06-10'
const firstAd = 5_000_000
const idOf = (n: number): string => String(10_000_000 + n)

/** Reads each row of a file and its record, and patches what differs. */
async function bareLoop(replica: Replica, path: string): Promise<Change[]> {
  const facts = replica.facts.of('placements')
  const changes: Change[] = []
  const rows: string[][] = []
  let cells: string[] = []
  const splitter = new RecordSplitter(',', {
    cell: (bytes, start, end) =>
      cells.push(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()),
    record: () => {
      rows.push(cells)
      cells = []
    },
  })
  for await (const part of createReadStream(path)) splitter.push(part as Buffer)
  splitter.end()
  for (let at = 1; at < rows.length; at += 200) {
    const piece = rows.slice(at, at + 200)
    const keyed = piece.map(([id, ...texts]) => [recordKey('placements', profile, id!), texts] as const)
    const read = await replica.readAll(keyed.map(([key]) => key))
    for (const [key, [name = '', end = '']] of keyed) {
      const record = read.get(key)?.value
      if (!record) continue
      const patch: JsonObject = {}
      for (const [path, text] of [
        ['name', name],
        ['pricingSchedule.endDate', end],
      ] as const)
        if (valueAt(record, path) !== text) Object.assign(patch, patchAt(record, path, text, facts))
      changes.push({ kind: 'change', key, patch })
    }
  }
  return changes
}

async function linesIn(model: CampaignsModel, path: string): Promise<{ head: SheetHead; sheetLines: SheetLine[] }> {
  const { rows, ...facts } = await readSheetRows(path)
  const source: SheetSource = {
    ...facts,
    rows: rows.length,
    page: (from, count) => Promise.resolve(rows.slice(from, from + count)),
    close: () => undefined,
  }
  const head = await headOfSheet(source, model.kind, model.columns, {})
  return { head, sheetLines: await linesOfSheet(source, head) }
}

/** Sound campaigns with placements and ads on disk. */
async function filled(placements: number): Promise<Replica> {
  const disk = memoryDisk()
  const put = (collection: CollectionName, id: string, value: JsonObject): void => {
    const key = recordKey(collection, profile, id)
    disk.data.rows.set(key, { key, collection, parent: profile, id, base: { ...value, id }, complete: true })
  }
  const flight = { startDate: '2026-06-01', endDate: '2026-06-30' }
  const size = { id: '5', width: 300, height: 250 }
  put('advertiserLandingPages', '9', { name: 'Page', advertiserId, url: 'https://example.com/?a=1' })
  put('creatives', '8', { name: 'Banner', advertiserId, size })
  for (let at = 0; at < placements / perCampaign; at++) {
    const campaignId = String(1_000 + at)
    put('campaigns', campaignId, { name: `Campaign ${at}`, advertiserId, ...flight, defaultLandingPageId: '9' })
    const ids = Array.from({ length: perCampaign }, (_unused, one) => at * perCampaign + one)
    for (const n of ids)
      put('placements', idOf(n), {
        ...{ name: `Placement ${n}`, advertiserId, campaignId, size, siteId: '3', archived: false },
        pricingSchedule: {
          ...flight,
          pricingType: 'PRICING_TYPE_CPM',
          pricingPeriods: [{ ...flight, units: '1000', rateOrCostNanos: '5000000000' }],
        },
      })
    put('ads', String(firstAd + at), {
      ...{ name: `Ad ${at}`, advertiserId, campaignId, type: 'AD_SERVING_STANDARD_AD', active: true },
      ...{ startTime: '2026-06-01T00:00:00Z', endTime: '2026-06-30T23:59:00Z' },
      placementAssignments: ids.map((n) => ({ placementId: idOf(n), active: true })),
      creativeRotation: { creativeAssignments: [{ creativeId: '8', active: true }] },
    })
  }
  const answers: Record<string, unknown> = {
    'app/info': { offline: true },
    'journal/open': { epoch: 'bench', fresh: false, open: [], ended: [], unknown: [], damaged: 0 },
  }
  disk.data.meta.set('epoch', { key: 'epoch', value: 'bench' })
  const bridge = {
    ask: (name: string) => Promise.resolve({ ok: true, value: answers[name] ?? null }),
    on: () => () => undefined,
  } as unknown as Bridge
  const replica = await openReplica({ account: someAccount({ id: 'a' }), bridge, store: new MemoryStore(disk) })
  while ((await replica.table('placements', { parent: profile })).length < placements)
    await new Promise((done) => setTimeout(done, 10))
  return replica
}

/** The campaigns model for a list of all placements, without a window. */
function modelOf(replica: Replica): CampaignsModel {
  const kind = replica.facts.of('placements')
  const context = { zone: 'Europe/Berlin', hour12: false, today: Date.parse(today) }
  const nameOf = (): undefined => undefined
  return {
    app: { replica, clock: { now: Date.parse(today) }, preferences: { zone: context.zone }, settings: { values: {} } },
    ...{ kind, context, terms: {}, columns: gridColumns(kind), scope: { profile }, kinds: replica.facts.all },
    around: [replica.facts.of('advertisers'), replica.facts.of('campaigns')],
    namesAround: () => nameOf,
    contextOf: () => ({ ...context, nameOf }),
    titleOf: ({ value }: { value: JsonObject | null }) => String(value?.['name'] ?? ''),
  } as unknown as CampaignsModel
}
