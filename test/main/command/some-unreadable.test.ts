import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '#shared/json'
import { faultOf } from '#shared/fault'
import { readArguments } from '../../../src-main/command/arguments'
import { carryOut } from '../../../src-main/command/carry-out'
import type { Asked } from '../../../src-main/command/run-command-line'
import type { Fetch } from '../../../src-main/http/send'
import { RunManager } from '../../../src-main/reports/run-manager'
import { readFileFacts } from '../../../src-main/reports/file-facts'
import { Library } from '../../../src-main/reports/library'
import { ReportFolder } from '../../../src-main/reports/report-folder'
import { SearchDefinitions } from '../../../src-main/reports/search-definitions'
import { createClient, type Client } from '../../../src-main/services/client'
import { serviceForFile } from '../../helpers/for-file'
import { clockFromMoment } from '../../helpers/moment'

// The report command when part of its data is unavailable.

const clock = clockFromMoment()
const service = serviceForFile({ seed: 'demo', now: clock.now })
let userData: string
let out: string[]
let err: string[]

beforeAll(async () => {
  await service.order('POST', '/reports', { milliseconds: 0, fail: 0, cancel: 0, rowsPerFile: 0 })
})
beforeEach(async () => {
  userData = await mkdtemp(join(tmpdir(), 'some-unreadable-'))
  out = []
  err = []
})
afterEach(() => rm(userData, { recursive: true }))

async function command(args: readonly string[], client: Client = service.client): Promise<void> {
  await carryOut(readArguments([...args, '--user-data', userData]) as Asked, {
    userData,
    clock,
    fonts: join(userData, 'fonts'),
    signal: new AbortController().signal,
    version: '0',
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    connect: () => Promise.resolve({ client, close: () => Promise.resolve() }),
  })
}

/** The service with inaccessible profiles in its list, or only those. */
function withProfiles(foreign: string[], alone = false): Client {
  const { sandbox } = service
  const listing: Fetch = async (url, init) => {
    const answer = await fetch(url, init)
    if (!/\/userprofiles(\?|$)/.test(String(url))) return answer
    const body = (await answer.json()) as { items: JsonObject[] }
    const others = foreign.map((profileId) => ({ profileId, userName: 'Another', accountName: 'Agency' }))
    return Response.json({ ...body, items: [...others, ...(alone ? [] : body.items)] })
  }
  return createClient({ baseUrl: () => sandbox.baseUrl, token: () => sandbox.token, fetch: listing, now: clock.now })
}

describe('a profile that the service rejects', () => {
  const words = /^Couldn’t load reports for Another, Agency \(999\)\. .+$/

  it("doesn't hide other reports and is named in one line", async () => {
    await command(['--list', '--json'], withProfiles([]))
    const whole = JSON.parse(out[0]!) as { reports: unknown[] }
    expect([whole.reports.length > 3, err]).toEqual([true, []])
    out = []
    await command(['--list', '--json'], withProfiles(['999']))
    expect(JSON.parse(out[0]!)).toEqual({ ...whole, notes: [expect.stringMatching(words)] })
    expect(err).toEqual([expect.stringMatching(words)])
    err = []
    await command(
      ['--report', 'Delivery by campaign, last 30 days', '--out', join(userData, 'a.csv')],
      withProfiles(['999']),
    )
    expect(err[0]).toMatch(words)
    expect((await readFile(join(userData, 'a.csv'), 'utf8')).split('\n')[0]).toContain('Campaign ID')
  })

  it("is an error when it's the only one", async () => {
    await expect(command(['--list'], withProfiles(['999'], true))).rejects.toMatchObject({
      fault: { code: expect.stringMatching(/^(forbidden|notFound)$/) as string },
    })
  })
})

describe('the latest file of a search report', () => {
  async function searchRun(): Promise<{ library: Library; definitions: SearchDefinitions; id: string }> {
    const library = new Library(join(userData, 'reports'))
    const definitions = new SearchDefinitions(library, clock.now)
    const request = {
      reportType: 'campaign',
      reportScope: { agencyId: service.sandbox.ids['agencyId']! },
      statisticsCurrency: 'usd',
      timeRange: { startDate: '2026-01-01', endDate: '2026-06-30' },
      columns: ['campaign', 'campaignId', 'clicks'].map((columnName) => ({ columnName })),
      downloadFormat: 'tsv',
    }
    const { id } = await definitions.keep('sandbox', { name: 'Search by campaign', request })
    const desk = new RunManager({
      library,
      readFacts: readFileFacts,
      clientOf: () => service.client,
      clock,
      random: () => 0.5,
      changed: () => undefined,
      removed: () => undefined,
      keep: () => 10,
    })
    const run = await desk.ask('sandbox', {
      ...{ service: 'search', reportId: id, name: 'Search by campaign', request, zone: 'UTC' },
    })
    await vi.waitFor(async () => expect(await desk.runs('sandbox')).toMatchObject([{ id: run.id, state: 'kept' }]), {
      timeout: 30_000,
      interval: 50,
    })
    await desk.close()
    return { library, definitions, id }
  }

  it('is found by its current name and definition ID, and listed', { timeout: 60_000 }, async () => {
    const { library, definitions, id } = await searchRun()
    const [kept] = await library.runs('sandbox')
    const raw = await readFile(library.fileOf(kept!), 'utf8')
    const to = (name: string): string => join(userData, name)
    await command(['--report', 'search BY campaign', '--latest', '--out', to('a.tsv'), '--dialect', 'raw'])
    expect(await readFile(to('a.tsv'), 'utf8')).toBe(raw)
    await command(['--report', id, '--latest', '--out', to('b.csv')])
    const lines = raw.split('\n').filter(Boolean)
    expect((await readFile(to('b.csv'), 'utf8')).split('\r\n').filter(Boolean)).toHaveLength(lines.length)
    await definitions.keep('sandbox', { id, name: 'Renamed', request: kept!.definition })
    await command(['--report', 'Renamed', '--latest', '--out', to('c.csv')])
    expect(out.map((line) => line.split('\t')[1])).toEqual([1, 2, 3].map(() => String(lines.length - 1)))
    const old = command(['--report', 'Search by campaign', '--latest', '--out', to('d.csv')])
    expect(faultOf(await old.catch((error: unknown) => error)).message).toContain('No results of “Search by campaign”')
    out = []
    await command(['--list', '--json'])
    const { reports } = JSON.parse(out[0]!) as { reports: { id: string }[] }
    expect(reports.find((one) => one.id === id)).toMatchObject({
      ...{ name: 'Renamed', type: 'campaign', range: '2026-01-01 to 2026-06-30' },
      newest: { path: library.fileOf(kept!), rows: lines.length - 1 },
    })
  })
})

describe('files in another folder', () => {
  it('are read and written there, and a missing folder is reported', async () => {
    const folder = await ReportFolder.open(userData)
    const disk = join(userData, 'outside')
    await mkdir(disk)
    await folder.claim(disk)
    await folder.setCurrent(disk)
    const report = 'Delivery by campaign, last 30 days'
    await command(['--report', report, '--out', join(userData, 'a.csv')])
    const library = new Library(folder.usual, folder)
    const [run] = await library.runs('sandbox')
    expect(library.fileOf(run!).startsWith(disk)).toBe(true)
    expect(await library.hasFile(run!)).toBe(true)
    await command(['--report', report, '--latest', '--out', join(userData, 'b.csv')])
    expect(await readFile(join(userData, 'b.csv'), 'utf8')).toBe(await readFile(join(userData, 'a.csv'), 'utf8'))
    await rename(disk, `${disk}-away`)
    for (const latest of [['--latest'], []]) {
      const refused = command(['--report', report, ...latest, '--out', join(userData, 'c.csv')])
      expect(faultOf(await refused.catch((error: unknown) => error)).message).toContain(
        `Can’t find the folder ${disk}. New results wait until it’s available again`,
      )
    }
    err = []
    await command(['--list'])
    expect(err).toEqual([expect.stringContaining(`Can’t find the folder ${disk}.`)])
    // The run started in the meantime continues once the folder exists.
    await rename(`${disk}-away`, disk)
    await command(['--report', report, '--out', join(userData, 'c.csv')])
    expect((await library.runs('sandbox')).map(({ state }) => state)).toEqual(['kept', 'kept'])
  })
})
