import type { ChildProcess } from 'node:child_process'
import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#shared/time/clock'
import { Library } from '../../../src-main/reports/library'
import { folderForFile, serviceForFile } from '../../helpers/for-file'
import { reportCommand } from '../../helpers/report-command'

/** Milliseconds that the service's clock is ahead. */
let ahead = 0
const service = serviceForFile({ seed: 'demo', now: () => systemClock.now() + ahead })
const folder = folderForFile('report-command-')
let command: ReturnType<typeof reportCommand>
beforeAll(async () => {
  command = reportCommand(folder, service.sandbox.token)
})

const here = (): string[] => ['--user-data', join(folder, 'data'), '--service-url', service.sandbox.baseUrl]
const runs = async (): Promise<number> =>
  (await service.requests()).filter(({ operation }) => operation === 'trafficking.reports.run').length
const delivery = 'Delivery by campaign, last 30 days'

it("lists the sandbox's reports on a new computer", async () => {
  const { code, out, err } = await command.start([
    '--account',
    'sandbox',
    '--list',
    '--json',
    '--user-data',
    join(folder, 'fresh'),
  ])
  expect([code, err]).toEqual([0, 'Starting the sandbox\n'])
  const { reports } = JSON.parse(out) as { reports: { name: string; type: string; range: string }[] }
  expect(reports.map(({ name }) => name)).toContain(delivery)
  expect(out.trim()).not.toContain('\n')
})

describe('a report', () => {
  it('runs once and is written in the format of the file name', async () => {
    const before = await runs()
    const { code, out, err } = await command.run(['--report', delivery, '--out', 'first.csv', ...here()])
    expect(code).toBe(0)
    const [path, rows, bytes] = out.trim().split('\t')
    const text = await readFile(join(folder, 'first.csv'), 'utf8')
    expect([path, Number(bytes)]).toEqual([join(folder, 'first.csv'), Buffer.byteLength(text)])
    const [head, ...lines] = parse(text)
    expect(head).toContain('Campaign ID')
    expect([lines.length, (await runs()) - before]).toEqual([Number(rows), 1])
    expect(err).toContain('The report is running')

    const raw = await command.run([
      '--report',
      delivery.toUpperCase(),
      '--latest',
      '--dialect',
      'raw',
      '--out',
      'raw.csv',
      ...here(),
    ])
    expect(raw.code).toBe(0)
    const theirs: string[][] = parse(await readFile(join(folder, 'raw.csv')), { relax_column_count: true })
    const mark = theirs.findIndex(([cell]) => cell === 'Report Fields')
    expect(theirs.slice(mark + 1, -1)).toEqual([head, ...lines])
    expect((await runs()) - before).toBe(1)
    expect(await readdir(folder)).not.toContainEqual(expect.stringContaining('.part'))
  })

  it.each(['xlsx', 'json', 'ndjson', 'tsv', 'pdf'])('exports its file to .%s offline', async (format) => {
    const out = `other.${format}`
    const { code, out: said } = await command.run([
      '--file',
      join(folder, 'raw.csv'),
      '--out',
      out,
      '--json',
      '--quiet',
    ])
    expect(code).toBe(0)
    const bytes = await readFile(join(folder, out))
    const { rows: _rows, ...written } = JSON.parse(said) as { path: string; rows: number; bytes: number }
    expect(written).toEqual({ path: join(folder, out), bytes: bytes.length })
    const begins = { xlsx: 'PK', json: '{"meta"', ndjson: '{"', tsv: 'Advertiser\t', pdf: '%PDF-' }[format]!
    expect(bytes.subarray(0, begins.length).toString()).toBe(begins)
  })

  it('can be filtered, grouped, and sorted', async () => {
    const args = ['--group', 'Advertiser', '--sort', 'Clicks:desc']
    const { code } = await command.run(['--file', 'raw.csv', '--out', 'grouped.json', ...args])
    expect(code).toBe(0)
    const { columns, rows } = JSON.parse(await readFile(join(folder, 'grouped.json'), 'utf8')) as {
      columns: { name: string }[]
      rows: (string | number)[][]
    }
    const at = (name: string): number => columns.findIndex((column) => column.name === name)
    expect(columns[0]!.name).toBe('Advertiser')
    const clicks = rows.map((row) => Number(row[at('Clicks')]))
    expect(clicks).toEqual([...clicks].sort((a, b) => b - a))
    for (const row of rows)
      expect(row[at('Click Rate')]).toBeCloseTo(Number(row[at('Clicks')]) / Number(row[at('Impressions')]), 12)
  })

  it('resumes after its command was stopped', async () => {
    const duration = 600_000
    await service.order('POST', '/reports', { milliseconds: duration })
    const before = await runs()
    const args = ['--report', 'Sites by week', '--out', 'sites.csv', ...here()]
    const endAt = (words: string, signal: NodeJS.Signals) => (child: ChildProcess, err: string) =>
      void (err.includes(words) && !child.killed && child.kill(signal))
    const stopped = await command.start(args, endAt('The report is running', 'SIGINT'))
    expect(stopped.code).toBe(1)
    expect(stopped.err).toContain('Run the same command to resume')
    const killed = await command.start(args, endAt('Resuming', 'SIGKILL'))
    expect(killed.code).not.toBe(0)
    expect(await readdir(folder)).not.toContain('sites.csv')
    ahead = duration
    const { code, err } = await command.run(args)
    ahead = 0
    expect([code, (await runs()) - before]).toEqual([0, 1])
    expect(err).toContain('Resuming the earlier run')
    await service.order('POST', '/reports', { milliseconds: 300 })
  })
})

describe('date ranges and templates', () => {
  const names = async (): Promise<string[]> => {
    const { out } = await command.run(['--list', '--json', '--quiet', ...here()])
    return (JSON.parse(out) as { reports: { name: string }[] }).reports.map(({ name }) => name)
  }

  it('another date range creates one copy and leaves the report unchanged', async () => {
    await service.order('POST', '/reports', { milliseconds: 0, fail: 0 })
    const before = await names()
    const days = ['--from', '2026-11-01', '--to', '2026-11-07']
    const first = await command.run(['--report', delivery, ...days, '--out', 'week.json', ...here()])
    expect([first.code, first.err.includes(`Created the report “${delivery}, 2026-11-01 to 2026-11-07”`)]).toEqual([
      0,
      true,
    ])
    const { meta } = JSON.parse(await readFile(join(folder, 'week.json'), 'utf8')) as {
      meta: { about: { name: string; value: string }[] }
    }
    expect(meta.about).toContainEqual({ name: 'Date Range', value: '2026-11-01 - 2026-11-07' })
    const again = await command.run(['--report', delivery, ...days, '--out', 'week.csv', ...here()])
    expect([again.code, again.err.includes('Made')]).toEqual([0, false])
    const after = await names()
    expect(after.filter((name) => !before.includes(name))).toEqual([`${delivery}, 2026-11-01 to 2026-11-07`])
  })

  it('a template runs for the given range', async () => {
    const args = ['--template', 'quality by site', '--range', 'last-7-days', '--out', 'quality.csv', ...here()]
    const { code, out } = await command.run(args)
    expect([code, Number(out.split('\t')[1])]).toEqual([0, expect.any(Number)])
    expect(parse(await readFile(join(folder, 'quality.csv')))[0]).toEqual(
      expect.arrayContaining([expect.stringContaining('Site')]),
    )
    expect((await names()).filter((name) => name === 'Quality by site, Last 7 days')).toHaveLength(1)
    await command.run([...args, '--replace'])
    expect((await names()).filter((name) => name === 'Quality by site, Last 7 days')).toHaveLength(1)
  })
})

describe('other accounts', () => {
  it('go by the names in the app, and their saved files need no service', async () => {
    const data = join(folder, 'agency')
    const library = new Library(join(data, 'reports'))
    const run = {
      ...{ version: 1 as const, id: '1-a', accountId: 'account-1', service: 'trafficking' as const, reportId: '5' },
      ...{ name: 'Weekly', type: 'STANDARD', definition: {}, format: 'csv' as const, state: 'kept' as const },
      ...{ words: 'Complete', asked: 1, fragments: [] },
    }
    await library.keep(run)
    await writeFile(library.fileOf(run), 'Site,Clicks\r\nA,1\r\n')
    const agency = { id: 'account-1', email: 'a@agency.example', label: 'Agency', services: {} }
    await writeFile(join(data, 'accounts.json'), JSON.stringify([agency]))
    const here = ['--account', 'agency', '--user-data', data]
    const { code, err } = await command.run(['--report', 'Weekly', '--latest', '--out', 'agency.csv', ...here])
    expect([code, err]).toEqual([0, 'Writing\n'])
    expect(await readFile(join(folder, 'agency.csv'), 'utf8')).toBe('Site,Clicks\r\nA,1\r\n')
    const sealed = await command.run(['--list', ...here])
    expect([sealed.code, sealed.err]).toEqual([
      1,
      expect.stringContaining('Only the installed app can use the sign-in'),
    ])
    const part = await command.run(['--list', '--account', 'agen', '--user-data', data])
    expect([part.code, part.err]).toEqual([1, expect.stringContaining('Unknown account “agen”')])
    const unknown = await command.run(['--list', '--account', 'Other', '--user-data', data])
    expect([unknown.code, unknown.err]).toEqual([
      1,
      'Unknown account “Other”. Available: Sample data (sandbox), Agency (account-1).\n',
    ])
  })
})

describe('errors', () => {
  it.each([
    ['a usage error', 2, ['--report', delivery], 'Missing --out PATH.\n--help lists the options.\n'],
    [
      'an existing file',
      1,
      ['--file', 'raw.csv', '--out', 'first.csv'],
      'already exists. Use --replace to overwrite it',
    ],
    ['a missing file', 1, ['--file', 'nothing.csv', '--out', 'new.csv'], 'File not found: nothing.csv.'],
  ])('%s exits with %i and a message', async (_what, expected, args, words) => {
    const { code, out, err } = await command[expected === 2 ? 'start' : 'run'](args)
    expect([code, out]).toEqual([expected, ''])
    expect(err).toContain(words)
    if (expected === 1) expect(err.trim()).not.toContain('\n')
  })

  it('a report without a latest file, or with a deleted one', async () => {
    const never = await command.run([
      '--report',
      'Reach by campaign',
      '--latest',
      '--out',
      'n.csv',
      '--quiet',
      ...here(),
    ])
    expect(never.code).toBe(1)
    expect(never.err).toMatch(
      /^No results of “Reach by campaign” have been downloaded yet\. Downloaded: .*Sites by week.*\n$/,
    )
    const [kept] = (await readdir(join(folder, 'data/reports/sandbox'))).sort()
    await rm(join(folder, 'data/reports/sandbox', kept!, 'report.csv'))
    const gone = await command.run(['--report', delivery, '--latest', '--out', 'n.csv', '--quiet', ...here()])
    expect(gone.code).toBe(1)
    expect(gone.err).toContain(`No results of “${delivery}” have been downloaded yet.`)
    expect(gone.err).not.toContain(`· ${delivery}\n`)
  })

  it('a missing report, or one that fails on the server', async () => {
    const missing = await command.run(['--report', 'Nothing', '--out', 'n.csv', '--quiet', ...here()])
    expect([missing.code, missing.err]).toEqual([
      1,
      expect.stringMatching(/^No report is named “Nothing”\. Available reports: .*\n$/),
    ])
    await service.order('POST', '/reports', { fail: 1 })
    const failed = await command.run(['--report', 'Reach by campaign', '--out', 'n.csv', '--quiet', ...here()])
    expect([failed.code, failed.err]).toEqual([
      1,
      'Reach by campaign: The report failed on the server. The service gave no reason.\n',
    ])
    expect(await readdir(folder)).not.toContain('n.csv')
  })
})
