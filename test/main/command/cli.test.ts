import { spawn } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type TestService } from '../../helpers/service'

const root = resolve(import.meta.dirname, '../../..')
let service: TestService
let folder: string
beforeAll(async () => {
  service = await startService({ seed: 'demo' })
  folder = await mkdtemp(join(tmpdir(), 'report-command-'))
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

interface Ended {
  code: number | null
  out: string
  err: string
}
/** The command as `npm run -s report` starts it, in the folder where its files go. */
function command(args: readonly string[], stopAt?: { words: string; signal: NodeJS.Signals }): Promise<Ended> {
  const env: NodeJS.ProcessEnv = { ...process.env, FLIGHTPLAN_SERVICE_TOKEN: service.sandbox.token }
  delete env['INIT_CWD']
  const child = spawn(process.execPath, [join(root, 'scripts/report.mjs'), ...args], { cwd: folder, env })
  let [out, err, stopped] = ['', '', false]
  child.stdout.on('data', (data: Buffer) => (out += data.toString()))
  child.stderr.on('data', (data: Buffer) => {
    err += data.toString()
    if (!stopAt || stopped || !err.includes(stopAt.words)) return
    stopped = true
    child.kill(stopAt.signal)
  })
  return new Promise((done) => child.once('close', (code) => done({ code, out, err })))
}
const here = (): string[] => ['--user-data', join(folder, 'data'), '--service-url', service.sandbox.baseUrl]
const runs = async (): Promise<number> =>
  (await service.requests()).filter(({ operation }) => operation === 'trafficking.reports.run').length
const delivery = 'Delivery by campaign, last 30 days'

it('lists the reports of the embedded service on a fresh computer', async () => {
  const { code, out, err } = await command([
    '--account',
    'sandbox',
    '--list',
    '--json',
    '--user-data',
    join(folder, 'fresh'),
  ])
  expect([code, err]).toEqual([0, 'Starting the embedded service\n'])
  const { reports } = JSON.parse(out) as { reports: { name: string; type: string; range: string }[] }
  expect(reports.map(({ name }) => name)).toContain(delivery)
  expect(out.trim()).not.toContain('\n')
})

describe('a report', () => {
  it('is run once and written as what it ends with', async () => {
    const before = await runs()
    const { code, out, err } = await command(['--report', delivery, '--out', 'first.csv', ...here()])
    expect(code).toBe(0)
    const [path, rows, bytes] = out.trim().split('\t')
    const text = await readFile(join(folder, 'first.csv'), 'utf8')
    expect([path, Number(bytes)]).toEqual([join(folder, 'first.csv'), Buffer.byteLength(text)])
    const [head, ...lines] = parse(text)
    expect(head).toContain('Campaign ID')
    expect([lines.length, (await runs()) - before]).toEqual([Number(rows), 1])
    expect(err).toContain('The service makes the report')

    const raw = await command([
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

  it.each(['xlsx', 'json', 'ndjson', 'tsv', 'pdf'])('goes from its file into .%s without a network', async (format) => {
    const out = `other.${format}`
    const { code, out: said } = await command(['--file', join(folder, 'raw.csv'), '--out', out, '--json', '--quiet'])
    expect(code).toBe(0)
    const bytes = await readFile(join(folder, out))
    const { rows: _rows, ...written } = JSON.parse(said) as { path: string; rows: number; bytes: number }
    expect(written).toEqual({ path: join(folder, out), bytes: bytes.length })
    const begins = { xlsx: 'PK', json: '{"meta"', ndjson: '{"', tsv: 'Advertiser\t', pdf: '%PDF-' }[format]!
    expect(bytes.subarray(0, begins.length).toString()).toBe(begins)
  })

  it('can be filtered, grouped and ordered', async () => {
    const args = ['--group', 'Advertiser', '--sort', 'Clicks:desc']
    const { code } = await command(['--file', 'raw.csv', '--out', 'grouped.json', ...args])
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

  it('whose command was stopped is gone on with, not run again', async () => {
    await service.order('POST', '/reports', { milliseconds: 6_000 })
    const before = await runs()
    const args = ['--report', 'Sites by week', '--out', 'sites.csv', ...here()]
    const stopped = await command(args, { words: 'The service makes the report', signal: 'SIGINT' })
    expect(stopped.code).toBe(1)
    expect(stopped.err).toContain('the same command goes on with it')
    const killed = await command(args, { words: 'Going on', signal: 'SIGKILL' })
    expect(killed.code).not.toBe(0)
    expect(await readdir(folder)).not.toContain('sites.csv')
    const { code, err } = await command(args)
    expect([code, (await runs()) - before]).toEqual([0, 1])
    expect(err).toContain('Going on with the run that was begun')
    await service.order('POST', '/reports', { milliseconds: 300 })
  })
})

describe('what goes wrong', () => {
  it.each([
    ['a mistake', 2, ['--report', delivery], 'Say where to write: --out PATH.'],
    [
      'a file that is there',
      1,
      ['--file', 'raw.csv', '--out', 'first.csv'],
      'is there already; --replace overwrites it',
    ],
    ['a file that is none', 1, ['--file', 'nothing.csv', '--out', 'new.csv'], 'There is no file nothing.csv.'],
    ['another account', 1, ['--list', '--account', 'Agency'], 'sealed'],
  ])('%s ends with %i and says so', async (_what, expected, args, words) => {
    const { code, out, err } = await command(args)
    expect([code, out]).toEqual([expected, ''])
    expect(err).toContain(words)
    if (expected === 1) expect(err.trim()).not.toContain('\n')
  })

  it('the newest file of a report that has none, or whose file was taken away', async () => {
    const never = await command(['--report', 'Reach by campaign', '--latest', '--out', 'n.csv', '--quiet', ...here()])
    expect([never.code, never.err]).toEqual([1, 'No file of “Reach by campaign” is kept on this computer yet.\n'])
    const [kept] = (await readdir(join(folder, 'data/reports/sandbox'))).sort()
    await rm(join(folder, 'data/reports/sandbox', kept!, 'report.csv'))
    const gone = await command(['--report', delivery, '--latest', '--out', 'n.csv', '--quiet', ...here()])
    expect([gone.code, gone.err]).toEqual([1, `No file of “${delivery}” is kept on this computer yet.\n`])
  })

  it('a report that is not there, or that the service cannot make', async () => {
    const missing = await command(['--report', 'Nothing', '--out', 'n.csv', '--quiet', ...here()])
    expect([missing.code, missing.err]).toEqual([
      1,
      expect.stringMatching(/^There is no report “Nothing”\. There are: .*\n$/),
    ])
    await service.order('POST', '/reports', { fail: 1 })
    const failed = await command(['--report', 'Reach by campaign', '--out', 'n.csv', '--quiet', ...here()])
    expect([failed.code, failed.err]).toEqual([
      1,
      'Reach by campaign: The service could not make the report; it gave no reason.\n',
    ])
    expect(await readdir(folder)).not.toContain('n.csv')
  })
})
